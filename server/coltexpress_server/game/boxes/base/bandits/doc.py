"""DOC is the clever one (RULES.md 1.7.6)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.rules import Power


class Doc(Power):
    """Draws seven cards at the start of a round."""

    name: ClassVar[str] = "DOC"

    def extra_cards(self) -> int:
        """One more."""
        return 1
