"""SWIVEL_ARM (RULES.md 1.8.2)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.events.round_event import RoundEvent
from coltexpress_server.game.boxes.base.movement import move_all
from coltexpress_server.game.state import State


class SwivelArm(RoundEvent):
    """Sweeps everybody on the roofs to the caboose's roof."""

    name: ClassVar[str] = "SWIVEL_ARM"

    def happen(self, state: State) -> None:
        """All together."""
        end = state.train.roof[state.train.caboose]
        swept = [figure for figure in state.bandits if figure.space in state.train.roofs]
        move_all(state, [(figure, end) for figure in state.in_seat_order(swept)], self.name)
