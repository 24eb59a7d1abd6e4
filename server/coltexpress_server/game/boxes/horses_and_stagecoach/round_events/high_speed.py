"""HIGH_SPEED (RULES.md 3.7.5)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.events.round_event import RoundEvent
from coltexpress_server.game.boxes.base.movement import move_all
from coltexpress_server.game.boxes.horses_and_stagecoach import tables
from coltexpress_server.game.boxes.horses_and_stagecoach.events import HorseMoved, StagecoachMoved
from coltexpress_server.game.boxes.horses_and_stagecoach.state import stagecoach
from coltexpress_server.game.state import State
from coltexpress_server.game.train import BACK


class HighSpeed(RoundEvent):
    """Everything on the train's roofs and beside the train falls one car back, unless at the end.

    All together; meetings come afterwards.
    """

    name: ClassVar[str] = tables.HIGH_SPEED

    def happen(self, state: State) -> None:
        """Horses, the stagecoach, then the figures on the roofs."""
        extra = stagecoach(state)
        last = state.train.caboose
        for place, car in enumerate(extra.horses):
            if car < last:
                extra.horses[place] = car + 1
                state.record(HorseMoved(car, car + 1, self.name))
        if extra.car < last:
            extra.car += 1
            state.record(StagecoachMoved(extra.car - 1, extra.car, self.name))
        moves = []
        for figure in [*state.in_seat_order(state.bandits), state.figures[tables.SHOTGUN]]:
            if figure.space in state.train.roofs:
                behind = state.train.lines[figure.space][BACK]
                if behind:
                    moves.append((figure, behind[0]))
        move_all(state, moves, self.name)
