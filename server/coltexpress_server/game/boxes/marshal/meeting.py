"""Meeting the Marshal, by whatever route (RULES.md 1.6.7)."""

from __future__ import annotations

from typing import Final

from coltexpress_server.game.boxes.base.bullets import give_neutral_bullets
from coltexpress_server.game.boxes.base.movement import put_all
from coltexpress_server.game.boxes.marshal.figure import MARSHAL
from coltexpress_server.game.state import Movement, State

MEETING: Final = "MARSHAL_MET"


def meet(state: State, cause: str, movements: list[Movement]) -> None:
    """Everybody INSIDE his car flees to its roof and gets a neutral bullet, all in one moment."""
    space = state.figures[MARSHAL].space
    met = [figure for figure in state.bandits if figure.space == space]
    if met:
        fleeing = state.in_seat_order(met)
        roof = state.train.other_level(space)
        fled = put_all(state, [(figure, roof) for figure in fleeing], MEETING)
        give_neutral_bullets(state, fleeing, MEETING)
        state.rules.moved(state, MEETING, fled)
