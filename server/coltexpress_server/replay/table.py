"""The table as the verifier follows it: what is printed on the cards, and what lies where.

Written from the rules of the game (docs/RULES.md, sections 1 to 4 and 7) and from nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

BANDITS: Final = ("GHOST", "CHEYENNE", "DJANGO", "BELLE", "TUCO", "DOC")
ACTIONS: Final = {
    "MOVE": 2,
    "FLOOR_CHANGE": 2,
    "FIRE": 2,
    "ROBBERY": 2,
    "PUNCH": 1,
    "MARSHAL": 1,
}
"""How many of each action card a bandit has (1.3.1), in canonical order (section 7)."""
CARD_ORDER: Final = (
    *("MOVE", "MOVE_PLUS", "FLOOR_CHANGE", "FLOOR_CHANGE_PLUS", "FIRE", "ROBBERY", "PUNCH"),
    *("MARSHAL", "CAPTURE", "RIDE", "BRILLIANT_IDEA", "BULLET"),
)
"""All cards in canonical order (section 7), bullets last."""
MARSHAL_BULLETS: Final = (
    *("DISARMED", "WOUNDED_KNEE", "SHOULDER_INJURY"),
    *("GOT_EM", "DROP_THAT_BAG", "GOLDEN_BULLET"),
)
"""The sorts of the bullets in each of the Marshal's cylinders, from the top (4.9)."""
OWNERS: Final = ("NEUTRAL", *BANDITS, "MEI", "MARSHAL", *MARSHAL_BULLETS)
"""Whose cards there are, bullets by who gave them or by their sort, in canonical order."""

MONEY: Final = ("STRONGBOX", "MAILBAG", "JEWEL", "PURSE")
"""The kinds of loot that are worth their value, in canonical order."""
TOLD_APART: Final = ("MAILBAG", "PURSE")
"""Those of which a seat names one by its value, as far as it knows it (1.2.4, 4.3)."""

CARS: Final = {"A": (1, 0), "B": (3, 0), "C": (1, 1), "D": (3, 1), "E": (4, 1), "F": (0, 3)}
"""Purses and jewels in each car (1.1.4)."""
PURSES: Final = (*[250] * 8, *[300] * 2, *[350] * 2, *[400] * 2, *[450] * 2, *[500] * 2)
"""What the purses are worth (1.2.1)."""
NEUTRAL_BULLETS: Final = 13


class RoundCard(NamedTuple):
    """A round card.

    few, many: its turns for up to four bandits and for more.
    event: what happens at the end of the round, NONE if nothing does.
    keep: how many cards may be kept for the next round (3.7.2).
    """

    name: str
    few: str
    many: str
    event: str
    keep: int = 0


def station(name: str, turns: str) -> RoundCard:
    """A station card, which is the same for any number of bandits."""
    return RoundCard(name, turns, turns, name)


TURNS: Final = {
    "S": "STANDARD",
    "T": "TUNNEL",
    "X": "SPEEDING_UP",
    "W": "SWITCHING",
    "L": "TURMOIL",
}
ROUND_CARDS: Final = (
    RoundCard("SWIVEL_ARM", "STSS", "STS", "SWIVEL_ARM"),
    RoundCard("ANGRY_MARSHAL", "SSTW", "SSW", "ANGRY_MARSHAL"),
    RoundCard("TAKE_IT_ALL", "STXS", "SXW", "TAKE_IT_ALL"),
    RoundCard("BRAKING", "SSSS", "STSS", "BRAKING"),
    RoundCard("PASSENGERS_REBELLION", "SSTSS", "STSW", "PASSENGERS_REBELLION"),
    RoundCard("BRIDGE", "SXS", "SX", "NONE"),
    RoundCard("LONG_TUNNEL", "STSTS", "STST", "NONE"),
)
"""1.3.3."""
STATIONS: Final = (
    station("MARSHALS_REVENGE", "SSTS"),
    station("PICKPOCKETING", "SSTS"),
    station("HOSTAGE_CONDUCTOR", "SSTS"),
)
"""1.3.4."""

EVERYBODY: Final = 0xFFFF
"""The bits of all who know a value that is public."""


STAGECOACH: Final = 100
"""Where the number of a car stands, for the stagecoach's two spaces."""


class Space(NamedTuple):
    """A place on the train, or beside it; sorts in canonical order."""

    car: int
    on_roof: bool

    @property
    def text(self) -> str:
        """Its name, e.g. `3.roof`."""
        if self in _NOWHERE:
            return _NOWHERE[self]
        place = "stagecoach" if self.car == STAGECOACH else str(self.car)
        return f"{place}.{'roof' if self.on_roof else 'inside'}"


