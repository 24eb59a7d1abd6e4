"""What counts at the end (RULES.md 1.9.1)."""

from __future__ import annotations

from coltexpress_server.game.boxes.base.tables import JEWEL, PURSE, STRONGBOX
from coltexpress_server.game.rules import Score
from coltexpress_server.game.state import State

GUNSLINGER = 1000
"""Dollars for having given the most bullets."""


def loot(kind: str) -> Score:
    """The row for loot of one kind."""

    def row(state: State) -> dict[str, int]:
        return {
            figure.name: sum(token.value for token in figure.loot if token.kind == kind)
            for figure in state.bandits
        }

    return row


ROWS: list[tuple[str, Score]] = [
    ("PURSES", loot(PURSE)),
    ("JEWELS", loot(JEWEL)),
    ("STRONGBOXES", loot(STRONGBOX)),
]
