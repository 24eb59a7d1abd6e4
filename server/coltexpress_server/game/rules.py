"""Rules composed out of boxes: the questions a box answers, and how answers are combined.

A box is one of the boxes on the shelf, or a part of one: the base, the Marshal nobody plays, an
expansion. `Rules` asks all boxes of a game once, when composed, and combines what they say in one
of four ways: COLLECT (all answers, by rank), FILTER (each in turn, by rank, on what is left),
REPLACE (one answer a name; two boxes giving one is an error), SUM (added up).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, ClassVar, Final

from coltexpress_server.game.cards import BULLET, HIDDEN_CARD, NEUTRAL, Card, RoundCard
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.contents import Contents
from coltexpress_server.game.decisions import Decision, IllegalChoice
from coltexpress_server.game.seating import Seating

if TYPE_CHECKING:
    from coltexpress_server.game.state import Deck, Extra, Figure, Frame, State

MOVE: Final = "MOVE"
FIRE: Final = "FIRE"
PUNCH: Final = "PUNCH"

Lines = tuple[tuple[str, ...], ...]
LinesQuestion = Callable[["State", str, str], Lines]
Step = Callable[["State"], None]
Moved = Callable[["State", str], None]
Filter = Callable[["State", "Figure", str, list["Figure"]], list["Figure"]]
Score = Callable[["State"], dict[str, int]]
Refill = Callable[["State", int, "Deck"], None]
CardSeen = Callable[["State", int, Card], None]
ShownInDeck = Callable[["State", int], list[Card]]
Imagine = Callable[["State", Random], None]

BULLET_RANK: Final = 1000


class Op:
    """How one kind of frame goes on; stateless, one object for all games.

    name: the name frames refer to it by.
    """

    name: ClassVar[str] = ""

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Goes on as far as is possible without asking.

        Either does the frame's next automatic work, changing the stack or the frame, and returns
        nothing; or changes nothing and returns the decisions it waits for.
        """
        raise NotImplementedError

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """Carries out what was chosen.

        choices: one for each decision that `step` returned, in that order.
        """
        raise NotImplementedError

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """Says by which rule a choice that is not among the options is illegal.

        It reveals nothing that the deciding seat may not know.
        """
        raise NotImplementedError


class Power:
    """What is special about a bandit (1.7); the answers here are those of a bandit without power.

    Every question is asked about one figure that has the power.
    """

    name: ClassVar[str] = ""

    def extra_cards(self) -> int:
        """SUM: cards drawn at the start of a round beyond six."""
        return 0

    def may_hide(self, state: State, first_play: bool) -> bool:
        """COLLECT: whether its seat may play a card face down now.

        first_play: this is the seat's first play or draw of the turn.
        """
        return False

    def further_targets(self, state: State, figure: Figure) -> list[Figure]:
        """COLLECT: figures it may FIRE at beyond those in sight."""
        return []

    def keeps(self, kind: str) -> bool:
        """COLLECT: whether it may keep loot of this kind that its PUNCH makes a victim lose."""
        return False

    def after_shot(self, state: State, figure: Figure, target: Figure) -> None:
        """COLLECT: what happens to a target that it gave a bullet to."""


