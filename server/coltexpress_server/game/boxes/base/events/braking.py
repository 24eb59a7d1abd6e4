"""BRAKING (RULES.md 1.8.2)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.events.round_event import RoundEvent
from coltexpress_server.game.boxes.base.movement import move_all
from coltexpress_server.game.state import State
from coltexpress_server.game.train import FORWARD


class Braking(RoundEvent):
    """Everybody on the roofs slides one car forward; nobody leaves the train (1.1.3)."""

    name: ClassVar[str] = "BRAKING"

    def happen(self, state: State) -> None:
        """All together; those on the locomotive stay."""
        moves = []
        for figure in state.in_seat_order(state.bandits):
            if figure.space in state.train.roofs:
                ahead = state.train.lines[figure.space][FORWARD]
                if ahead:
                    moves.append((figure, ahead[0]))
        move_all(state, moves, self.name)
