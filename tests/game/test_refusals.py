"""Whatever is not offered is refused: the reason is true, names its rule and betrays nothing."""

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest

from coltexpress_server.game.cards import BULLET
from coltexpress_server.game.choices import (
    DRAW,
    PASS,
    Choice,
    FireAt,
    FloorTo,
    Keep,
    MarshalTo,
    MoveTo,
    Play,
    Punch,
    Rob,
    TakePurse,
)
from coltexpress_server.game.codec import encode_state
from coltexpress_server.game.decisions import Decision, IllegalChoice
from coltexpress_server.game.engine import apply, check
from coltexpress_server.game.loot import UNKNOWN_VALUE
from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.game.state import Figure, State
from tests.game.random_games import EXPERT, TEAMS, positions
from tests.game.twins import twin

RULES = (Path(__file__).resolve().parents[2] / "docs" / "RULES.md").read_text("utf-8")
PARAGRAPHS = frozenset(re.findall(r"^- ([0-9]+(?:\.[0-9]+)+)\.? ", RULES, re.MULTILINE))

ERRORS = Path(__file__).resolve().parents[2] / "protos" / "coltexpress" / "v1" / "error.proto"

TABLES = (
    *((STANDARD, players) for players in (3, 4, 5, 6)),
    *((EXPERT, players) for players in (2, 4)),
    *((TEAMS, players) for players in (4, 6)),
)
"""Variants and numbers of players."""
GAMES = 16
OF_EACH_SITUATION = 3

BANDITS = ("GHOST", "CHEYENNE", "DJANGO", "BELLE", "TUCO", "DOC")
FIGURES = (*BANDITS, "MARSHAL", "SHOTGUN", "doc", "")
CARDS = (
    "MOVE",
    "FLOOR_CHANGE",
    "FIRE",
    "ROBBERY",
    "PUNCH",
    "MARSHAL",
    BULLET,
    "RIDE",
    "HIDDEN",
    "",
)
LOOT = ("STRONGBOX", "JEWEL", "PURSE", "FLASK", "")
VALUES = (UNKNOWN_VALUE, 0, 250, 300, 350, 400, 450, 500, 1000)
NO_SPACES = ("", "3", "roof", "1.cellar", "stagecoach.roof", "0.INSIDE")

# What can be refused of each verb when each kind of decision is open, and by which paragraph.
# A decision takes no other verb than its own and DRAW in Schemin', PASS in PICKPOCKETING; PASS is
# told to be against a compulsion, but where something can be chosen freely.
OWN: dict[tuple[str, str], set[tuple[str, str]]] = {
    ("SCHEME", "play"): {
        ("BULLET_NOT_PLAYABLE", "1.3.2"),
        ("NO_SUCH_CARD", "1.3.1"),
        ("CARD_NOT_IN_HAND", "1.5.2"),
        ("NOT_OFFERED", "1.4.1"),
        ("NOT_OFFERED", "2.2.2"),
        ("FACE_DOWN_NOT_A_CHOICE", "1.5.3"),
        ("FACE_DOWN_NOT_ALLOWED", "1.7.1"),
    },
    ("SCHEME", "draw"): set(),
    ("SCHEME", "pass"): {("COMPULSORY", "1.5.2")},
    ("DISCARD", "keep"): {
        ("BULLET_NOT_PLAYABLE", "2.1.4"),
        ("CARD_NOT_IN_HAND", "2.1.4"),
    },
    ("MOVE", "move"): {
        ("NO_SUCH_SPACE", "1.1.2"),
        ("STAYING_NOT_ALLOWED", "1.6.1"),
        ("WRONG_LEVEL", "1.6.1"),
        ("OUT_OF_REACH", "1.6.1"),
    },
    ("MARSHAL", "marshal"): {("NO_SUCH_SPACE", "1.1.1"), ("OUT_OF_REACH", "1.6.3")},
    ("FIRE", "fire"): {
        ("NO_SUCH_FIGURE", "1.4.1"),
        ("NOT_A_TARGET", "1.6.4"),
        ("NOT_IN_SIGHT", "1.6.4"),
        ("TARGET_PROTECTED", "1.7.4"),
    },
    ("ROBBERY", "rob"): {
        ("NO_SUCH_LOOT", "1.2.1"),
        ("LOOT_NOT_HERE", "1.6.5"),
        ("VALUE_KNOWN", "1.2.4"),
        ("VALUE_NOT_KNOWN", "1.2.4"),
    },
    ("PUNCH", "punch"): {
        ("NO_SUCH_FIGURE", "1.4.1"),
        ("NOT_A_TARGET", "1.6.6"),
        ("NOT_IN_YOUR_SPACE", "1.6.6"),
        ("TARGET_PROTECTED", "1.7.4"),
        ("NO_SUCH_LOOT", "1.2.1"),
        ("LOOT_NOT_OWNED", "1.6.6"),
        ("NO_SUCH_SPACE", "1.1.2"),
        ("OUT_OF_REACH", "1.6.6"),
        ("KEEP_NOT_ALLOWED", "1.7.2"),
    },
    ("PICKPOCKETING", "take"): {("VALUE_KNOWN", "1.2.4"), ("VALUE_NOT_KNOWN", "1.2.4")},
    ("PICKPOCKETING", "pass"): set(),
}
ABOUT = {
    "SCHEME": "1.5.2",
    "DISCARD": "2.1.4",
    "MOVE": "1.6.1",
    "MARSHAL": "1.6.3",
    "FIRE": "1.6.4",
    "ROBBERY": "1.6.5",
    "PUNCH": "1.6.6",
    "PICKPOCKETING": "1.8.5",
}
"""The paragraph about each kind of decision."""


