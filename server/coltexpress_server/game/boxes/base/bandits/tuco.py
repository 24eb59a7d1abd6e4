"""TUCO shoots through the roof (RULES.md 1.7.5)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.rules import FIRE, Power
from coltexpress_server.game.state import Figure, State


class Tuco(Power):
    """May also FIRE at a bandit in his own car on the other level."""

    name: ClassVar[str] = "TUCO"

    def further_targets(self, state: State, figure: Figure) -> list[Figure]:
        """Everybody above or below."""
        space = state.train.other_level(figure.space)
        return [other for other in state.rules.candidates(state, FIRE) if other.space == space]
