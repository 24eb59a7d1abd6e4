"""WHISKEY_FOR_THE_MARSHAL (RULES.md 3.7.3)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.events.round_event import MARSHAL
from coltexpress_server.game.boxes.base.looting import draw_token, remove
from coltexpress_server.game.boxes.base.movement import move
from coltexpress_server.game.boxes.horses_and_stagecoach import tables
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.rules import Op
from coltexpress_server.game.state import Frame, State
from coltexpress_server.game.train import BACK

_WALKING = 1


class WhiskeyForTheMarshal(Op):
    """He drinks a flask that lies where he is, and walks back: one car, or to the caboose.

    The frame's index is 0 before he drinks, then one more than the cars he has still to go.
    """

    name: ClassVar[str] = tables.WHISKEY_FOR_THE_MARSHAL

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Drinks, or goes on by a car and meets those inside it."""
        marshal = state.figures[MARSHAL]
        behind = state.train.lines[marshal.space][BACK]
        if frame.index == 0:
            lying = state.spaces.get(marshal.space, [])
            flasks = [token for token in lying if token.kind in tables.FLASK_KINDS]
            if not flasks:
                state.stack.pop()
                return []
            flask = draw_token(state, flasks)
            remove(state, flask, marshal.space, self.name)
            old = flask.value == tables.OLD_WHISKEY
            frame.index = _WALKING + (len(behind) if old else min(1, len(behind)))
        elif frame.index == _WALKING:
            state.stack.pop()
        else:
            frame.index -= 1
            move(state, marshal, behind[0], self.name)
        return []
