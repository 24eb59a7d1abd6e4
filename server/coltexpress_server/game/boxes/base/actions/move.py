"""MOVE: to a neighbouring car inside, up to three cars along the roofs (RULES.md 1.6.1)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.actions.action import Action, no_such_space
from coltexpress_server.game.boxes.base.movement import move
from coltexpress_server.game.choices import Choice, MoveTo
from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.rules import MOVE
from coltexpress_server.game.state import Figure, State
from coltexpress_server.game.train import ROOF

_INSIDE_CARS = 1
_ROOF_CARS = 3


class Move(Action):
    """One car forward or back INSIDE, one to three on the ROOF; staying is no option."""

    name: ClassVar[str] = MOVE
    rule: ClassVar[str] = "1.6.1"
    asks: ClassVar[str] = "where to move"

    def options(self, state: State, actor: Figure) -> list[Choice]:
        """Every space within reach, by car from the locomotive."""
        on_roof = state.train.level_of[actor.space] == ROOF
        reach = state.rules.reach(state, actor, _ROOF_CARS if on_roof else _INSIDE_CARS)
        lines = state.rules.lines(state, actor.space, MOVE)
        spaces = list(dict.fromkeys([space for line in lines for space in line[:reach]]))
        spaces.sort(key=state.train.order.__getitem__)
        return [MoveTo(space) for space in spaces]

    def carry_out(self, state: State, actor: Figure, choice: Choice) -> None:
        """Moves the bandit."""
        if isinstance(choice, MoveTo):
            move(state, actor, choice.space, self.called)

    def why_not(self, state: State, actor: Figure, choice: Choice) -> IllegalChoice | None:
        """Staying, changing level, going too far."""
        if not isinstance(choice, MoveTo):
            return None
        if choice.space not in state.train.level_of:
            return no_such_space(choice.space)
        if choice.space == actor.space:
            return IllegalChoice("STAYING_NOT_ALLOWED", self.rule, "staying is never an option")
        if state.train.level_of[choice.space] != state.train.level_of[actor.space]:
            return IllegalChoice("WRONG_LEVEL", self.rule, "a MOVE stays on its level")
        return IllegalChoice(
            "OUT_OF_REACH", self.rule, "a MOVE goes one car inside, at most three on the roofs"
        )
