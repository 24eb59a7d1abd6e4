"""Who has how much, and who wins (RULES.md 1.9)."""

from __future__ import annotations

from dataclasses import dataclass

from coltexpress_server.game.rules import Goals
from coltexpress_server.game.state import State


@dataclass(slots=True, eq=False)
class Score:
    """The money of a game, as it stands.

    rows: for each row of the score sheet its name and the dollars by figure.
    totals: dollars of each seat's team, by seat.
    bullets: bullets received by each seat's team, by seat.
    winners: the seats of the winning teams, ascending.
    goals: the goals of seats that win by goals, by seat.
    """

    rows: list[tuple[str, dict[str, int]]]
    totals: list[int]
    bullets: list[int]
    winners: list[int]
    goals: dict[int, Goals]


def score(state: State) -> Score:
    """The score as if the game ended now; on a view, only if all values are known.

    The richest team wins; tied, the one that received fewest bullets; still tied, all of those
    (1.9.2). A team none of whose bandits can win does not, and nobody does if all are such. But
    who holds the goals needed wins before any of them.
    """
    rows = [(name, row(state)) for name, row in state.rules.score_rows]
    for audit in state.rules.audits:
        rows = audit(state, rows)
    losers = state.rules.losers(state)
    money: dict[int, int] = {}
    bullets: dict[int, int] = {}
    for figure in state.bandits:
        team = state.seats[figure.seat].team
        money[team] = money.get(team, 0) + sum(row.get(figure.name, 0) for _, row in rows)
        bullets[team] = bullets.get(team, 0) + len(figure.received)
    able = {state.seats[each.seat].team for each in state.bandits if each.name not in losers}
    best = max([(money[team], -bullets[team]) for team in able], default=(0, 0))
    teams = [seat.team for seat in state.seats]
    goals = state.rules.goals(state)
    outright = [seat for seat, sought in goals.items() if sought.held >= sought.needed]
    return Score(
        rows,
        [money.get(team, 0) for team in teams],
        [bullets.get(team, 0) for team in teams],
        outright
        or [
            seat
            for seat, team in enumerate(teams)
            if team in able and (money[team], -bullets[team]) == best
        ],
        goals,
    )
