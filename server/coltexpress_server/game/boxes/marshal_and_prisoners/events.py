"""What happens in this box alone: typed events, and how they are read back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from coltexpress_server.game.boxes.marshal_and_prisoners.tables import HIDDEN_GOAL, MARSHALS_SEAT
from coltexpress_server.game.cards import HIDDEN_CARD, Card
from coltexpress_server.game.events import Event, card_fields
from coltexpress_server.game.reader import Reader

TO_SEAT: Final = "TO_SEAT"
TO_OTHERS: Final = "TO_OTHERS"


@dataclass(slots=True, eq=False)
class PrisonersDisplayed(Event):
    """These prisoners lie face up in the prison car (4.1), in the order of section 7."""

    prisoners: list[str]

    @property
    def kind(self) -> str:
        """Its name."""
        return "PRISONERS_DISPLAYED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.prisoners]


@dataclass(slots=True, eq=False)
class GoalTurned(Event):
    """The top Upcoming goal becomes Current (4.5); which one it is, the Marshal alone sees.

    goal: `WARRANT:DOC` or a special target.
    """

    goal: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "GOAL_TURNED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.goal]

    def seen_by(self, seat: int) -> Event:
        """Hides the goal from the bandits."""
        return self if seat == MARSHALS_SEAT else GoalTurned(HIDDEN_GOAL)


@dataclass(slots=True, eq=False)
class CardsSearched(Event):
    """A seat has searched its deck, or its discards (4.12).

    cards: what it took, if anything.
    told: whether only the seat is told now (TO_SEAT), or only the others, since it has been told
        before (TO_OTHERS); empty where everybody is.
    """

    seat: int
    cards: list[Card]
    told: str = ""

    @property
    def kind(self) -> str:
        """Its name."""
        return "CARDS_SEARCHED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, [card_fields(card) for card in self.cards], self.told]

    def seen_by(self, seat: int) -> Event:
        """Hides what was found from all but the seat; that the hand has grown is public."""
        if seat == self.seat:
            return self
        return CardsSearched(self.seat, [HIDDEN_CARD] * len(self.cards), self.told)

    def hidden_from(self, seat: int) -> bool:
        """Nobody is told twice, and nobody of a secret before its time."""
        if self.told == TO_SEAT:
            return seat != self.seat
        return self.told == TO_OTHERS and seat == self.seat


@dataclass(slots=True, eq=False)
class Captured(Event):
    """The Marshal puts a bandit into the cell (4.7).

    poster: whether his Wanted poster went to the Achievement zone now; it does so once.
    """

    figure: str
    poster: bool

    @property
    def kind(self) -> str:
        """Its name."""
        return "CAPTURED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.poster]


@dataclass(slots=True, eq=False)
class MarshalBulletGiven(Event):
    """The Marshal has shot a bandit (4.9); its sort is public.

    bullet: its sort; cylinder: 1 or 2, where it came from.
    """

    figure: str
    bullet: str
    cylinder: int

    @property
    def kind(self) -> str:
        """Its name."""
        return "MARSHAL_BULLET_GIVEN"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.bullet, self.cylinder]


@dataclass(slots=True, eq=False)
class InjuriesHealed(Event):
    """The round is over, and the bullets in front of a bandit go into his deck (4.9)."""

    figure: str
    bullets: list[str]

    @property
    def kind(self) -> str:
        """Its name."""
        return "INJURIES_HEALED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.bullets]


@dataclass(slots=True, eq=False)
class PrisonerFreed(Event):
    """A bandit frees a prisoner and takes his card (4.13)."""

    figure: str
    prisoner: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "PRISONER_FREED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.prisoner]


@dataclass(slots=True, eq=False)
class PrisonerRetaken(Event):
    """A prisoner's card goes to the Achievement zone (4.9, 4.18).

    figure: the bandit who had it; empty at the end, for one that nobody has freed.
    """

    figure: str
    prisoner: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "PRISONER_RETAKEN"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.prisoner]


@dataclass(slots=True, eq=False)
class BanditFreed(Event):
    """A bandit lets another out of the cell (4.13)."""

    figure: str
    freed: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "BANDIT_FREED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.freed]


@dataclass(slots=True, eq=False)
class ActionCopied(Event):
    """A BRILLIANT_IDEA does what this card did, anew (4.13)."""

    figure: str
    action: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "ACTION_COPIED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.action]


@dataclass(slots=True, eq=False)
class BrawlerTaken(Event):
    """Whoever punches the Marshal takes the top Brawler card (4.10)."""

    figure: str
    brawler: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "BRAWLER_TAKEN"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.brawler]


@dataclass(slots=True, eq=False)
class GoalsRevealed(Event):
    """The Marshal shows his goals at the end, in the order in which they became Current (4.18).

    met: those of them that hold.
    """

    goals: list[str]
    met: list[str]

    @property
    def kind(self) -> str:
        """Its name."""
        return "GOALS_REVEALED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.goals, self.met]


UNPACK: Final[dict[str, Callable[[Reader], Event]]] = {
    "PRISONERS_DISPLAYED": lambda row: PrisonersDisplayed(row.texts()),
    "GOAL_TURNED": lambda row: GoalTurned(row.text()),
    "CARDS_SEARCHED": lambda row: CardsSearched(row.number(), row.cards(), row.text()),
    "CAPTURED": lambda row: Captured(row.text(), row.flag()),
    "MARSHAL_BULLET_GIVEN": lambda row: MarshalBulletGiven(row.text(), row.text(), row.number()),
    "INJURIES_HEALED": lambda row: InjuriesHealed(row.text(), row.texts()),
    "PRISONER_FREED": lambda row: PrisonerFreed(row.text(), row.text()),
    "PRISONER_RETAKEN": lambda row: PrisonerRetaken(row.text(), row.text()),
    "BANDIT_FREED": lambda row: BanditFreed(row.text(), row.text()),
    "ACTION_COPIED": lambda row: ActionCopied(row.text(), row.text()),
    "BRAWLER_TAKEN": lambda row: BrawlerTaken(row.text(), row.text()),
    "GOALS_REVEALED": lambda row: GoalsRevealed(row.texts(), row.texts()),
}
"""How each kind of event is read, by its name."""
