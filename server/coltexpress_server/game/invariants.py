"""What holds in every position of every game, whatever was chosen: the rules' work, checked.

`violations` looks at one position, a `Checker` at each position of a game and at what changed since
the last one. Both look at whole games, not at views, and only where the engine waits for a decision
or the game is over. Invariants come with the boxes they are about, so that an expansion adds its
own beside those that still hold, and a box left out takes its own along.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeVar

from coltexpress_server.game.boxes.base import Base
from coltexpress_server.game.boxes.base.round import CARD_HOME
from coltexpress_server.game.boxes.base.tables import (
    BULLETS,
    LOOT,
    PURSE,
    ROUNDS,
    STARTING_PURSE,
)
from coltexpress_server.game.boxes.expert import Expert
from coltexpress_server.game.boxes.expert.discarding import Discard
from coltexpress_server.game.boxes.horses_and_stagecoach import HorsesAndStagecoach
from coltexpress_server.game.boxes.horses_and_stagecoach import (
    invariants as horses_and_stagecoach,
)
from coltexpress_server.game.boxes.marshal import Marshal
from coltexpress_server.game.boxes.marshal.figure import MARSHAL
from coltexpress_server.game.boxes.marshal_and_prisoners import MarshalAndPrisoners
from coltexpress_server.game.boxes.marshal_and_prisoners import (
    invariants as marshal_and_prisoners,
)
from coltexpress_server.game.boxes.marshal_and_prisoners.closing import ClosingActions
from coltexpress_server.game.boxes.reshuffling import Reshuffling
from coltexpress_server.game.boxes.teams import Teams
from coltexpress_server.game.boxes.teams.borrowing import Borrowed
from coltexpress_server.game.boxes.two_players import TwoPlayers
from coltexpress_server.game.cards import BULLET, NEUTRAL, Card, RoundCard
from coltexpress_server.game.checking import (
    CHOOSE,
    DRAW,
    NOWHERE,
    REFUSE,
    ExtraInvariant,
    Invariant,
    all_tokens,
    by_seat,
    miscounted,
    place_in,
)
from coltexpress_server.game.choices import (
    Choice,
    Draw,
    FireAt,
    FloorTo,
    Keep,
    MarshalTo,
    MoveTo,
    Pass,
    Play,
    Punch,
    Rob,
    TakePurse,
)
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.loot import PUBLIC, UNKNOWN_VALUE
from coltexpress_server.game.rules import Rules
from coltexpress_server.game.state import FINISHED, SCHEMIN, STEALIN, Seat, State

T = TypeVar("T")


@dataclass(slots=True)
class StepInvariant:
    """Something that always holds between a position and the next one looked at.

    check: (the position before, the position after) -> what is wrong.
    """

    name: str
    rule: str
    check: Callable[[Snapshot, Snapshot], list[str]]


def violations(state: State) -> list[str]:
    """What is wrong with a position, as `NAME (rule): what`; empty if nothing is."""
    found = _broken(ANY_GAME, state)
    for box in state.rules.boxes:
        found += _broken(INVARIANTS.get(box.name, ()), state)
    return found


class Checker:
    """Follows one game from its start and checks every position and every step."""

    __slots__ = ("_before",)

    def __init__(self) -> None:
        self._before: Snapshot | None = None

    def check(self, state: State) -> list[str]:
        """What is wrong with this position, or with how it came out of the one checked before.

        To be called after `new_game` and after every `apply`.
        """
        found = violations(state)
        before = self._before
        after = Snapshot(state, before)
        if before is not None:
            for invariant in STEPS:
                found += [
                    f"{invariant.name} ({invariant.rule}): {what}"
                    for what in invariant.check(before, after)
                ]
            for box, extra in after.extras.items():
                for step in EXTRA_STEPS.get(box, ()):
                    found += [
                        f"{step.name} ({step.rule}): {what}"
                        for what in step.check(before.extras[box], extra)
                    ]
        self._before = after
        return found


class Snapshot:
    """What is remembered of a position, to compare with the next one.

    bullets_in_hands: how many there are.
    in_team: how many seats make a team.
    closing: whether hands are put away only when Stealin' is over.
    open: the decisions that are open by their ids, each with when it was opened.
    answered: ids of all that were open once.
    received: the givers of the bullets that each bandit received, in order.
    known: for each seat of how many tokens it knows the value.
    ransoms: whether ransoms have been paid that were in no box before.
    keep: how many cards the round card lets everybody keep.
    extras: what boxes keep of their own.
    """

    __slots__ = (
        "answered",
        "bullets_in_hands",
        "bullets_left",
        "choices",
        "closing",
        "extras",
        "first_seat",
        "in_team",
        "keep",
        "known",
        "neutral_bullets",
        "open",
        "phase",
        "ransoms",
        "received",
        "round",
        "seats",
        "tokens",
    )

    def __init__(self, state: State, before: Snapshot | None) -> None:
        self.open = {decision.id: decision.opened for decision in state.pending}
        self.answered: set[str] = set()
        if before is not None:
            self.answered = before.answered | (before.open.keys() - self.open.keys())
        self.choices = state.choices
        self.closing = _closing(state)
        self.round = state.round.number
        self.phase = state.round.phase
        self.seats = len(state.seats)
        self.in_team = sum(seat.team == state.seats[0].team for seat in state.seats)
        self.bullets_in_hands = sum(
            card.action == BULLET for deck in state.decks for card in deck.hand
        )
        self.first_seat = state.round.first_seat
        self.neutral_bullets = state.neutral_bullets
        self.bullets_left = {figure.name: figure.bullets_left for figure in state.bandits}
        self.received = {figure.name: list(figure.received) for figure in state.bandits}
        knowers = [token.known for token in all_tokens(state)]
        self.tokens = len(knowers)
        self.known = [sum(known >> seat & 1 for known in knowers) for seat in range(self.seats)]
        self.ransoms = _paid_ransoms(state)
        self.keep = state.round.card.keep if state.round.number else 0
        self.extras = {name: extra.copy() for name, extra in state.extras.items()}


def _broken(invariants: tuple[Invariant, ...], state: State) -> list[str]:
    return [
        f"{invariant.name} ({invariant.rule}): {what}"
        for invariant in invariants
        for what in invariant.check(state)
    ]


# --- decisions ------------------------------------------------------------------------------------


def _somebody_is_asked(state: State) -> list[str]:
    if state.finished:
        return ["a finished game waits for something"] if state.pending or state.stack else []
    return [] if state.pending else ["nobody is asked and the game is not over"]


def _askable(state: State) -> list[str]:
    found = []
    asked: set[int] = set()
    for decision in state.pending:
        if not 0 <= decision.seat < len(state.seats):
            found.append(f"seat {decision.seat} is asked, which is not at the table")
        elif decision.figure not in state.seats[decision.seat].figures:
            found.append(f"seat {decision.seat} is asked for {decision.figure}, not its own")
        if decision.seat in asked:
            found.append(f"seat {decision.seat} is asked twice at once")
        asked.add(decision.seat)
        if not 0 <= decision.opened <= state.choices:
            found.append(f"decision {decision.id} was opened at a choice that never was")
        if decision.opened != state.pending[0].opened:
            found.append(f"decision {decision.id} is open beside one of another time")
    return found


def _something_to_choose(state: State) -> list[str]:
    found = []
    for decision in state.pending:
        options = decision.options
        if not options:
            found.append(f"{decision.kind} has no options")
        elif len(options) == 1 and not decision.asked_anyway:
            found.append(f"{decision.kind} has one option that everybody can see is the only one")
        if len(set(options)) < len(options):
            found.append(f"{decision.kind} has the same option twice")
    return found


def _in_canonical_order(state: State) -> list[str]:
    found = []
    for decision in state.pending:
        places = [place(state, decision, option) for option in decision.options]
        if places != sorted(places):
            texts = ", ".join(option.text for option in decision.options)
            found.append(f"the options of {decision.kind} are out of order: {texts}")
    return found


def _sets_are_of_members(state: State) -> list[str]:
    """Where a set may be chosen, the first of it and nothing are written out, nothing else is."""
    found = []
    for decision in state.pending:
        members = tuple(decision.members)
        if any(isinstance(option, Keep) for option in decision.options):
            most = members[: decision.most]
            if decision.options != [Keep(cards) for cards in dict.fromkeys((most, ()))]:
                found.append(f"{decision.kind} has other options than the first and nothing")
        elif members:
            found.append(f"{decision.kind} has members and is not about a set")
    return found


def _in_round(state: State) -> list[str]:
    current = state.round
    found: list[str] = []
    if current.number == 0:
        opening = state.stack[-1].op if state.stack else ""
        return [] if opening in state.rules.openings else ["no round has begun"]
    if current.phase not in {SCHEMIN, STEALIN, FINISHED}:
        found.append(f"there is no phase {current.phase}")
    if not 1 <= current.number <= len(current.cards):
        found.append(f"there is no round {current.number}")
    elif not 0 <= current.turn < len(current.card.turns):
        found.append(f"there is no turn {current.turn} in this round")
    if not 0 <= current.first_seat < len(state.seats):
        found.append(f"the first player is seat {current.first_seat}, which is not at the table")
    return found


def _stack_runs(state: State) -> list[str]:
    found = []
    for frame in state.stack:
        if frame.op not in state.rules.ops:
            found.append(f"there is no op {frame.op}")
        if frame.actor and frame.actor not in state.figures:
            found.append(f"{frame.op} waits for {frame.actor}, who is not in this game")
    return found


# --- figures, cards, loot -------------------------------------------------------------------------


def _on_the_train(state: State) -> list[str]:
    found = [
        f"{figure.name} stands on {figure.space}, which is no space"
        for figure in state.figures.values()
        if figure.space not in state.train.order and figure.space not in state.rules.off_the_board
    ]
    found += [
        f"loot lies on {space}, which is no space"
        for space in state.spaces
        if space not in state.train.order
    ]
    return found


def _one_card_one_object(state: State) -> list[str]:
    return [
        f"a card {card.figure}.{card.action} is not the one of these rules"
        for card in _all_cards(state)
        if state.rules.cards.get((card.figure, card.action)) is not card
    ]


def _hands_sorted(state: State) -> list[str]:
    found = []
    for number, deck in enumerate(state.decks):
        ranks = [card.rank for card in deck.hand]
        if ranks != sorted(ranks):
            found.append(f"the hand of deck {number} is out of order")
    return found


def _tokens_once(state: State) -> list[str]:
    seen: set[int] = set()
    found = []
    for token in all_tokens(state):
        if id(token) in seen:
            found.append(f"one {token.text} is in two places")
        seen.add(id(token))
    return found


def _no_empty_heaps(state: State) -> list[str]:
    return [
        f"an empty heap is kept for {space}" for space in state.spaces if not state.spaces[space]
    ]


def _owners_know(state: State) -> list[str]:
    return [
        f"{figure.name} does not know what an own {token.text} is worth"
        for figure in state.bandits
        for token in figure.loot
        if state.rules.loot[token.kind].owner_learns and not token.known_to(figure.seat)
    ]


def _knowers_exist(state: State) -> list[str]:
    everybody = (1 << len(state.seats)) - 1
    found = []
    for token in all_tokens(state):
        if token.known != PUBLIC and token.known & ~everybody:
            found.append(f"somebody who is not at the table knows a {token.text}")
        how = state.rules.loot[token.kind]
        if token.known != PUBLIC and how.owner_learns and not how.told_apart:
            found.append(f"the value of a {token.text} is not public")
        if token.value == UNKNOWN_VALUE:
            found.append(f"a {token.text} has no value")
    return found


# --- the base box ---------------------------------------------------------------------------------


def _loot_complete(state: State) -> list[str]:
    own = [token for token in all_tokens(state) if token.kind in LOOT]
    counts = dict(Counter([(token.kind, token.value) for token in own]))
    expected = {
        (kind, value): count
        for kind, counted in state.rules.tokens.items()
        if kind in LOOT
        for value, count in counted.items()
    }
    # Ransoms are paid even when the box has no $250 purse left (1.8.7).
    ransoms = counts.get((PURSE, STARTING_PURSE), 0) - expected[PURSE, STARTING_PURSE]
    if 0 < ransoms <= len(state.bandits) and _paid_ransoms(state):
        expected[PURSE, STARTING_PURSE] += ransoms
    return [
        f"{there} {kind} of ${value} in the game, not {due}"
        for (kind, value), there, due in miscounted(counts, expected)
    ]


def _paid_ransoms(state: State) -> bool:
    """Whether the event is over, so that they may have been; a box may end the round after it."""
    box = any(token.kind == PURSE and token.value == STARTING_PURSE for token in state.box)
    over = state.round.phase in {STEALIN, FINISHED} and not state.pile
    return not box and over and state.round.card.event == "HOSTAGE_CONDUCTOR"


def _action_cards_complete(state: State) -> list[str]:
    counts = dict(Counter([card for card in _all_cards(state) if card.action != BULLET]))
    expected = _action_cards(state.rules, tuple([tuple(seat.figures) for seat in state.seats]))
    return [
        f"{there} cards {card.figure}.{card.action} in the game, not {due}"
        for card, there, due in miscounted(counts, expected)
    ]


@cache
def _action_cards(rules: Rules, seats: tuple[tuple[str, ...], ...]) -> dict[Card, int]:
    cards = [
        rules.card(*words)
        for figures in seats
        for words in rules.seating.deck(list(figures), rules.deck)
    ]
    return dict(Counter(cards))


def _cards_with_their_owners(state: State) -> list[str]:
    """Partners may have each other's cards, nobody else may (2.3.2)."""
    found = []
    figures: dict[int, list[str]] = {}
    for seat in state.seats:
        figures.setdefault(seat.team, []).extend(seat.figures)
    for number, seat in enumerate(state.seats):
        found += [
            f"seat {number} has a card {card.figure}.{card.action}"
            for card in _cards_of(state, seat)
            if card.action != BULLET and card.figure not in figures[seat.team]
        ]
    found += [
        f"seat {played.seat} has played a card of {played.card.figure}"
        for played in state.pile
        if played.card.figure not in figures[state.seats[played.seat].team]
    ]
    return found


