"""FLOOR_CHANGE: up or down in the same car (RULES.md 1.6.2)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.actions.action import Action, no_such_space
from coltexpress_server.game.boxes.base.movement import move
from coltexpress_server.game.choices import Choice, FloorTo
from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.state import Figure, State


class FloorChange(Action):
    """To the other level of the same car: mostly one option, so that the game chooses it."""

    name: ClassVar[str] = "FLOOR_CHANGE"
    rule: ClassVar[str] = "1.6.2"
    asks: ClassVar[str] = "where to change floors"

    def options(self, state: State, actor: Figure) -> list[Choice]:
        """The space above or below, and where else powers lead."""
        spaces = [state.train.other_level(actor.space)]
        for power in state.rules.powers_of(state, actor):
            spaces += power.floors(state, actor)
        if len(spaces) > 1:
            spaces = sorted(set(spaces), key=state.train.order.__getitem__)
        return [FloorTo(space) for space in spaces]

    def carry_out(self, state: State, actor: Figure, choice: Choice) -> None:
        """Climbs."""
        if isinstance(choice, FloorTo):
            move(state, actor, choice.space, self.name)

    def why_not(self, state: State, actor: Figure, choice: Choice) -> IllegalChoice | None:
        """Any other space."""
        if not isinstance(choice, FloorTo):
            return None
        if choice.space not in state.train.level_of:
            return no_such_space(choice.space)
        return IllegalChoice(
            "OUT_OF_REACH", self.rule, "a FLOOR_CHANGE leads to the other level of the same car"
        )
