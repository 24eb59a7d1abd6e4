"""Rules composed out of boxes: the questions a box answers, and how answers are combined.

A box is one of the boxes on the shelf, or a part of one: the base, the Marshal nobody plays, an
expansion. `Rules` asks all boxes of a game once, when composed, and combines what they say in one
of four ways: COLLECT (all answers, by rank), FILTER (each in turn, by rank, on what is left),
REPLACE (one answer a name; two boxes giving one is an error), SUM (added up).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, ClassVar, Final

from coltexpress_server.game.cards import BULLET, HIDDEN_CARD, NEUTRAL, Card, RoundCard
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.contents import Contents
from coltexpress_server.game.decisions import Decision, IllegalChoice
from coltexpress_server.game.loot import LootKind
from coltexpress_server.game.seating import Seating
from coltexpress_server.game.turns import TurnKind

if TYPE_CHECKING:
    from coltexpress_server.game.state import Deck, Extra, Figure, Frame, Movement, State

MOVE: Final = "MOVE"
FIRE: Final = "FIRE"
PUNCH: Final = "PUNCH"

Lines = tuple[tuple[str, ...], ...]
LinesQuestion = Callable[["State", str, str], Lines]
Step = Callable[["State"], None]
Moved = Callable[["State", str, "list[Movement]"], None]
Filter = Callable[["State", "Figure", str, list["Figure"]], list["Figure"]]
Reach = Callable[["State", "Figure", int], int]
Hindrance = Callable[["State", "Figure", str], str]
Powers = Callable[["State", "Figure", "tuple[Power, ...]"], "tuple[Power, ...]"]
HandSize = Callable[["State", "Figure"], int]
Open = Callable[["State"], tuple[str, ...]]
Score = Callable[["State"], dict[str, int]]
Rows = list[tuple[str, dict[str, int]]]
Audit = Callable[["State", Rows], Rows]
Losers = Callable[["State"], set[str]]
Standings = Callable[["State"], "dict[int, Goals]"]
Effect = Callable[["State", "Figure", str], str]
BulletsHeld = Callable[["State", "Figure", list[str]], list[str]]
CardTurned = Callable[["State", Card], None]
CardLaid = Callable[["State", int, Card, str], None]
Pile = Callable[["Deck"], list[Card]]
Refill = Callable[["State", int, "Deck"], None]
CardSeen = Callable[["State", int, Card], None]
ShownInDeck = Callable[["State", int], list[Card]]
Foresight = Callable[["State", int], None]
Imagine = Callable[["State", Random], None]

BULLET_RANK: Final = 1000
SORT_RANK: Final = 1001
"""Of bullets told apart by their sort, not by who gave them."""


@dataclass(slots=True, eq=False)
class Goals:
    """What a seat wins by that does not win by money.

    held: how many of its goals hold now; needed: how many make it win; all: how many it has.
    near: how much of its goals is done, each counted up to 1; for those who judge positions.
    """

    held: int
    needed: int
    all: int
    near: float


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

    def answered(self, state: State, decision: Decision, choice: Choice) -> None:
        """Tells a seat what its answer leads to at once, where several answer at the same time.

        Only events are recorded: nothing changes before all have answered.
        """

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """Says by which rule a choice that is not among the options is illegal.

        It reveals nothing that the deciding seat may not know.
        """
        raise NotImplementedError


class Bystander:
    """A figure that is no bandit and may be chosen like one by an action; stateless.

    name: the figure's name.
    """

    name: ClassVar[str] = ""

    def may_be_target(self, state: State, figure: Figure, action: str) -> bool:
        """COLLECT: whether an action may be aimed at it now, where it stands."""
        return False

    def punches(self, state: State, actor: Figure, figure: Figure) -> list[Choice]:
        """COLLECT: the ways to punch it, in canonical order."""
        return []

    def punched(self, state: State, actor: Figure, figure: Figure, choice: Choice) -> None:
        """Carries out one of them."""


class TurnOption:
    """What can be done in a turn of Schemin' besides playing a card and drawing; stateless."""

    def options(self, state: State, number: int, turn: str) -> list[Choice]:
        """COLLECT: what seat `number` may do in this kind of turn, in canonical order."""
        return []

    def take(self, state: State, number: int, choice: Choice, told: bool = False) -> bool:
        """Carries a choice out if it is one of its own; says whether it was.

        told: whether `answered` has told the seat already what it leads to.
        """
        return False

    def answered(self, state: State, number: int, choice: Choice) -> None:
        """Tells the seat alone what its choice leads to, while others still choose."""

    def why_not(self, state: State, number: int, choice: Choice) -> IllegalChoice | None:
        """Why a choice of its own kind is illegal; None for a choice of another kind."""
        return None


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

    def floors(self, state: State, figure: Figure) -> list[str]:
        """COLLECT: spaces that its FLOOR_CHANGE may lead to, beyond the one above or below."""
        return []

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

    def card_owners(self) -> list[str]:
        """COLLECT: figures that are no bandits and have action cards of their own."""
        return []

    def bullet_sorts(self) -> list[str]:
        """COLLECT: sorts of bullets that are told apart by them, not by who gave them."""
        return []

    def effects(self) -> list[Effect]:
        """FILTER: (state, figure, op) -> the op that a card of the figure does instead."""
        return []

    def powers(self) -> dict[str, Power]:
        """REPLACE: the power of each bandit, by the bandit's name, in the box's order."""
        return {}

    def ops(self) -> Sequence[Op]:
        """REPLACE: ops, by their names."""
        return ()

    def loot(self) -> dict[str, LootKind]:
        """REPLACE: kinds of loot, by name."""
        return {}

    def turns(self) -> dict[str, TurnKind]:
        """REPLACE: kinds of turn in Schemin', by name."""
        return {}

    def turn_options(self) -> list[tuple[int, TurnOption]]:
        """COLLECT: what can be done in a turn besides playing and drawing, by rank."""
        return []

    def bystanders(self) -> Sequence[Bystander]:
        """REPLACE: figures that are no bandits and may be targets, by their names."""
        return ()

    def beside_the_train(self) -> list[tuple[str, str]]:
        """COLLECT: spaces beside the train, each with its level."""
        return []

    def off_the_board(self) -> list[str]:
        """COLLECT: where figures can be that are on no space; nothing is adjacent, nothing lies."""
        return []

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

    def ranks(self) -> dict[int, int]:
        """REPLACE: ranks of steps of a round, and at which ones those steps come instead."""
        return {}

    def openings(self) -> list[tuple[int, str]]:
        """COLLECT: names of ops that run before the first round, by rank."""
        return []

    def instead(self) -> list[tuple[Step, Step | None]]:
        """REPLACE: a step of setting up or of a round, and what this box does in its place.

        Nothing is done in the place of a step that the game has not.
        """
        return []

    def lines(self) -> list[LinesQuestion]:
        """COLLECT: (state, space, purpose) -> lines of spaces ahead of a space.

        A line has the spaces of one level that can be reached or seen in one direction, nearest
        first; purpose: MOVE, FIRE or PUNCH.
        """
        return []

    def after_movement(self) -> list[tuple[int, Moved]]:
        """COLLECT: (state, cause, movements), called when figures have changed spaces, by rank."""
        return []

    def reach(self) -> list[Reach]:
        """FILTER: (state, figure, cars) -> how many cars a MOVE of the figure may go."""
        return []

    def hindrances(self) -> list[Hindrance]:
        """COLLECT: (state, figure, action) -> the rule by which the action does nothing now."""
        return []

    def power_filters(self) -> list[tuple[int, Powers]]:
        """FILTER: (state, figure, powers) -> those that the figure has now, by rank."""
        return []

    def hand_sizes(self) -> list[HandSize]:
        """SUM: (state, figure) -> cards beyond six at the start of a round, or fewer."""
        return []

    def open_cards(self) -> list[Open]:
        """COLLECT: (state) -> the bandits whose cards are always played face up."""
        return []

    def target_filters(self) -> list[tuple[int, Filter]]:
        """FILTER: (state, actor, action, targets) -> those that may be chosen, by rank."""
        return []

    def seating(self) -> Seating | None:
        """REPLACE: who sits where; exactly one box answers."""
        return None

    def played_pile(self) -> Pile | None:
        """REPLACE: (deck) -> the pile that its played cards come to lie in; one box answers."""
        return None

    def refills(self) -> list[Refill]:
        """COLLECT: (state, seat, deck), called when a draw finds the deck empty."""
        return []

    def card_laid(self) -> list[CardLaid]:
        """COLLECT: (state, seat, card, turn), called when a seat has laid a card on the pile.

        turn: the kind of the turn.
        """
        return []

    def card_turned(self) -> list[CardTurned]:
        """COLLECT: (state, card), called when a card is about to do what it does."""
        return []

    def bullets_held(self) -> list[BulletsHeld]:
        """FILTER: (state, figure, bullets) -> those the figure received that are among its cards.

        Each bullet by who gave it or, where those are told apart, by its sort.
        """
        return []

    def card_seen(self) -> list[CardSeen]:
        """COLLECT: (state, seat, card), called when a card that a seat played is seen by all."""
        return []

    def shown_in_deck(self) -> list[ShownInDeck]:
        """COLLECT: (state, seat) -> cards that are shown to the seat as if they lay in its deck."""
        return []

    def foresight(self) -> list[Foresight]:
        """COLLECT: (state, seat), called on the copy that becomes the seat's view.

        Carries out what the seat knows already of an answer of its own that waits for others'; in
        the view that answer is to pass, so that nothing of it is left to do.
        """
        return []

    def unpack_extra(self, packed: list[object], rules: Rules) -> Extra:
        """REPLACE, by the box's name: its own part of the state, from what `Extra.pack` gave."""
        raise NotImplementedError

    def score(self) -> list[tuple[str, Score]]:
        """SUM: (name of the row, state -> dollars by figure's name)."""
        return []

    def audits(self) -> list[Audit]:
        """FILTER: (state, rows) -> the rows as they count."""
        return []

    def goals(self) -> list[Standings]:
        """COLLECT: (state) -> the goals of seats that win by goals, before money counts."""
        return []

    def losers(self) -> list[Losers]:
        """COLLECT: (state) -> the bandits who cannot win."""
        return []

    def imagine(self) -> list[tuple[int, Imagine]]:
        """COLLECT: (state, chance), which fills in at random what a view hides, by rank."""
        return []

    def contents(self) -> Contents:
        """What else lies in the box; for catalogues, but neutral bullets are added up (SUM)."""
        return Contents()


