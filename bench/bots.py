"""How well the strongest level of bots plays against RANDOM."""

from __future__ import annotations

from collections.abc import Callable

from coltexpress_server.bots.levels import LEVELS
from coltexpress_server.simulation import Report, simulate

STRONGEST = list(LEVELS)[-1]


def measure(players: int, games: int, after_game: Callable[[], None]) -> Report:
    """One bot of the strongest level against RANDOM ones, in STANDARD games."""
    bots = [STRONGEST] + ["RANDOM"] * (players - 1)
    return simulate(players, games, seed=1, bots=bots, after_game=after_game)
