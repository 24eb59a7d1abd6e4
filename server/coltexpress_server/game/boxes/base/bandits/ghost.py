"""GHOST hides his first card (RULES.md 1.7.1)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.rules import Power
from coltexpress_server.game.state import State


class Ghost(Power):
    """May play face down in his first turn of a round; if he draws in it the power is lost."""

    name: ClassVar[str] = "GHOST"

    def may_hide(self, state: State, first_play: bool) -> bool:
        """In the first turn, and there before he has played or drawn."""
        return first_play and state.round.turn == 0