def expected(kind: str, verb: str) -> set[tuple[str, str]]:
    """All reasons and rules by which a choice of this verb can be refused."""
    if (kind, verb) in OWN:
        return OWN[kind, verb]
    if verb == "pass" and kind != "DISCARD":
        return {("COMPULSORY", "1.5.6")}
    return {("WRONG_CHOICE", ABOUT[kind])}


def everything(state: State, kind: str) -> list[Choice]:
    """Every choice that can be expressed about this train, and some about none.

    Of the verbs that do not answer this kind of decision, whose fields nobody looks at, one in ten.
    """
    cars = range(-1, state.train.caboose + 3)
    spaces = [f"{car}.{level}" for car in cars for level in ("inside", "roof")]
    spaces += NO_SPACES
    by_verb: list[list[Choice]] = [
        [DRAW],
        [PASS],
        [
            Play(figure, card, hide)
            for figure in FIGURES
            for card in CARDS
            for hide in (False, True)
        ],
        [MoveTo(space) for space in spaces],
        [FloorTo(space) for space in spaces],
        [MarshalTo(car) for car in cars],
        [FireAt(figure) for figure in FIGURES],
        [Rob(loot, value) for loot in LOOT for value in VALUES],
        [TakePurse(value) for value in VALUES],
        [
            Punch(figure, loot, space, keep)
            for figure in FIGURES
            for loot in LOOT
            for space in spaces
            for keep in (False, True)
        ],
        sets_of_cards(state),
    ]
    return [
        choice
        for choices in by_verb
        for choice in (choices if (kind, choices[0].verb) in OWN else choices[::10])
    ]


def sets_of_cards(state: State) -> list[Choice]:
    """Sets of one or two cards, and those that can be made of the cards that may be kept."""
    names = [*CARDS, *(f"{figure}.{card}" for figure in BANDITS for card in CARDS)]
    sets = [(), *((name,) for name in names)]
    sets += [(one, other) for one in names[: len(CARDS)] for other in names]
    for decision in state.pending:
        members = tuple(decision.members)
        sets += [members, members[::-1], members + members, (*members, BULLET)]
        sets += [members[:place] + members[place + 1 :] for place in range(len(members))]
    return [Keep(cards) for cards in sets]


@cache
def sample(options: Options, players: int) -> tuple[State, ...]:
    """Positions of random games: some of every situation that the refusals tell apart."""
    found: dict[tuple[object, ...], list[State]] = {}
    for seed in range(GAMES):
        for state in positions(players, seed, options=options):
            if not state.finished:
                kept = found.setdefault(situation(state), [])
                if len(kept) < OF_EACH_SITUATION:
                    kept.append(state.copy())
    return tuple(state for kept in found.values() for state in kept)


