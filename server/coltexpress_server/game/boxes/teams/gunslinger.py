"""The Gunslinger among teams (RULES.md 2.3.4)."""

from __future__ import annotations

from coltexpress_server.game.boxes.base.scores import GUNSLINGER
from coltexpress_server.game.boxes.base.tables import BULLETS
from coltexpress_server.game.state import State


def gunslinger(state: State) -> dict[str, int]:
    """$1000 to the team with the most shots, those at partners aside; to each tied team.

    It stands with the team's first bandit, since a team's money is added up.
    """
    shots: dict[int, int] = {}
    first: dict[int, str] = {}
    for figure in state.bandits:
        team = state.seats[figure.seat].team
        first.setdefault(team, figure.name)
        at_partners = sum(
            other.received.count(figure.name)
            for other in state.bandits
            if state.seats[other.seat].team == team
        )
        shots[team] = shots.get(team, 0) + BULLETS - figure.bullets_left - at_partners
    most = max(shots.values())
    return {first[team]: GUNSLINGER for team in shots if shots[team] == most}