class Rules:
    """The rules of one set of options; stateless, shared by all games with those options."""

    __slots__ = (
        "_bullets_held",
        "_effects",
        "_goals",
        "_hand_sizes",
        "_hindrances",
        "_lines",
        "_losers",
        "_open_cards",
        "_own_powers",
        "_power_filters",
        "_ranked",
        "_reach",
        "actions",
        "after_movement",
        "audits",
        "beside_the_train",
        "boxes",
        "bullet_sorts",
        "bystanders",
        "card_laid",
        "card_owners",
        "card_seen",
        "card_turned",
        "cards",
        "deck",
        "foresight",
        "imagine",
        "loot",
        "neutral_bullets",
        "off_the_board",
        "openings",
        "ops",
        "played_pile",
        "powers",
        "refills",
        "round_steps",
        "score_rows",
        "seating",
        "set_up",
        "shown_in_deck",
        "target_filters",
        "tokens",
        "turn_options",
        "turns",
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
        self.loot: dict[str, LootKind] = {}
        self.turns: dict[str, TurnKind] = {}
        self.bystanders: dict[str, Bystander] = {}
        self.neutral_bullets = 0
        self.tokens: dict[str, dict[int, int]] = {}
        self.card_owners: list[str] = []
        self.bullet_sorts: list[str] = []
        self.card_laid: list[CardLaid] = []
        self.card_turned: list[CardTurned] = []
        self._effects: list[Effect] = []
        self._bullets_held: list[BulletsHeld] = []
        self._goals: list[Standings] = []
        ranks: dict[int, int] = {}
        self.played_pile: Pile = _no_pile
        self.off_the_board: list[str] = []
        self.audits: list[Audit] = []
        self._lines: list[LinesQuestion] = []
        self._reach: list[Reach] = []
        self._hindrances: list[Hindrance] = []
        power_filters: list[tuple[int, Powers]] = []
        self._hand_sizes: list[HandSize] = []
        self._open_cards: list[Open] = []
        self._losers: list[Losers] = []
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
        self.foresight: list[Foresight] = []
        seatings: list[Seating] = []
        beside: list[tuple[str, str]] = []
        openings: list[tuple[int, str]] = []
        turn_options: list[tuple[int, TurnOption]] = []
        instead: list[tuple[Step, Step | None]] = []
        for box in boxes:
            seating = box.seating()
            if seating is not None:
                seatings.append(seating)
            self.played_pile = box.played_pile() or self.played_pile
            self.refills += box.refills()
            self.card_seen += box.card_seen()
            self.shown_in_deck += box.shown_in_deck()
            self.foresight += box.foresight()
            for action, rank in box.actions().items():
                _only_one(action, self.actions)
                self.actions[action] = rank
            for bandit, power in box.powers().items():
                _only_one(bandit, self.powers)
                self.powers[bandit] = power
            for op in box.ops():
                _only_one(op.name, self.ops)
                self.ops[op.name] = op
            for kind, loot in box.loot().items():
                _only_one(kind, self.loot)
                self.loot[kind] = loot
            for turn, how in box.turns().items():
                _only_one(turn, self.turns)
                self.turns[turn] = how
            for bystander in box.bystanders():
                _only_one(bystander.name, self.bystanders)
                self.bystanders[bystander.name] = bystander
            self.neutral_bullets += box.contents().neutral_bullets
            for kind, values in box.contents().tokens.items():
                counts = self.tokens.setdefault(kind, {})
                for value, count in values.items():
                    counts[value] = counts.get(value, 0) + count
            self.card_owners += box.card_owners()
            self.bullet_sorts += box.bullet_sorts()
            self.card_laid += box.card_laid()
            self.card_turned += box.card_turned()
            self._effects += box.effects()
            self._bullets_held += box.bullets_held()
            self._goals += box.goals()
            for rank, other in box.ranks().items():
                _only_one(f"rank {rank}", [f"rank {known}" for known in ranks])
                ranks[rank] = other
            self.off_the_board += box.off_the_board()
            self.audits += box.audits()
            beside += box.beside_the_train()
            openings += box.openings()
            turn_options += box.turn_options()
            instead += box.instead()
            self.deck += box.deck()
            self._lines += box.lines()
            self._reach += box.reach()
            self._hindrances += box.hindrances()
            power_filters += box.power_filters()
            self._hand_sizes += box.hand_sizes()
            self._open_cards += box.open_cards()
            self._losers += box.losers()
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
        self.beside_the_train = tuple(beside)
        self.openings = [name for _, name in sorted(openings, key=_rank)]
        self.turn_options = [option for _, option in sorted(turn_options, key=_rank)]
        self.set_up = in_order(set_up, instead)
        self.round_steps = in_order(
            [(ranks.get(rank, rank), step) for rank, step in round_steps], instead
        )
        self.after_movement = [hook for _, hook in sorted(after_movement, key=_rank)]
        self._power_filters = [hook for _, hook in sorted(power_filters, key=_rank)]
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
        kind, owner = divmod(rank, 10)
        names = self.bullet_sorts if kind == SORT_RANK else [*self.powers, *self.card_owners]
        if owner > len(names):
            raise KeyError(rank)
        bullet = kind in {BULLET_RANK, SORT_RANK}
        nobodys = NEUTRAL if bullet else ""
        figure = names[owner - 1] if owner else nobodys
        return self.card(figure, BULLET if bullet else self._action_ranked(kind))

    def lines(self, state: State, space: str, purpose: str) -> Lines:
        """All lines of spaces from a space, see `Box.lines`."""
        if len(self._lines) == 1:
            return self._lines[0](state, space, purpose)
        found: Lines = ()
        for question in self._lines:
            found += question(state, space, purpose)
        return found

    def powers_of(self, state: State, figure: Figure) -> tuple[Power, ...]:
        """The powers that a figure has now."""
        powers: tuple[Power, ...] = self._own_powers.get(figure.name, ())
        for hook in self._power_filters:
            powers = hook(state, figure, powers)
        return powers

    def has_power(self, state: State, figure: Figure, name: str) -> bool:
        """Whether a figure has the power of this name."""
        return any(power.name == name for power in self.powers_of(state, figure))

    def effect(self, state: State, figure: Figure, action: str) -> str:
        """The name of the op that an action card does for a figure now."""
        for hook in self._effects:
            action = hook(state, figure, action)
        return action

    def bullets_held(self, state: State, figure: Figure) -> list[Card]:
        """The bullets that a figure received and that are among its cards."""
        names = figure.received
        for hook in self._bullets_held:
            names = hook(state, figure, names)
        return [self.card(name, BULLET) for name in names]

    def candidates(self, state: State, action: str) -> list[Figure]:
        """The figures that an action can be aimed at at all: bandits by seat, then others."""
        if not self.bystanders:
            return state.bandits
        return state.bandits + [
            state.figures[name]
            for name, bystander in self.bystanders.items()
            if bystander.may_be_target(state, state.figures[name], action)
        ]

    def reach(self, state: State, figure: Figure, cars: int) -> int:
        """How many cars a MOVE of a figure may go, where others may go so many."""
        for hook in self._reach:
            cars = hook(state, figure, cars)
        return cars

    def hindrance(self, state: State, figure: Figure, action: str) -> str:
        """The rule by which this action of this figure does nothing now, or empty."""
        for hook in self._hindrances:
            rule = hook(state, figure, action)
            if rule:
                return rule
        return ""

    def extra_cards(self, state: State, figure: Figure) -> int:
        """How many cards more than others its seat draws at the start of a round, or fewer."""
        cards = 0
        for power in self.powers_of(state, figure):
            cards += power.extra_cards()
        for hook in self._hand_sizes:
            cards += hook(state, figure)
        return cards

    def open_cards(self, state: State) -> tuple[str, ...]:
        """The bandits whose cards are always played face up."""
        bandits: tuple[str, ...] = ()
        for hook in self._open_cards:
            bandits += hook(state)
        return bandits

    def goals(self, state: State) -> dict[int, Goals]:
        """The goals of seats that win by goals, by seat."""
        goals: dict[int, Goals] = {}
        for hook in self._goals:
            goals |= hook(state)
        return goals

    def losers(self, state: State) -> set[str]:
        """The bandits who cannot win."""
        names: set[str] = set()
        for hook in self._losers:
            names |= hook(state)
        return names

    def targets(
        self, state: State, actor: Figure, action: str, found: list[Figure]
    ) -> list[Figure]:
        """Those of the figures found that the actor may choose, in the order given."""
        for hook in self.target_filters:
            found = hook(state, actor, action, found)
        return found

    def moved(self, state: State, cause: str, movements: list[Movement]) -> None:
        """To be called when all figures that one cause moves have changed spaces."""
        for hook in self.after_movement:
            hook(state, cause, movements)

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
        if action == BULLET and figure in self.bullet_sorts:
            return SORT_RANK * 10 + self.bullet_sorts.index(figure) + 1
        order = [*self.powers, *self.card_owners]
        owner = order.index(figure) + 1 if figure in order else 0
        return (BULLET_RANK if action == BULLET else self.actions[action]) * 10 + owner


def _no_pile(deck: Deck) -> list[Card]:
    raise ValueError("no box says where played cards come to lie")


def _only_one(name: str, found: Container[str]) -> None:
    if name in found:
        raise ValueError(f"two boxes bring {name}")


def in_order(steps: list[tuple[int, Step]], instead: list[tuple[Step, Step | None]]) -> list[Step]:
    """The steps by rank, some of them replaced. Raises ValueError if one is replaced twice."""
    found = []
    for _, step in sorted(steps, key=_rank):
        others = [other for replaced, other in instead if replaced == step]
        if len(others) > 1:
            raise ValueError("two boxes replace one step")
        new = others[0] if others else step
        if new is not None:
            found.append(new)
    return found


def _rank(row: tuple[int, object]) -> int:
    return row[0]
