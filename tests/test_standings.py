"""Who stands how after some games."""

from __future__ import annotations

import pytest

from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.game.scoring import score
from coltexpress_server.game.state import State
from coltexpress_server.standings import Tally, wilson
from tests.game.random_games import TEAMS, position


@pytest.mark.parametrize(
    ("rate", "games", "low", "high"),
    [
        # As tables of Wilson's score interval have it.
        (0.0, 10, 0.0, 0.2775),
        (0.5, 10, 0.2366, 0.7634),
        (0.9, 100, 0.8256, 0.9448),
        (1.0, 200, 0.9812, 1.0),
    ],
)
def test_the_interval_of_a_win_rate(rate: float, games: int, low: float, high: float) -> None:
    assert wilson(rate, games) == pytest.approx((low, high), abs=1e-4)


def test_without_games_nothing_is_known() -> None:
    assert wilson(0.0, 0) == (0.0, 1.0)
    standing = Tally("RANDOM", 2).standing()
    assert (standing.win_rate, standing.low, standing.high) == (0.0, 0.0, 1.0)
    assert (standing.mean_score, standing.ms_per_decision, standing.equal) == (0, 0.0, 0.0)


def _finished(options: Options = STANDARD, players: int = 4) -> State:
    return position(players, 1, lambda state: state.finished, options=options)


def test_a_win_counts_for_the_seat_that_has_won() -> None:
    state = _finished()
    sheet = score(state)
    (winner,) = sheet.winners
    others = [seat for seat in range(4) if seat != winner]
    strong, weak = Tally("GREEDY", 1), Tally("RANDOM", 3)
    strong.finished(state, [winner])
    weak.finished(state, others)
    assert (strong.standing().win_rate, weak.standing().win_rate) == (1.0, 0.0)
    assert strong.standing().mean_score == sheet.totals[winner]
    assert weak.standing().mean_score == round(sum(sheet.totals[seat] for seat in others) / 3)
    assert strong.standing().equal == weak.standing().equal == 0.25


def test_a_shared_win_is_shared() -> None:
    state = _finished()
    for figure in state.bandits:
        figure.loot.clear()
        figure.received.clear()
        figure.bullets_left = 6
    tally = Tally("RANDOM", 2)
    tally.finished(state, [0, 1])
    assert tally.standing().win_rate == 0.25


def test_partners_win_together() -> None:
    state = _finished(TEAMS)
    winners = score(state).winners
    assert len(winners) == 2
    together, apart = Tally("GREEDY", 2), Tally("GREEDY", 2)
    together.finished(state, winners)
    apart.finished(state, [1, 2])
    assert together.standing().win_rate == 1.0
    assert apart.standing().win_rate == 0.5
    assert together.standing().equal == 0.5


def test_thinking_is_measured() -> None:
    tally = Tally("GREEDY", 1)
    for seconds in (0.001, 0.003):
        tally.thought(seconds)
    standing = tally.standing()
    assert (standing.decisions, standing.ms_per_decision) == (2, 2.0)