class Box:
    """The questions of the rules, with the answers of a box that has nothing to say."""

    name: ClassVar[str] = ""

    def actions(self) -> dict[str, int]:
        """REPLACE: action cards by name, with their rank in the canonical order (section 7)."""
        return {}

    def deck(self) -> list[str]:
        """COLLECT: action cards in each bandit's deck (1.3.1)."""
        return []

    def powers(self) -> dict[str, Power]:
        """REPLACE: the power of each bandit, by the bandit's name, in the box's order."""
        return {}

    def ops(self) -> Sequence[Op]:
        """REPLACE: ops, by their names."""
        return ()

    def round_cards(self, bandits: int) -> list[RoundCard]:
        """COLLECT: round cards for this number of bandits, stations aside."""
        return []

    def station_cards(self, bandits: int) -> list[RoundCard]:
        """COLLECT: station cards."""
        return []

    def set_up(self) -> list[tuple[int, Step]]:
        """COLLECT: steps of setting up the game (1.4), by rank."""
        return []

    def round_steps(self) -> list[tuple[int, Step]]:
        """COLLECT: steps of a round (1.5), by rank; a step may push frames, which run first."""
        return []

    def lines(self) -> list[LinesQuestion]:
        """COLLECT: (state, space, purpose) -> lines of spaces ahead of a space.

        A line has the spaces of one level that can be reached or seen in one direction, nearest
        first; purpose: MOVE, FIRE or PUNCH.
        """
        return []

    def after_movement(self) -> list[tuple[int, Moved]]:
        """COLLECT: (state, cause), called when figures have changed spaces, by rank."""
        return []

    def target_filters(self) -> list[tuple[int, Filter]]:
        """FILTER: (state, actor, action, targets) -> those that may be chosen, by rank."""
        return []

    def seating(self) -> Seating | None:
        """REPLACE: who sits where; exactly one box answers."""
        return None

    def refills(self) -> list[Refill]:
        """COLLECT: (state, seat, deck), called when a draw finds the deck empty."""
        return []

    def card_seen(self) -> list[CardSeen]:
        """COLLECT: (state, seat, card), called when a card that a seat played is seen by all."""
        return []

    def shown_in_deck(self) -> list[ShownInDeck]:
        """COLLECT: (state, seat) -> cards that are shown to the seat as if they lay in its deck."""
        return []

    def unpack_extra(self, packed: list[object], rules: Rules) -> Extra:
        """REPLACE, by the box's name: its own part of the state, from what `Extra.pack` gave."""
        raise NotImplementedError

    def score(self) -> list[tuple[str, Score]]:
        """SUM: (name of the row, state -> dollars by figure's name)."""
        return []

    def imagine(self) -> list[tuple[int, Imagine]]:
        """COLLECT: (state, chance), which fills in at random what a view hides, by rank."""
        return []

    def contents(self) -> Contents:
        """What else lies in the box; for catalogues, no rule asks for it."""
        return Contents()


