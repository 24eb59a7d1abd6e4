"""The rules alone, on one core: whole random games, and the parts a service adds to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import TypeVar

from coltexpress_server.game.codec import decode_state, encode_state
from coltexpress_server.game.engine import apply, decisions, new_game
from coltexpress_server.game.generator import SEED_BYTES
from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.game.state import State
from coltexpress_server.game.views import view
from coltexpress_server.simulation import simulate

T = TypeVar("T")


@dataclass(frozen=True)
class Engine:
    """What the engine does with so many players.

    expansions: what is played beside the base box.

    games_per_second, decisions_per_second, mean_options: of random games through the public verbs.
    copy_us, encode_us, decode_us, view_us: microseconds, on positions from all of a game.
    state_bytes: of an encoded state, on average.
    """

    players: int
    expansions: list[str]
    games_per_second: float
    decisions_per_second: float
    mean_options: float
    copy_us: float
    encode_us: float
    decode_us: float
    view_us: float
    state_bytes: int


def measure(players: int, seconds: float, options: Options = STANDARD) -> Engine:
    """Measure the engine with so many players, for about so many seconds."""
    warm_up = simulate(players, 20, seed=0, options=options)
    games = max(20, int(warm_up.games_per_second * seconds / 2))
    report = simulate(players, games, seed=1, options=options)
    positions = _positions(players, options)
    encoded = [encode_state(state) for state in positions]
    share = seconds / 8
    return Engine(
        players=players,
        expansions=list(options.expansions),
        games_per_second=report.games_per_second,
        decisions_per_second=report.decisions_per_second,
        mean_options=report.mean_options,
        copy_us=_microseconds(State.copy, positions, share),
        encode_us=_microseconds(encode_state, positions, share),
        decode_us=_microseconds(decode_state, encoded, share),
        view_us=_microseconds(lambda state: view(state, 0), positions, share),
        state_bytes=round(sum(map(len, encoded)) / len(encoded)),
    )


def _positions(players: int, options: Options) -> list[State]:
    """Every position of one random game."""
    chance = Random(players)
    state = new_game(options, [[]] * players, chance.randbytes(SEED_BYTES))
    positions = [state.copy()]
    while not state.finished:
        decision = decisions(state)[0]
        apply(state, decision.seat, chance.choice(decision.options))
        positions.append(state.copy())
    return positions


def _microseconds(work: Callable[[T], object], items: list[T], seconds: float) -> float:
    """How long the work takes on one of the items, on average over at least so many seconds."""
    done = 0
    start = perf_counter()
    while (passed := perf_counter() - start) < seconds:
        for item in items:
            work(item)
        done += len(items)
    return round(passed / done * 1e6, 2)