def situation(state: State) -> tuple[object, ...]:
    decision = state.pending[0]
    actor = state.figures[decision.figure]
    if decision.kind == "DISCARD":
        return decision.kind, len(state.pending), len(decision.members)
    if decision.kind == "SCHEME":
        turns = state.round.card.turns
        ghost = "GHOST" in state.seats[decision.seat].figures
        return decision.kind, turns[state.round.turn], ghost and state.round.turn == 0
    if decision.kind in {"ROBBERY", "PICKPOCKETING"}:
        return decision.kind, len(decision.options)
    belle = any(figure.name == "BELLE" for figure in state.bandits)
    return decision.kind, actor.space.split(".")[1], actor.name == "CHEYENNE", belle


@cache
def refused(options: Options, players: int) -> frozenset[tuple[str, str, str, str]]:
    """Decision, verb, reason and rule of every refusal met, each shown to be true and harmless."""
    met: set[tuple[str, str, str, str]] = set()
    for state in sample(options, players):
        pending = list(state.pending)
        decision = pending[0]
        before = encode_state(state)
        for choice in everything(state, decision.kind):
            if decision.allows(choice):
                assert check(state, decision.seat, choice) is decision
                continue
            refusal = refusal_of(state, decision.seat, choice)
            met.add((decision.kind, choice.verb, refusal.reason, refusal.rule))
            assert (refusal.reason, refusal.rule) in expected(decision.kind, choice.verb), (
                f"{choice.text} for {decision.kind} of {decision.figure}: {refusal}"
            )
            assert refusal.rule in PARAGRAPHS
            assert refusal.message
            assert TRUE[refusal.reason](state, decision, choice), f"{choice.text}: {refusal}"
        assert encode_state(state) == before
        assert state.pending == pending
    return frozenset(met)


@pytest.mark.parametrize(("options", "players"), TABLES)
def test_what_is_not_offered_is_refused_for_a_true_reason_and_changes_nothing(
    options: Options, players: int
) -> None:
    assert refused(options, players)


def test_every_kind_of_decision_and_every_reason_is_met() -> None:
    verbs = {choice.verb for choice in everything(sample(STANDARD, 3)[0], "")}
    met = {row for options, players in TABLES for row in refused(options, players)}
    assert met == {
        (kind, verb, reason, rule)
        for kind in ABOUT
        for verb in verbs
        for reason, rule in expected(kind, verb)
    }


def test_every_reason_is_one_of_the_api() -> None:
    known = set(re.findall(r"ERROR_REASON_([A-Z_]+) =", ERRORS.read_text("utf-8")))
    assert {"NOT_YOUR_DECISION", "GAME_OVER", *TRUE} <= known


@pytest.mark.parametrize(("options", "players"), TABLES)
def test_whoever_is_not_asked_is_refused_whatever_he_chooses(
    options: Options, players: int
) -> None:
    for state in sample(options, players):
        decision = state.pending[0]
        asked = {decision.seat for decision in state.pending}
        rule = "1.5.2" if state.round.phase == "SCHEMIN" else "1.5.6"
        before = encode_state(state)
        for seat in (-1, *range(players), players, 15):
            if seat not in asked:
                for choice in [*decision.options, DRAW, PASS, MoveTo("1.roof"), FireAt("DOC")]:
                    refusal = refusal_of(state, seat, choice)
                    assert (refusal.reason, refusal.rule) == ("NOT_YOUR_DECISION", rule)
        assert encode_state(state) == before


@pytest.mark.parametrize(("options", "players"), TABLES)
def test_after_the_end_everything_is_refused(options: Options, players: int) -> None:
    *_, state = positions(players, seed=7, options=options)
    assert state.finished
    before = encode_state(state)
    for seat in range(players):
        for choice in everything(state, ""):
            refusal = refusal_of(state, seat, choice)
            assert (refusal.reason, refusal.rule) == ("GAME_OVER", "1.9.1")
    assert encode_state(state) == before


@pytest.mark.parametrize(("options", "players"), TABLES)
def test_no_refusal_depends_on_what_the_seat_may_not_know(options: Options, players: int) -> None:
    chance = Random(players)
    told_apart = 0
    for state in sample(options, players):
        decision = state.pending[0]
        other = twin(state, [decision.seat], chance)
        told_apart += encode_state(other) != encode_state(state)
        assert other.pending[0].options == decision.options
        for choice in everything(state, decision.kind):
            if not decision.allows(choice):
                assert said(state, decision.seat, choice) == said(other, decision.seat, choice)
    assert told_apart == len(sample(options, players))


