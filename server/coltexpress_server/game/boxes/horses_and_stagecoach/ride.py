"""RIDE: up to three cars along the train, with a horse (RULES.md 3.2)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.actions.action import Action, no_such_space
from coltexpress_server.game.boxes.base.movement import move
from coltexpress_server.game.boxes.horses_and_stagecoach.choices import RideTo
from coltexpress_server.game.boxes.horses_and_stagecoach.events import HorseLeft, HorseMoved
from coltexpress_server.game.boxes.horses_and_stagecoach.round_events.escape import is_escape
from coltexpress_server.game.boxes.horses_and_stagecoach.state import stagecoach
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import (
    GONE,
    RIDE,
    RIDING_CARS,
    STAGECOACH_INSIDE,
)
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.state import Figure, State
from coltexpress_server.game.train import INSIDE


class Ride(Action):
    """Bandit and horse go 0 to 3 cars; he ends INSIDE there, or in the stagecoach beside it."""

    name: ClassVar[str] = RIDE
    rule: ClassVar[str] = "3.2.1"
    asks: ClassVar[str] = "where to ride"

    def options(self, state: State, actor: Figure) -> list[Choice]:
        """By car, then the stagecoach, then away for good; none without a horse beside him."""
        extra = stagecoach(state)
        start = car_beside(state, actor)
        if start not in extra.horses:
            return []
        first = max(0, start - RIDING_CARS)
        last = min(state.train.caboose, start + RIDING_CARS)
        options: list[Choice] = [RideTo(space) for space in state.train.inside[first : last + 1]]
        if first <= extra.car <= last:
            options.append(RideTo(STAGECOACH_INSIDE))
        if is_escape(state):
            options.append(RideTo(GONE))
        return options

    def carry_out(self, state: State, actor: Figure, choice: Choice) -> None:
        """The horse runs there, or away with him."""
        if not isinstance(choice, RideTo):
            return
        extra = stagecoach(state)
        start = car_beside(state, actor)
        if choice.space == GONE:
            extra.horses.remove(start)
            state.record(HorseLeft(start, self.name))
        else:
            end = state.train.car_of.get(choice.space, extra.car)
            if end != start:
                extra.horses.remove(start)
                extra.horses.append(end)
                extra.horses.sort()
                state.record(HorseMoved(start, end, self.name))
        move(state, actor, choice.space, self.name)

    def why_not(self, state: State, actor: Figure, choice: Choice) -> IllegalChoice | None:
        """Roofs, cars too far away, riding away when it is no escape."""
        if not isinstance(choice, RideTo):
            return None
        if choice.space == GONE:
            return IllegalChoice("NOT_OFFERED", "3.7.8", "nobody rides away in this round")
        if choice.space not in state.train.level_of:
            return no_such_space(choice.space)
        if state.train.level_of[choice.space] != INSIDE:
            return IllegalChoice("WRONG_LEVEL", self.rule, "a RIDE ends INSIDE")
        return IllegalChoice("OUT_OF_REACH", self.rule, "a RIDE goes at most three cars")


def car_beside(state: State, figure: Figure) -> int:
    """The car that a figure is in or on, or that the stagecoach is beside in or on which it is."""
    return state.train.car_of.get(figure.space, stagecoach(state).car)
