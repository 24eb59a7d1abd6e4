"""The MARSHAL card (RULES.md 1.6.3)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.actions.action import Action
from coltexpress_server.game.boxes.base.movement import move
from coltexpress_server.game.boxes.marshal.figure import MARSHAL
from coltexpress_server.game.choices import Choice, MarshalTo
from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.state import Figure, State


class MarshalCard(Action):
    """Moves the Marshal one car, either way, always INSIDE."""

    name: ClassVar[str] = MARSHAL
    rule: ClassVar[str] = "1.6.3"
    asks: ClassVar[str] = "where the Marshal goes"

    def options(self, state: State, actor: Figure) -> list[Choice]:
        """The cars next to his, from the locomotive on."""
        lines = state.train.lines[state.figures[MARSHAL].space]
        cars = sorted(state.train.car_of[line[0]] for line in lines if line)
        return [MarshalTo(car) for car in cars]

    def carry_out(self, state: State, actor: Figure, choice: Choice) -> None:
        """He goes, and meets whom he finds."""
        if isinstance(choice, MarshalTo):
            move(state, state.figures[MARSHAL], state.train.inside[choice.car], self.name)

    def why_not(self, state: State, actor: Figure, choice: Choice) -> IllegalChoice | None:
        """Cars that are not next to his."""
        if not isinstance(choice, MarshalTo):
            return None
        if not 0 <= choice.car <= state.train.caboose:
            return IllegalChoice("NO_SUCH_SPACE", "1.1.1", f"this train has no car {choice.car}")
        return IllegalChoice("OUT_OF_REACH", self.rule, "the Marshal goes one car, either way")
