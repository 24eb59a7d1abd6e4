"""How levels of bots stand against each other after some games, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from coltexpress_server.game.scoring import score
from coltexpress_server.game.state import State

_SURE: Final = 1.96
"""Standard deviations to either side of a mean that hold 95 % of a normal distribution."""


@dataclass(slots=True, frozen=True)
class Standing:
    """How one level did.

    level, seats: in how many of each game's seats it sat.
    win_rate: of its seats, the share that won, 0 to 1. Where several teams share a win, each of
        their seats has won that part of it; where partners win together, both have.
    low, high: the 95 % interval of the win rate, see `wilson`.
    equal: what the win rate would be if all teams were alike.
    mean_score: dollars of its seats' teams at the end.
    decisions: how many it made.
    ms_per_decision: milliseconds of CPU it thought about one, on average.
    """

    level: str
    seats: int
    win_rate: float
    low: float
    high: float
    equal: float
    mean_score: int
    decisions: int
    ms_per_decision: float


class Tally:
    """Counts one level's wins, dollars and thoughts.

    games: how many games were finished.
    """

    def __init__(self, level: str, seats: int) -> None:
        """The level sits in so many seats of each game."""
        self._level = level
        self._seats = seats
        self._games = 0
        self._wins = 0.0
        self._equal = 0.0
        self._dollars = 0
        self._decisions = 0
        self._seconds = 0.0

    def thought(self, seconds: float) -> None:
        """It has made a decision, which took so long."""
        self._decisions += 1
        self._seconds += seconds

    def finished(self, state: State, seats: Sequence[int]) -> None:
        """A game is over, in which it had these seats."""
        sheet = score(state)
        teams = {state.seats[winner].team for winner in sheet.winners}
        self._games += 1
        self._wins += sum(1 / len(teams) for seat in seats if seat in sheet.winners)
        self._equal += 1 / len({seat.team for seat in state.seats})
        self._dollars += sum(sheet.totals[seat] for seat in seats)

    def standing(self) -> Standing:
        """How it stands."""
        played = max(self._games * self._seats, 1)
        rate = self._wins / played
        low, high = wilson(rate, self._games)
        return Standing(
            level=self._level,
            seats=self._seats,
            win_rate=round(rate, 4),
            low=round(low, 4),
            high=round(high, 4),
            equal=round(self._equal / max(self._games, 1), 4),
            mean_score=round(self._dollars / played),
            decisions=self._decisions,
            ms_per_decision=round(self._seconds / max(self._decisions, 1) * 1e3, 3),
        )


def wilson(rate: float, games: int) -> tuple[float, float]:
    """The 95 % interval by Wilson's score for a mean of so many games, each worth 0 to 1.

    For wins that are shared or counted over several seats it is wider than it need be, never too
    narrow: of all means of numbers from 0 to 1, those of zeros and ones vary most. Without a game
    nothing is known: 0 to 1.
    """
    if games == 0:
        return 0.0, 1.0
    doubt = _SURE**2 / games
    middle = (rate + doubt / 2) / (1 + doubt)
    half = _SURE / (1 + doubt) * sqrt(rate * (1 - rate) / games + doubt / (4 * games))
    return max(0.0, middle - half), min(1.0, middle + half)