@pytest.mark.parametrize(("options", "players"), TABLES)
def test_no_refusal_tells_another_seat_what_it_may_not_know(options: Options, players: int) -> None:
    chance = Random(players)
    for state in sample(options, players):
        decision = state.pending[0]
        seat = (decision.seat + 1) % players
        if any(decision.seat == seat for decision in state.pending):
            continue
        other = twin(state, [seat], chance)
        for choice in [*decision.options, *other.pending[0].options, DRAW, PASS]:
            assert said(state, seat, choice) == said(other, seat, choice)


def refusal_of(state: State, seat: int, choice: Choice) -> IllegalChoice:
    try:
        apply(state, seat, choice)
    except IllegalChoice as refusal:
        return refusal
    raise AssertionError(f"{choice.text} of seat {seat} is accepted")


def said(state: State, seat: int, choice: Choice) -> tuple[str, str, str, str]:
    """All that a refusal says."""
    refusal = refusal_of(state, seat, choice)
    return refusal.reason, refusal.rule, refusal.message, str(refusal)


# --- what each reason claims, told from the state alone -------------------------------------------


def parts(space: str) -> tuple[int, str]:
    car, _, level = space.partition(".")
    return int(car), level


def is_space(state: State, space: str) -> bool:
    return space in [*state.train.inside, *state.train.roof]


def actor_of(state: State, decision: Decision) -> Figure:
    return state.figures[decision.figure]


def named_figure(choice: Choice) -> str:
    assert isinstance(choice, FireAt | Punch)
    return choice.figure


def named_space(choice: Choice) -> str:
    assert isinstance(choice, MoveTo | Punch)
    return choice.space


def card_in_hand(state: State, decision: Decision, choice: Choice) -> bool:
    hand = state.decks[decision.seat].hand
    if isinstance(choice, Keep):
        return not Counter(choice.cards) - Counter(decision.members)
    assert isinstance(choice, Play)
    return (choice.figure or decision.figure, choice.action) in {
        (card.figure, card.action) for card in hand
    }


def purses_here(state: State, decision: Decision) -> list[int]:
    """Values of the purses here as the seat knows them."""
    return [
        token.value if token.known_to(decision.seat) else UNKNOWN_VALUE
        for token in state.spaces.get(actor_of(state, decision).space, [])
        if token.kind == "PURSE"
    ]


def purse_value(choice: Choice) -> int:
    assert isinstance(choice, Rob | TakePurse)
    assert isinstance(choice, TakePurse) or choice.loot == "PURSE"
    return choice.value


def cannot_be_a_target(state: State, decision: Decision, choice: Choice) -> bool:
    return named_figure(choice) in {"MARSHAL", decision.figure}


def out_of_sight(state: State, decision: Decision, choice: Choice) -> bool:
    """Across levels but for TUCO, not next door inside, beside the shooter, or behind somebody."""
    car, level = parts(actor_of(state, decision).space)
    target_car, target_level = parts(state.figures[named_figure(choice)].space)
    if target_level != level:
        return decision.figure != "TUCO" or target_car != car
    if level == "inside" or target_car == car:
        return abs(target_car - car) != 1
    between = range(min(car, target_car) + 1, max(car, target_car))
    return any(parts(figure.space) in {(on, "roof") for on in between} for figure in state.bandits)


def is_spared(state: State, decision: Decision, choice: Choice) -> bool:
    others = {named_figure(option) for option in decision.options}
    return named_figure(choice) == "BELLE" and bool(others - {"BELLE"})


def is_too_far(state: State, decision: Decision, choice: Choice) -> bool:
    if isinstance(choice, MarshalTo):
        return abs(choice.car - parts(state.figures["MARSHAL"].space)[0]) != 1
    car, level = parts(actor_of(state, decision).space)
    wanted_car, wanted_level = parts(named_space(choice))
    if isinstance(choice, Punch):
        return wanted_level != level or abs(wanted_car - car) != 1
    return wanted_level == level and abs(wanted_car - car) > (3 if level == "roof" else 1)


def is_no_loot(state: State, decision: Decision, choice: Choice) -> bool:
    if isinstance(choice, Punch):
        return choice.drop == "FLASK"
    assert isinstance(choice, Rob)
    return choice.loot in {"FLASK", ""} or (choice.loot != "PURSE" and choice.value >= 0)


