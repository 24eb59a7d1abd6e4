"""How good a position is for a seat, as far as its money or its goals tell."""

from __future__ import annotations

from math import exp
from typing import Final

from coltexpress_server.game.rules import Goals
from coltexpress_server.game.scoring import score
from coltexpress_server.game.state import State

# Estimates, not fitted: how much is looked ahead matters more than any of them.
_TITLE: Final = 0.4
"""What a title such as the Gunslinger's is worth when the game begins, of what it pays at its end:
whoever would get it now may lose it again."""
_WITHIN_REACH: Final = 0.2
"""What the best token on a bandit's space is worth to him, of its value."""
_SHOT: Final = 60
"""Dollars for having given a bullet, beyond what it does to titles."""
_WOUND: Final = 60
"""Dollars that a bullet costs whoever received it, if the whole game is still to come."""
_LUCK: Final = (300, 250)
"""By how many dollars a team may easily still catch up: at the end, and more for each round."""
_NEAR: Final = 0.4
"""What a goal that is nearly reached counts, of one that is held."""
_TURNS: Final = (0.5, 1.0)
"""By how many goals it may easily still turn out otherwise: at the end, and more at the start."""


def outlook(state: State, seat: int) -> float:
    """The chance that a seat's team wins, 0 to 1, estimated from everybody's money and goals.

    state: a whole one; in a view values are missing. In a finished game it is the share of the win.
    """
    sheet = score(state)
    team = state.seats[seat].team
    winners = {state.seats[winner].team for winner in sheet.winners}
    teams = {state.seats[figure.seat].team for figure in state.bandits}
    if state.finished or (team not in teams and seat not in sheet.goals):
        return 1 / len(winners) if team in winners else 0.0
    rounds = len(state.round.cards)
    left = (rounds - state.round.number + 1) / rounds
    by_goals = {other: _reached(goals, left) for other, goals in sheet.goals.items()}
    if seat in by_goals:
        return by_goals[seat]
    money = dict.fromkeys(teams, 0.0)
    title = 1 - left * (1 - _TITLE)
    for figure in state.bandits:
        loot = sum(token.value for token in figure.loot)
        counted = sum(row.get(figure.name, 0) for _, row in sheet.rows)
        lying = state.spaces.get(figure.space)
        money[state.seats[figure.seat].team] += (
            loot
            + title * (counted - loot)
            + (_WITHIN_REACH * max(token.value for token in lying) if lying else 0)
            - _SHOT * figure.bullets_left
            - _WOUND * left * len(figure.received)
        )
    at_the_end, more = _LUCK
    luck = at_the_end + more * left * rounds
    own = money[team]
    by_money = 1 / sum(exp((dollars - own) / luck) for dollars in money.values())
    return by_money * (1 - sum(by_goals.values()))


def _reached(goals: Goals, left: float) -> float:
    """The chance that as many goals as needed hold at the end; left: of the game, 0 to 1."""
    counted = goals.held + _NEAR * (goals.near - goals.held)
    at_the_end, more = _TURNS
    return 1 / (1 + exp((goals.needed - 0.5 - counted) / (at_the_end + more * left)))