class Rules:
    """The rules of one set of options; stateless, shared by all games with those options."""

    __slots__ = (
        "_lines",
        "_own_powers",
        "_ranked",
        "actions",
        "after_movement",
        "boxes",
        "card_seen",
        "cards",
        "deck",
        "imagine",
        "ops",
        "powers",
        "refills",
        "round_steps",
        "score_rows",
        "seating",
        "set_up",
        "shown_in_deck",
        "target_filters",
    )

    def __init__(self, boxes: Sequence[Box]) -> None:
        """Asks every box every question.

        Raises ValueError if two boxes bring the same name where only one answer can be.
        """
        self.boxes = tuple(boxes)
        self.actions: dict[str, int] = {}
        self.deck: list[str] = []
        self.powers: dict[str, Power] = {}
        self.ops: dict[str, Op] = {}
        self._lines: list[LinesQuestion] = []
        self.cards: dict[tuple[str, str], Card] = {}
        self._ranked = {HIDDEN_CARD.rank: HIDDEN_CARD}
        set_up: list[tuple[int, Step]] = []
        round_steps: list[tuple[int, Step]] = []
        after_movement: list[tuple[int, Moved]] = []
        target_filters: list[tuple[int, Filter]] = []
        imagine: list[tuple[int, Imagine]] = []
        self.score_rows: list[tuple[str, Score]] = []
        self.refills: list[Refill] = []
        self.card_seen: list[CardSeen] = []
        self.shown_in_deck: list[ShownInDeck] = []
        seatings: list[Seating] = []
        for box in boxes:
            seating = box.seating()
            if seating is not None:
                seatings.append(seating)
            self.refills += box.refills()
            self.card_seen += box.card_seen()
            self.shown_in_deck += box.shown_in_deck()
            for action, rank in box.actions().items():
                _only_one(action, self.actions)
                self.actions[action] = rank
            for bandit, power in box.powers().items():
                _only_one(bandit, self.powers)
                self.powers[bandit] = power
            for op in box.ops():
                _only_one(op.name, self.ops)
                self.ops[op.name] = op
            self.deck += box.deck()
            self._lines += box.lines()
            set_up += box.set_up()
            round_steps += box.round_steps()
            after_movement += box.after_movement()
            target_filters += box.target_filters()
            self.score_rows += box.score()
            imagine += box.imagine()
        if len(seatings) != 1:
            raise ValueError(f"{len(seatings)} boxes bring a seating, not one")
        self.seating = seatings[0]
        self._own_powers = {bandit: (power,) for bandit, power in self.powers.items()}
        self.set_up = [step for _, step in sorted(set_up, key=_rank)]
        self.round_steps = [step for _, step in sorted(round_steps, key=_rank)]
        self.after_movement = [hook for _, hook in sorted(after_movement, key=_rank)]
        self.imagine = [hook for _, hook in sorted(imagine, key=_rank)]
        self.target_filters = [hook for _, hook in sorted(target_filters, key=_rank)]

    def card(self, figure: str, action: str) -> Card:
        """The card with these words, always the same object; BULLET with who gave it.

        Raises KeyError for an action that no box of these rules has.
        """
        key = (figure, action)
        card = self.cards.get(key)
        if card is None:
            card = Card(figure, action, self._card_rank(figure, action))
            self.cards[key] = card
        return card

    def card_ranked(self, rank: int) -> Card:
        """The card with this rank. Raises KeyError if these rules have none."""
        card = self._ranked.get(rank)
        if card is None:
            card = self._find_ranked(rank)
            self._ranked[rank] = card
        return card

    def _find_ranked(self, rank: int) -> Card:
        owner = rank % 10
        names = list(self.powers)
        if owner > len(names):
            raise KeyError(rank)
        bullet = rank // 10 == BULLET_RANK
        nobodys = NEUTRAL if bullet else ""
        figure = names[owner - 1] if owner else nobodys
        return self.card(figure, BULLET if bullet else self._action_ranked(rank // 10))

    def lines(self, state: State, space: str, purpose: str) -> Lines:
        """All lines of spaces from a space, see `Box.lines`."""
        if len(self._lines) == 1:
            return self._lines[0](state, space, purpose)
        found: Lines = ()
        for question in self._lines:
            found += question(state, space, purpose)
        return found

    def powers_of(self, figure: Figure) -> tuple[Power, ...]:
        """The powers that a figure has now."""
        return self._own_powers.get(figure.name, ())

    def has_power(self, figure: Figure, name: str) -> bool:
        """Whether a figure has the power of this name."""
        return any(power.name == name for power in self.powers_of(figure))

    def targets(
        self, state: State, actor: Figure, action: str, found: list[Figure]
    ) -> list[Figure]:
        """Those of the figures found that the actor may choose, in the order given."""
        for hook in self.target_filters:
            found = hook(state, actor, action, found)
        return found

    def moved(self, state: State, cause: str) -> None:
        """To be called when all figures that one cause moves have changed spaces."""
        for hook in self.after_movement:
            hook(state, cause)

    def seen_by_all(self, state: State, seat: int, card: Card) -> None:
        """To be called when a card that a seat has played lies open, at once or later."""
        for hook in self.card_seen:
            hook(state, seat, card)

    def unpack_extra(self, name: str, packed: list[object]) -> Extra:
        """A box's own part of the state. Raises KeyError for a box that these rules have not."""
        for box in self.boxes:
            if box.name == name:
                return box.unpack_extra(packed, self)
        raise KeyError(name)

    def round_cards(self, bandits: int) -> tuple[list[RoundCard], list[RoundCard]]:
        """The round cards and the station cards for this number of bandits."""
        ordinary = [card for box in self.boxes for card in box.round_cards(bandits)]
        stations = [card for box in self.boxes for card in box.station_cards(bandits)]
        return ordinary, stations

    def _action_ranked(self, rank: int) -> str:
        for action, ranked in self.actions.items():
            if ranked == rank:
                return action
        raise KeyError(rank)

    def _card_rank(self, figure: str, action: str) -> int:
        """Actions by their rank, then by bandit in the box's order; bullets last, neutral first."""
        order = list(self.powers)
        bandit = order.index(figure) + 1 if figure in order else 0
        return (BULLET_RANK if action == BULLET else self.actions[action]) * 10 + bandit


def _only_one(name: str, found: dict[str, int] | dict[str, Power] | dict[str, Op]) -> None:
    if name in found:
        raise ValueError(f"two boxes bring {name}")


def _rank(row: tuple[int, object]) -> int:
    return row[0]
