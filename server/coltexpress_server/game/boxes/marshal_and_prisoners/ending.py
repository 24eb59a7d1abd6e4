"""The end: what nobody has gone off with is the Marshal's; what is paid (RULES.md 4.18)."""

from __future__ import annotations

from typing import Final

from coltexpress_server.game.boxes.base.looting import named_kind, pass_on
from coltexpress_server.game.boxes.base.tables import ROUNDS
from coltexpress_server.game.boxes.marshal_and_prisoners import goals
from coltexpress_server.game.boxes.marshal_and_prisoners.events import (
    GoalsRevealed,
    PrisonerRetaken,
)
from coltexpress_server.game.boxes.marshal_and_prisoners.state import prison_train
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import (
    MAILBAG,
    MARSHAL,
    POSTER_VALUE,
)
from coltexpress_server.game.state import State

_END: Final = "END"
"""The cause of moving what nobody has."""


def settle(state: State) -> None:
    """After the last round: the Achievement zone is filled, the goals are shown."""
    if state.round.number < ROUNDS:
        return
    extra = prison_train(state)
    for prisoner in extra.displayed:
        extra.retaken.append(prisoner)
        state.record(PrisonerRetaken("", prisoner))
    extra.displayed = []
    for space in sorted(state.spaces):
        for token in named_kind(state.spaces[space], MAILBAG):
            pass_on(state, token, space, state.figures[MARSHAL], _END)
    state.record(GoalsRevealed([*extra.current, *extra.upcoming], goals.held(state)))


def posters(state: State) -> dict[str, int]:
    """Dollars for never having been captured."""
    captured = prison_train(state).posters
    return {figure.name: POSTER_VALUE for figure in state.bandits if figure.name not in captured}
