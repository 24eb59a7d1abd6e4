"""The Marshal's figure (RULES.md 1.1.4, 1.6.3)."""

from __future__ import annotations

from typing import Final

from coltexpress_server.game.state import Figure, State

MARSHAL: Final = "MARSHAL"


def place(state: State) -> None:
    """He starts INSIDE the locomotive; nobody leads him, he takes no bullets."""
    state.figures[MARSHAL] = Figure(MARSHAL, -1, -1, state.train.inside[0], [], 0, [])
