"""PASSENGERS_REBELLION (RULES.md 1.8.4)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.bullets import give_neutral_bullets
from coltexpress_server.game.boxes.base.events.round_event import RoundEvent
from coltexpress_server.game.state import State


class PassengersRebellion(RoundEvent):
    """A neutral bullet for every bandit INSIDE a car, the locomotive too."""

    name: ClassVar[str] = "PASSENGERS_REBELLION"

    def happen(self, state: State) -> None:
        """One volley."""
        cars = state.train.inside
        inside = [figure for figure in state.bandits if figure.space in cars]
        give_neutral_bullets(state, state.in_seat_order(inside), self.name)
