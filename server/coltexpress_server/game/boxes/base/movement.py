"""Moving figures: whatever moves them, every meeting that follows is looked for here."""

from __future__ import annotations

from coltexpress_server.game.events import FigureMoved
from coltexpress_server.game.state import Figure, Movement, State


def move(state: State, figure: Figure, space: str, cause: str) -> None:
    """Moves one figure and lets the rules see who meets whom."""
    move_all(state, [(figure, space)], cause)


def move_all(state: State, moves: list[tuple[Figure, str]], cause: str) -> None:
    """Moves figures together, as one moment (1.6.8); those already there are not moved."""
    movements = put_all(state, moves, cause)
    if movements:
        state.rules.moved(state, cause, movements)


def put_all(state: State, moves: list[tuple[Figure, str]], cause: str) -> list[Movement]:
    """Moves figures together without looking for meetings, which is left to the caller."""
    movements = []
    for figure, space in moves:
        if figure.space != space:
            movements.append(Movement(figure, figure.space, space))
            if state.log is not None:
                state.log.append(FigureMoved(figure.name, figure.space, space, cause))
            figure.space = space
    return movements
