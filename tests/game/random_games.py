"""Games in which every choice is random, the same ones for the same arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.engine import apply, decisions, new_game
from coltexpress_server.game.events import Event
from coltexpress_server.game.generator import SEED_BYTES
from coltexpress_server.game.options import STANDARD
from coltexpress_server.game.state import State


def start(players: int, seed: int, log: list[Event] | None = None) -> State:
    """A game of dealt bandits at its first decision."""
    return new_game(STANDARD, [[]] * players, Random(seed).randbytes(SEED_BYTES), log)


def choose(state: State, chance: Random) -> tuple[Decision, Choice]:
    """One of the open decisions, and one of its options."""
    decision = chance.choice(decisions(state))
    return decision, chance.choice(decision.options)


def go_on(state: State, chance: Random) -> None:
    """Makes a choice."""
    decision, choice = choose(state, chance)
    apply(state, decision.seat, choice)


def positions(players: int, seed: int, log: list[Event] | None = None) -> Iterator[State]:
    """The game at each of its decisions and at its end, always the same object."""
    state = start(players, seed, log)
    chance = Random(seed)
    yield state
    while not state.finished:
        go_on(state, chance)
        yield state


def position(players: int, seed: int, wanted: Callable[[State], bool]) -> State:
    """A game stopped at the first position that is wanted."""
    return next(state for state in positions(players, seed) if wanted(state))