def _bullets_received_are_held(state: State) -> list[str]:
    """By those who received them or by their partners (2.3.2)."""
    held: dict[int, list[str]] = {seat.team: [] for seat in state.seats}
    received: dict[int, list[str]] = {seat.team: [] for seat in state.seats}
    for seat in state.seats:
        held[seat.team] += [card.figure for card in _cards_of(state, seat) if card.action == BULLET]
        for name in seat.figures:
            bullets = state.rules.bullets_held(state, state.figures[name])
            received[seat.team] += [card.figure for card in bullets]
    found = [
        f"team {team} holds bullets of {sorted(held[team])}, received were {sorted(received[team])}"
        for team in held
        if sorted(held[team]) != sorted(received[team])
    ]
    found += ["a bullet lies on the pile" for played in state.pile if played.card.action == BULLET]
    return found


def _own_bullets_complete(state: State) -> list[str]:
    found = []
    for figure in state.bandits:
        given = sum(other.received.count(figure.name) for other in state.figures.values())
        if figure.bullets_left < 0 or figure.bullets_left + given != BULLETS:
            found.append(f"{figure.name} has {figure.bullets_left} bullets left and gave {given}")
    return found


def _neutral_bullets_complete(state: State) -> list[str]:
    given = sum(figure.received.count(NEUTRAL) for figure in state.bandits)
    if state.neutral_bullets == 0:  # nothing left, or the rest has left the game (1.6.8)
        return (
            [] if given <= state.rules.neutral_bullets else [f"{given} neutral bullets were given"]
        )
    if state.neutral_bullets + given == state.rules.neutral_bullets:
        return []
    return [f"{state.neutral_bullets} neutral bullets are left and {given} were given"]


