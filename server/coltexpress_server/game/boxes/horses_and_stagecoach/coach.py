"""The stagecoach: what its spaces are adjacent to, and how it drops back (RULES.md 3.3)."""

from __future__ import annotations

from coltexpress_server.game.boxes.base.movement import move
from coltexpress_server.game.boxes.horses_and_stagecoach.events import StagecoachMoved
from coltexpress_server.game.boxes.horses_and_stagecoach.state import stagecoach
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import (
    SHOTGUN,
    STAGECOACH,
    STAGECOACH_INSIDE,
    STAGECOACH_ROOF,
)
from coltexpress_server.game.rules import FIRE, MOVE, Lines
from coltexpress_server.game.state import State
from coltexpress_server.game.train import BACK


def beside_the_train(state: State, space: str, purpose: str) -> Lines:
    """What the stagecoach adds to the lines of the train (3.3.1, 3.3.2).

    Over its roof a MOVE goes on along the train; FIRE reaches every roof of the train from there,
    and the reverse, each in a line of its own, since nothing blocks it and nobody is pushed.
    """
    train = state.train
    car = stagecoach(state).car
    if space == STAGECOACH_ROOF:
        if purpose == FIRE:
            return tuple([(roof,) for roof in train.roof])
        beside = train.roof[car]
        return tuple([(beside, *line) for line in train.lines[beside]])
    if space == STAGECOACH_INSIDE:
        return () if purpose == MOVE else ((train.inside[car],),)
    if space in train.roofs:
        if purpose == FIRE or space == train.roof[car]:
            return ((STAGECOACH_ROOF,),)
        return _over(train.roof[car], train.lines[space]) if purpose == MOVE else ()
    if space == train.inside[car] and purpose != MOVE:
        return ((STAGECOACH_INSIDE,),)
    return ()


def _over(roof: str, lines: Lines) -> Lines:
    """The line that leads over this roof onto the stagecoach."""
    return tuple(
        [(*line[: line.index(roof) + 1], STAGECOACH_ROOF) for line in lines if roof in line]
    )


def drop_back(state: State) -> None:
    """At the end of a round it goes one car back, a Shotgun on the train with it (3.3.4)."""
    extra = stagecoach(state)
    if extra.car == state.train.caboose:
        return
    extra.car += 1
    state.record(StagecoachMoved(extra.car - 1, extra.car, STAGECOACH))
    shotgun = state.figures[SHOTGUN]
    behind = state.train.lines[shotgun.space][BACK]
    if behind:
        move(state, shotgun, behind[0], STAGECOACH)
