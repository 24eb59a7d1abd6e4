"""CHEYENNE picks the pockets of those she punches (RULES.md 1.7.2)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.tables import PURSE
from coltexpress_server.game.rules import Power


class Cheyenne(Power):
    """May take a purse that her punch makes the victim lose."""

    name: ClassVar[str] = "CHEYENNE"

    def keeps(self, kind: str) -> bool:
        """Purses only."""
        return kind == PURSE