def is_not_here(state: State, decision: Decision, choice: Choice) -> bool:
    assert isinstance(choice, Rob)
    here = state.spaces.get(actor_of(state, decision).space, [])
    return choice.loot not in {token.kind for token in here}


def is_not_owned(state: State, decision: Decision, choice: Choice) -> bool:
    assert isinstance(choice, Punch)
    owned = {token.kind for token in state.figures[choice.figure].loot}
    return choice.drop not in owned if choice.drop else bool(owned)


def may_not_keep(state: State, decision: Decision, choice: Choice) -> bool:
    assert isinstance(choice, Punch)
    return choice.keep and (decision.figure != "CHEYENNE" or choice.drop != "PURSE")


def names_it_wrongly(state: State, decision: Decision, choice: Choice) -> bool:
    """A bandit that goes without saying is named, or one that does not is not."""
    assert isinstance(choice, Play)
    pairs = len(state.seats[decision.seat].figures) == 2
    if choice.figure:
        return choice.figure == decision.figure and (not pairs or choice.action == "MARSHAL")
    return pairs and choice.action != "MARSHAL"


def no_such_space(state: State, decision: Decision, choice: Choice) -> bool:
    if isinstance(choice, MarshalTo):
        return choice.car not in range(state.train.caboose + 1)
    return not is_space(state, named_space(choice))


def may_not_hide(state: State, decision: Decision, choice: Choice) -> bool:
    assert isinstance(choice, Play)
    hides = any(isinstance(option, Play) and option.face_down for option in decision.options)
    pairs = len(state.seats[decision.seat].figures) == 2
    return choice.face_down and not (hides and (not pairs or choice.figure == "GHOST"))


def is_tunnel(state: State, decision: Decision, choice: Choice) -> bool:
    assert isinstance(choice, Play)
    return choice.face_down and state.round.card.turns[state.round.turn] == "TUNNEL"


TRUE: dict[str, Callable[[State, Decision, Choice], bool]] = {
    "WRONG_CHOICE": lambda state, decision, choice: (decision.kind, choice.verb) not in OWN,
    "COMPULSORY": lambda state, decision, choice: choice == PASS,
    "BULLET_NOT_PLAYABLE": lambda state, decision, choice: (
        (isinstance(choice, Play) and choice.action == BULLET)
        or (isinstance(choice, Keep) and BULLET in choice.cards)
    ),
    "NO_SUCH_CARD": lambda state, decision, choice: (
        isinstance(choice, Play) and choice.action in {"RIDE", "HIDDEN", ""}
    ),
    "CARD_NOT_IN_HAND": lambda state, decision, choice: not card_in_hand(state, decision, choice),
    "NOT_OFFERED": names_it_wrongly,
    "FACE_DOWN_NOT_A_CHOICE": is_tunnel,
    "FACE_DOWN_NOT_ALLOWED": may_not_hide,
    "NO_SUCH_SPACE": no_such_space,
    "STAYING_NOT_ALLOWED": lambda state, decision, choice: (
        named_space(choice) == actor_of(state, decision).space
    ),
    "WRONG_LEVEL": lambda state, decision, choice: (
        parts(named_space(choice))[1] != parts(actor_of(state, decision).space)[1]
    ),
    "OUT_OF_REACH": is_too_far,
    "NO_SUCH_FIGURE": lambda state, decision, choice: named_figure(choice) not in state.figures,
    "NOT_A_TARGET": cannot_be_a_target,
    "NOT_IN_SIGHT": out_of_sight,
    "NOT_IN_YOUR_SPACE": lambda state, decision, choice: (
        state.figures[named_figure(choice)].space != actor_of(state, decision).space
    ),
    "TARGET_PROTECTED": is_spared,
    "NO_SUCH_LOOT": is_no_loot,
    "LOOT_NOT_HERE": is_not_here,
    "LOOT_NOT_OWNED": is_not_owned,
    "VALUE_KNOWN": lambda state, decision, choice: (
        purse_value(choice) == UNKNOWN_VALUE and UNKNOWN_VALUE not in purses_here(state, decision)
    ),
    "VALUE_NOT_KNOWN": lambda state, decision, choice: (
        purse_value(choice) not in purses_here(state, decision)
    ),
    "KEEP_NOT_ALLOWED": may_not_keep,
}
