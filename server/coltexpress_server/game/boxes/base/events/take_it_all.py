"""TAKE_IT_ALL (RULES.md 1.8.3)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.events.round_event import MARSHAL, RoundEvent
from coltexpress_server.game.boxes.base.looting import lay
from coltexpress_server.game.state import State


class TakeItAll(RoundEvent):
    """Strongbox 2 is laid where the Marshal stands."""

    name: ClassVar[str] = "TAKE_IT_ALL"

    def happen(self, state: State) -> None:
        """Once a game."""
        if state.waiting:
            lay(state, state.waiting.pop(), state.figures[MARSHAL].space, self.name)
