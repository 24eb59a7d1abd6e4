"""Moving figures: whatever moves them, every meeting that follows is looked for here."""

from __future__ import annotations

from coltexpress_server.game.events import FigureMoved
from coltexpress_server.game.state import Figure, State


def move(state: State, figure: Figure, space: str, cause: str) -> None:
    """Moves one figure and lets the rules see who meets whom."""
    move_all(state, [(figure, space)], cause)


def move_all(state: State, moves: list[tuple[Figure, str]], cause: str) -> None:
    """Moves figures together, as one moment (1.6.8); those already there are not moved."""
    anybody = False
    for figure, space in moves:
        if figure.space != space:
            anybody = True
            if state.log is not None:
                state.log.append(FigureMoved(figure.name, figure.space, space, cause))
            figure.space = space
    if anybody:
        state.rules.moved(state, cause)