def _round_deck_built(state: State) -> list[str]:
    ordinary, stations = _round_cards(state.rules, len(state.bandits))
    cards = state.round.cards
    found = []
    if len(cards) != ROUNDS:
        found.append(f"{len(cards)} round cards, not {ROUNDS}")
    if len({card.name for card in cards}) < len(cards):
        found.append("a round card is there twice")
    if any(card not in ordinary for card in cards[:-1]):
        found.append("one of the first round cards is none of the ordinary ones")
    if cards and cards[-1] not in stations:
        found.append("the last round card is no station")
    return found


@cache
def _round_cards(rules: Rules, bandits: int) -> tuple[list[RoundCard], list[RoundCard]]:
    return rules.round_cards(bandits)


# --- the Marshal nobody plays ---------------------------------------------------------------------


def _marshal_inside(state: State) -> list[str]:
    space = state.figures[MARSHAL].space
    return [] if space in state.train.inside else [f"the Marshal stands on {space}"]


def _nobody_with_the_marshal(state: State) -> list[str]:
    space = state.figures[MARSHAL].space
    return [
        f"{figure.name} is inside with the Marshal"
        for figure in state.bandits
        if figure.space == space
    ]


# --- the two ways with hands ----------------------------------------------------------------------


def _hands_empty_at_stealin(state: State) -> list[str]:
    """But for what the round card lets everybody keep (3.7.2), and for closing cards (4.16)."""
    if _closing(state):
        return []
    if state.round.phase not in {STEALIN, FINISHED}:
        return []
    kept = state.round.card.keep if state.round.number < ROUNDS else 0
    return [
        f"{len(deck.hand)} cards of deck {number} are in hand after Schemin'"
        for number, deck in enumerate(state.decks)
        if len(deck.hand) > kept
    ]