LOCOMOTIVE: Final = Space(0, on_roof=False)
HORSEBACK: Final = Space(101, on_roof=False)
GONE: Final = Space(102, on_roof=False)
CELL: Final = Space(103, on_roof=False)
_NOWHERE: Final = {HORSEBACK: "horseback", GONE: "gone", CELL: "cell"}
"""Where bandits are who have not boarded yet, have ridden away, or have been captured."""


@dataclass(slots=True, eq=False)
class Token:
    """A loot token; known: one bit for each seat that knows the value (1.2.3)."""

    kind: str
    value: int
    known: int

    def value_for(self, seat: int) -> int | None:
        """Its value if the seat knows it."""
        return self.value if self.known >> seat & 1 else None


def drawing_order(token: Token) -> tuple[str, int, int]:
    """The order in which tokens are put before one of them is drawn."""
    return token.kind, token.value, token.known


@dataclass(slots=True, eq=False)
class Bandit:
    """A bandit, or another figure; received: who gave it each bullet."""

    name: str
    seat: int
    space: Space
    loot: list[Token] = field(default_factory=list)
    bullets_left: int = 6
    received: list[str] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Seat:
    """A player's bandits and cards; cards are written as in the file.

    deck, discards: the top is the last.
    """

    number: int
    bandits: list[str]
    deck: list[str] = field(default_factory=list)
    hand: list[str] = field(default_factory=list)
    discards: list[str] = field(default_factory=list)

    def naming(self, card: str) -> str:
        """How a choice names a card: without its owner where there can be no other."""
        owner, _, action = card.partition(".")
        if action == "BULLET":
            return action if owner == "NEUTRAL" else card
        if len(self.bandits) > 1:
            return action if action == "MARSHAL" else card
        return action if owner in self.bandits else card

    def hidden_by(self, card: str) -> str:
        """Whose power would cover a card: all his player's, or his own of two (2.2.4)."""
        if len(self.bandits) > 1:
            owner, _, action = card.partition(".")
            return "" if action == "MARSHAL" else owner
        return self.bandits[0]


def card_order(card: str) -> tuple[int, int]:
    """The order in which cards are put before they are shuffled: actions, bullets; by bandit."""
    owner, _, action = card.partition(".")
    return CARD_ORDER.index(action), OWNERS.index(owner)


@dataclass(slots=True, eq=False)
class Table:
    """Everything on the table but the cards being played.

    bandits: in the order of the seats; the first player's seat is `first`.
    caboose: the number of the last car.
    in_team: how many seats make a team, which is as many seats in a row.
    lying: loot by space; what is out of the game is nowhere.
    """

    seats: list[Seat]
    bandits: list[Bandit]
    caboose: int
    in_team: int
    first: int = 0
    the_marshal: Bandit = field(default_factory=lambda: Bandit("MARSHAL", 0, LOCOMOTIVE))
    lying: dict[Space, list[Token]] = field(default_factory=dict)
    neutral_bullets: int = NEUTRAL_BULLETS

    @property
    def marshal(self) -> Space:
        """Where the Marshal is."""
        return self.the_marshal.space

    def team(self, seat: int) -> int:
        """The team of a seat."""
        return seat // self.in_team

    def named(self, name: str) -> Bandit:
        """The bandit of this name, or the Marshal."""
        figures = (*self.bandits, self.the_marshal)
        return next(figure for figure in figures if figure.name == name)

    def is_bandit(self, giver: str) -> bool:
        """Whether a bullet was given by a bandit."""
        return any(bandit.name == giver for bandit in self.bandits)

    def from_first(self) -> list[Bandit]:
        """The bandits in seat order from the first player (1.5.9)."""
        before = [bandit for bandit in self.bandits if bandit.seat < self.first]
        return self.bandits[len(before) :] + before

    def at(self, space: Space) -> list[Bandit]:
        """The bandits on a space, in seat order from the first player."""
        return [bandit for bandit in self.from_first() if bandit.space == space]

    def on_train(self, *, on_roof: bool) -> list[Bandit]:
        """The bandits inside its cars or on their roofs, in seat order from the first player."""
        return [
            bandit
            for bandit in self.from_first()
            if bandit.space.car <= self.caboose and bandit.space.on_roof == on_roof
        ]

    def loot_at(self, space: Space) -> list[Token]:
        """The loot on a space."""
        return self.lying.setdefault(space, [])

    def ahead(self, space: Space, step: int) -> list[Space]:
        """The spaces on the same level forward (step -1) or back (step 1), nearest first."""
        if space.car > self.caboose:
            return []
        cars = range(space.car + step, self.caboose + 1 if step > 0 else -1, step)
        return [Space(car, space.on_roof) for car in cars]

    def further(self, space: Space, step: int) -> Space:
        """The next space in a direction; at the end of the train this one (1.1.3)."""
        return next(iter(self.ahead(space, step)), space)

    def beside(self, space: Space) -> list[Space]:
        """The adjacent spaces on the same level."""
        return [ahead[0] for step in (-1, 1) if (ahead := self.ahead(space, step))]
