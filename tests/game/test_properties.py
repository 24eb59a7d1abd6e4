"""What holds in every game, shown on games with random shuffles and random choices."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coltexpress_server.game.boxes.marshal_and_prisoners import events as marshal_and_prisoners
from coltexpress_server.game.codec import decode_state, encode_state, pack_decision, pack_event
from coltexpress_server.game.engine import apply, decisions
from coltexpress_server.game.events import BulletGiven, Event, NeutralBulletsGone
from coltexpress_server.game.invariants import Checker, violations
from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.game.options import Options
from coltexpress_server.game.state import State
from coltexpress_server.game.views import determinize, view
from coltexpress_server.game.vocabulary import parse
from tests.game.random_games import (
    GAMES,
    WITH_A_MARSHAL,
    WITH_EXPANSIONS,
    WITH_HORSES,
    answer,
    around_the_cell,
    at_random,
    go_on,
    into_trouble,
    positions,
    start,
    to_the_stagecoach,
)
from tests.game.twins import twin

MOST_CHOICES = 1_000

SEEDS = st.integers(0, 2**32 - 1)
STOPS = st.integers(0, 150)
"""After how many choices a game is looked at; a shorter game is looked at its last decision."""
VIEWERS = st.integers(0, 6)
"""A seat; a number beyond the seats is a spectator."""

every_game = pytest.mark.parametrize(("options", "players"), GAMES + WITH_EXPANSIONS)


@every_game
@given(seed=SEEDS)
def test_every_game_ends_and_keeps_the_invariants(
    options: Options, players: int, seed: int
) -> None:
    checker = Checker()
    for choices, state in enumerate(positions(players, seed, options=options)):
        assert checker.check(state) == []
        assert state.finished or all(decision.options for decision in decisions(state))
        assert choices < MOST_CHOICES


def test_neutral_bullets_run_out_within_the_invariants() -> None:
    """What random choices hardly ever bring about."""
    ran_out = 0
    for seed in range(10):
        log: list[Event] = []
        checker = Checker()
        for state in positions(4, seed, log, into_trouble):
            assert checker.check(state) == []
        ran_out += any(isinstance(event, NeutralBulletsGone) for event in log)
    assert ran_out


@pytest.mark.parametrize(
    ("options", "players"), [case for case in WITH_HORSES if case[1] in {2, 3, 5}]
)
def test_all_that_happens_at_the_stagecoach_keeps_the_invariants(
    options: Options, players: int
) -> None:
    """What random choices bring about seldom."""
    happened: set[str] = set()
    for seed in range(6):
        log: list[Event] = []
        checker = Checker()
        for state in positions(players, seed, log, to_the_stagecoach, options=options):
            assert checker.check(state) == []
        happened |= {event.kind for event in log}
        happened |= {event.cause for event in log if isinstance(event, BulletGiven)}
    assert {"HOSTAGE_TAKEN", "SHOTGUN_MET", "SHOTGUN_PASSED"} <= happened


def test_all_that_happens_around_the_cell_keeps_the_invariants() -> None:
    """Captures, escapes, prisoners freed and retaken, punches for the Marshal."""
    happened: set[str] = set()
    for options, players in WITH_A_MARSHAL:
        for seed in range(8):
            log: list[Event] = []
            checker = Checker()
            for state in positions(players, seed, log, around_the_cell, options=options):
                assert checker.check(state) == []
            happened |= {event.kind for event in log}
    assert set(marshal_and_prisoners.UNPACK) <= happened


@every_game
@given(seed=SEEDS)
def test_same_seed_and_choices_same_game(options: Options, players: int, seed: int) -> None:
    log: list[Event] = []
    state = start(players, seed, log, options=options)
    chance = Random(seed)
    made: list[tuple[int, str]] = []
    while not state.finished:
        decision, choice = at_random(state, chance)
        apply(state, decision.seat, choice)
        made.append((decision.seat, choice.text))

    log_again: list[Event] = []
    again = start(players, seed, log_again, options=options)
    for seat, text in made:
        same = parse(text)
        assert same is not None
        apply(again, seat, same)
    assert encode_state(again) == encode_state(state)
    assert written(log_again) == written(log)


@every_game
@given(seed=SEEDS, stop=STOPS)
def test_saving_and_loading_changes_nothing(
    options: Options, players: int, seed: int, stop: int
) -> None:
    state = stopped(options, players, seed, stop)
    saved = encode_state(state)
    loaded = decode_state(saved)
    assert encode_state(loaded) == saved
    assert asked(loaded) == asked(state)
    assert finish(loaded, seed) == finish(state, seed)
    assert encode_state(loaded) == encode_state(state)


@every_game
@given(seed=SEEDS, stop=STOPS)
def test_every_option_offered_works(options: Options, players: int, seed: int, stop: int) -> None:
    state = stopped(options, players, seed, stop)
    before = encode_state(state), asked(state)
    for decision in decisions(state):
        some = [answer(decision, Random(seed + number)) for number in range(3)]
        for option in [*decision.options, *some]:
            assert parse(option.text) == option
            tried = state.copy()
            apply(tried, decision.seat, option)
            assert violations(tried) == []
    assert (encode_state(state), asked(state)) == before


@every_game
@given(seed=SEEDS, stop=STOPS, seat=VIEWERS)
def test_view_can_be_imagined_and_played_on(
    options: Options, players: int, seed: int, stop: int, seat: int
) -> None:
    viewer = seat if seat < players else SPECTATOR
    seen = view(stopped(options, players, seed, stop), viewer)
    imagined = determinize(seen, Random(seed))
    assert shown(view(imagined, viewer)) == shown(seen)
    stored = decode_state(encode_state(seen))
    assert encode_state(determinize(stored, Random(seed))) == encode_state(imagined)
    assert violations(imagined) == []
    finish(imagined, seed)
    assert violations(imagined) == []


@every_game
@given(seed=SEEDS, stop=STOPS, seat=VIEWERS)
def test_view_tells_nothing_hidden(
    options: Options, players: int, seed: int, stop: int, seat: int
) -> None:
    viewer = seat if seat < players else SPECTATOR
    state = stopped(options, players, seed, stop)
    other = twin(state, [viewer], Random(seed))
    assert encode_state(other) != encode_state(state)
    assert shown(view(other, viewer)) == shown(view(state, viewer))


@every_game
@given(seed=SEEDS)
def test_everything_is_open_after_the_end(options: Options, players: int, seed: int) -> None:
    state = stopped(options, players, seed, 0)
    finish(state, seed)
    views = {encode_state(view(state, viewer)) for viewer in [*range(players), SPECTATOR]}
    assert len(views) == 1


def stopped(options: Options, players: int, seed: int, choices: int) -> State:
    """A random game after so many choices, or at its last decision if it has fewer."""
    state = start(players, seed, options=options)
    chance = Random(seed)
    while state.choices < choices and not state.finished:
        go_on(state, chance)
    return stopped(options, players, seed, state.choices - 1) if state.finished else state


def finish(state: State, seed: int) -> list[object]:
    """Plays on at random to the end; returns what happened."""
    log: list[Event] = []
    state.log = log
    chance = Random(seed)
    while not state.finished:
        go_on(state, chance)
    return written(log)


def written(log: list[Event]) -> list[object]:
    """Events as plain values that can be compared."""
    return [pack_event(event) for event in log]


def asked(state: State) -> list[object]:
    """The open decisions as plain values that can be compared."""
    return [pack_decision(decision) for decision in decisions(state)]


def shown(seen: State) -> tuple[bytes, list[object]]:
    """All that a view shows."""
    return encode_state(seen), asked(seen)