def _closing(state: State) -> bool:
    """Whether cards left over stay in hand until Stealin' is over."""
    return any(box.name == ClosingActions.name for box in state.rules.boxes)


def _no_discards(state: State) -> list[str]:
    return [
        f"seat {number} has discards"
        for number, seat in enumerate(state.seats)
        if state.decks[seat.deck].discards
    ]


def _cards_to_keep(state: State) -> list[str]:
    """Those asked at the end of Schemin' may keep all action cards in hand; nobody is passed over.

    Who has answered is known by the frame's answers.
    """
    asked = {decision.seat: decision for decision in state.pending if decision.kind == Discard.name}
    if not asked:
        return []
    found = []
    answered = state.stack[-1].answers or {}
    for number, seat in enumerate(state.seats):
        hand = state.decks[seat.deck].hand
        if (number in asked) + (number in answered) != bool(hand):
            found.append(f"seat {number} with {len(hand)} cards in hand is not asked once")
        if number in asked:
            actions = [card.action for card in hand if card.action != BULLET]
            named = [member.rpartition(".")[2] for member in asked[number].members]
            if named != actions:
                found.append(f"seat {number} may keep {named}, it has {actions}")
    return found


# --- two players, teams ---------------------------------------------------------------------------


def _mixed_decks(state: State) -> list[str]:
    """One card of each kind of each bandit, and one MARSHAL a seat (2.2.2)."""
    cards = 2 * len(set(state.rules.deck)) - 1
    counts = Counter([card for card in _all_cards(state) if card.action != BULLET])
    found = [
        f"there are {count} cards {card.figure}.{card.action}"
        for card, count in counts.items()
        if count > 1
    ]
    for number, seat in enumerate(state.seats):
        own = [card for card in counts.elements() if card.figure in seat.figures]
        if len(own) != cards:
            found.append(f"seat {number} has {len(own)} action cards, not {cards}")
    return found


