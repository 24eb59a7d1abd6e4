"""MARSHALS_REVENGE (RULES.md 1.8.6)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.events.round_event import RoundEvent, on_marshals_roof
from coltexpress_server.game.boxes.base.looting import draw_token, lose
from coltexpress_server.game.boxes.base.tables import PURSE
from coltexpress_server.game.state import State


class MarshalsRevenge(RoundEvent):
    """Those on the roof of the Marshal's car lose their least valuable purse."""

    name: ClassVar[str] = "MARSHALS_REVENGE"

    def happen(self, state: State) -> None:
        """Of equally least valuable ones the game draws one (1.2.4)."""
        for figure in on_marshals_roof(state):
            purses = [token for token in figure.loot if token.kind == PURSE]
            if purses:
                least = min(token.value for token in purses)
                fitting = [token for token in purses if token.value == least]
                lose(state, figure, draw_token(state, fitting), self.name)
