"""ANGRY_MARSHAL (RULES.md 1.8.1)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.bullets import give_neutral_bullets
from coltexpress_server.game.boxes.base.events.round_event import (
    MARSHAL,
    RoundEvent,
    on_marshals_roof,
)
from coltexpress_server.game.boxes.base.movement import move
from coltexpress_server.game.state import State
from coltexpress_server.game.train import BACK


class AngryMarshal(RoundEvent):
    """He shoots at those on his roof, then goes one car back and meets those inside."""

    name: ClassVar[str] = "ANGRY_MARSHAL"

    def happen(self, state: State) -> None:
        """The volley, then the walk, unless he is in the caboose."""
        give_neutral_bullets(state, on_marshals_roof(state), self.name)
        marshal = state.figures[MARSHAL]
        behind = state.train.lines[marshal.space][BACK]
        if behind:
            move(state, marshal, behind[0], self.name)