def _borrowed_are_held(state: State) -> list[str]:
    """Cards borrowed secretly are in the borrower's hand, or face down on the pile (2.3.2)."""
    borrowed = state.extras.get(Borrowed.name)
    if not isinstance(borrowed, Borrowed):
        return ["nothing is kept of what is borrowed"]
    found = []
    for seat, cards in borrowed.cards.items():
        hidden = [played.card for played in state.pile if played.seat == seat and played.face_down]
        hidden += state.decks[state.seats[seat].deck].hand
        if any(cards.count(card) > hidden.count(card) for card in cards):
            found.append(f"seat {seat} has borrowed a card that it has not")
    return found


# --- from step to step ----------------------------------------------------------------------------


def _choices_counted(before: Snapshot, after: Snapshot) -> list[str]:
    made = after.choices - before.choices
    return [] if made == 1 else [f"{made} choices were counted for one"]


def _decisions_stay_closed(before: Snapshot, after: Snapshot) -> list[str]:
    return [
        f"decision {name} is open again" for name in sorted(after.open.keys() & before.answered)
    ]


def _decisions_open_now(before: Snapshot, after: Snapshot) -> list[str]:
    return [
        f"decision {name} is open as if it had been before"
        for name, opened in after.open.items()
        if name not in before.open and opened != after.choices
    ]


def _rounds_follow(before: Snapshot, after: Snapshot) -> list[str]:
    rounds = after.round - before.round
    if rounds not in {0, 1}:
        return [f"round {before.round} was followed by round {after.round}"]
    if before.round == 0:  # before the first one nobody is first player yet
        return []
    if after.first_seat != (before.first_seat + rounds * after.in_team) % after.seats:
        return [f"seat {before.first_seat} was followed as first player by {after.first_seat}"]
    return []


def _bullets_stay_given(before: Snapshot, after: Snapshot) -> list[str]:
    found = []
    for name, received in before.received.items():
        if after.received[name][: len(received)] != received:
            found.append(f"{name} lost a bullet received")
        if after.bullets_left[name] > before.bullets_left[name]:
            found.append(f"{name} got an own bullet back")
    return found


def _neutral_pile_shrinks(before: Snapshot, after: Snapshot) -> list[str]:
    given = sum(
        after.received[name].count(NEUTRAL) - before.received[name].count(NEUTRAL)
        for name in before.received
    )
    if after.neutral_bullets > before.neutral_bullets:
        return [f"{before.neutral_bullets} neutral bullets became {after.neutral_bullets}"]
    if given > before.neutral_bullets:
        return [f"{given} neutral bullets came out of a pile of {before.neutral_bullets}"]
    return []


def _tokens_stay(before: Snapshot, after: Snapshot) -> list[str]:
    if after.tokens != before.tokens and not after.ransoms:
        return [f"{before.tokens} loot tokens became {after.tokens}"]
    return []


def _knowledge_stays(before: Snapshot, after: Snapshot) -> list[str]:
    return [
        f"seat {seat} knew {knew} loot tokens and knows {knows}"
        for seat, (knew, knows) in enumerate(zip(before.known, after.known, strict=True))
        if knows < knew
    ]


def _bullets_leave_hands(before: Snapshot, after: Snapshot) -> list[str]:
    """Nobody keeps more bullets after Schemin' than the round card lets him keep cards.

    In the last round nothing is put away; with closing actions it is later.
    """
    at_stealin = (before.phase, after.phase) == (SCHEMIN, STEALIN) and not after.closing
    if at_stealin and after.round < ROUNDS and after.bullets_in_hands > after.keep * after.seats:
        return [f"{after.bullets_in_hands} bullets were kept in hand"]
    return []


ANY_GAME: Final = (
    Invariant("SOMEBODY_IS_ASKED", "1.9.1", _somebody_is_asked),
    Invariant("ASKABLE", "1.5.6", _askable),
    Invariant("SOMETHING_TO_CHOOSE", "1.5.8", _something_to_choose),
    Invariant("CANONICAL_ORDER", "7", _in_canonical_order),
    Invariant("SETS_ARE_OF_MEMBERS", "2.1.4", _sets_are_of_members),
    Invariant("IN_ROUND", "1.5", _in_round),
    Invariant("STACK_RUNS", "1.5.6", _stack_runs),
    Invariant("ON_THE_TRAIN", "1.1.3", _on_the_train),
    Invariant("ONE_CARD_ONE_OBJECT", "1.3.1", _one_card_one_object),
    Invariant("HANDS_SORTED", "7", _hands_sorted),
    Invariant("TOKENS_ONCE", "1.2.3", _tokens_once),
    Invariant("NO_EMPTY_HEAPS", "1.2.3", _no_empty_heaps),
    Invariant("OWNERS_KNOW", "1.2.3", _owners_know),
    Invariant("KNOWERS_EXIST", "1.2.3", _knowers_exist),
)
"""Hold whatever boxes a game is made of."""

INVARIANTS: Final[dict[str, tuple[Invariant, ...]]] = {
    Base.name: (
        Invariant("LOOT_COMPLETE", "1.2.1", _loot_complete),
        Invariant("ACTION_CARDS_COMPLETE", "1.3.1", _action_cards_complete),
        Invariant("CARDS_WITH_THEIR_OWNERS", "1.5.6", _cards_with_their_owners),
        Invariant("BULLETS_RECEIVED_ARE_HELD", "1.3.2", _bullets_received_are_held),
        Invariant("OWN_BULLETS_COMPLETE", "1.3.2", _own_bullets_complete),
        Invariant("NEUTRAL_BULLETS_COMPLETE", "1.6.8", _neutral_bullets_complete),
        Invariant("ROUND_DECK_BUILT", "1.4.3", _round_deck_built),
    ),
    Marshal.name: (
        Invariant("MARSHAL_INSIDE", "1.6.3", _marshal_inside),
        Invariant("NOBODY_WITH_THE_MARSHAL", "1.6.7", _nobody_with_the_marshal),
    ),
    Reshuffling.name: (
        Invariant("HANDS_EMPTY_AT_STEALIN", "1.5.5", _hands_empty_at_stealin),
        Invariant("NO_DISCARDS", "1.5.6", _no_discards),
    ),
    Expert.name: (Invariant("CARDS_TO_KEEP", "2.1.4", _cards_to_keep),),
    TwoPlayers.name: (Invariant("MIXED_DECKS", "2.2.2", _mixed_decks),),
    Teams.name: (Invariant("BORROWED_ARE_HELD", "2.3.2", _borrowed_are_held),),
    HorsesAndStagecoach.name: horses_and_stagecoach.INVARIANTS,
    MarshalAndPrisoners.name: marshal_and_prisoners.INVARIANTS,
}
"""Hold where the box of this name is in the game."""

STEPS: Final = (
    StepInvariant("CHOICES_COUNTED", "6", _choices_counted),
    StepInvariant("DECISIONS_STAY_CLOSED", "1.5.6", _decisions_stay_closed),
    StepInvariant("DECISIONS_OPEN_NOW", "1.5.6", _decisions_open_now),
    StepInvariant("ROUNDS_FOLLOW", "1.5.7", _rounds_follow),
    StepInvariant("BULLETS_STAY_GIVEN", "1.3.2", _bullets_stay_given),
    StepInvariant("NEUTRAL_PILE_SHRINKS", "1.6.8", _neutral_pile_shrinks),
    StepInvariant("TOKENS_STAY", "1.2.3", _tokens_stay),
    StepInvariant("KNOWLEDGE_STAYS", "1.2.3", _knowledge_stays),
    StepInvariant("BULLETS_LEAVE_HANDS", "2.1.4", _bullets_leave_hands),
)
"""Hold between a position and the one after the next choice."""

EXTRA_STEPS: Final[dict[str, tuple[ExtraInvariant, ...]]] = {
    HorsesAndStagecoach.name: horses_and_stagecoach.STEPS,
    MarshalAndPrisoners.name: marshal_and_prisoners.STEPS,
}
"""Hold between what a box keeps of its own in a position and in the one after the next choice."""


# --- what is where --------------------------------------------------------------------------------


def _all_cards(state: State) -> list[Card]:
    """Every card: in decks, in hands, discarded, on the pile, on its way home."""
    cards = [played.card for played in state.pile]
    for seat in state.seats:
        cards += _cards_of(state, seat)
    for frame in state.stack:
        if frame.op == CARD_HOME and frame.card is not None:
            cards.append(frame.card)
    return cards


def _cards_of(state: State, seat: Seat) -> list[Card]:
    """What a seat has in its deck, in its hand and on its discard pile."""
    deck = state.decks[seat.deck]
    return deck.cards + deck.hand + deck.discards


# --- the canonical order --------------------------------------------------------------------------

_LOOT_ORDER: Final = (
    *("STRONGBOX", "MAILBAG", "JEWEL", "PURSE"),
    *("FLASK", "HALF_FLASK", "HALF_OLD_FLASK"),
)

_ACTION_ORDER: Final = (
    *("MOVE", "MOVE_PLUS", "FLOOR_CHANGE", "FLOOR_CHANGE_PLUS", "FIRE", "ROBBERY", "PUNCH"),
    *("MARSHAL", "CAPTURE", "RIDE", "BRILLIANT_IDEA"),
)


def place(state: State, decision: Decision, choice: Choice) -> tuple[int, ...]:
    """Where a choice stands among those of its decision, by section 7 of RULES.md.

    The tuples of choices that can meet in one decision compare. Cards are in the order of the box:
    by action, then by the bandit they belong to.
    """
    if isinstance(choice, Play):
        action = place_in(_ACTION_ORDER, choice.action)
        owner = place_in(tuple(state.rules.powers), choice.figure or decision.figure)
        return (CHOOSE, action, owner, int(choice.face_down))
    if isinstance(choice, Keep):
        return (CHOOSE, -len(choice.cards))
    if isinstance(choice, MoveTo):
        return (CHOOSE, state.train.order.get(choice.space, NOWHERE))
    if isinstance(choice, FloorTo):
        return (CHOOSE, state.train.order.get(choice.space, NOWHERE))
    if isinstance(choice, FireAt):
        return (CHOOSE, by_seat(state, choice.figure))
    if isinstance(choice, Rob):
        return (CHOOSE, place_in(_LOOT_ORDER, choice.loot), _by_value(choice.value))
    if isinstance(choice, Punch):
        return (
            CHOOSE,
            by_seat(state, choice.figure),
            place_in(_LOOT_ORDER, choice.drop),
            state.train.order.get(choice.space, NOWHERE),
            int(choice.keep),
        )
    if isinstance(choice, MarshalTo):
        return (CHOOSE, choice.car)
    if isinstance(choice, TakePurse):
        return (CHOOSE, _by_value(choice.value))
    if isinstance(choice, Draw):
        return (DRAW,)
    if isinstance(choice, Pass):
        return (REFUSE,)
    return (
        horses_and_stagecoach.place(state, decision, choice)
        or marshal_and_prisoners.place(state, decision, choice)
        or (NOWHERE,)
    )


def _by_value(value: int) -> int:
    return NOWHERE if value == UNKNOWN_VALUE else value
