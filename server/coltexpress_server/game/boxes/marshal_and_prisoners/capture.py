"""CAPTURE: into the cell with a bandit; what being there means (RULES.md 4.7, 4.11)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.actions.action import Action, no_such_figure
from coltexpress_server.game.boxes.base.movement import move
from coltexpress_server.game.boxes.marshal_and_prisoners.choices import Capture
from coltexpress_server.game.boxes.marshal_and_prisoners.events import Captured
from coltexpress_server.game.boxes.marshal_and_prisoners.state import prison_train
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import (
    BRILLIANT_IDEA,
    CAPTURE,
    CELL,
)
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.state import Figure, State


class CaptureCard(Action):
    """A bandit in the Marshal's space, whoever it is."""

    name: ClassVar[str] = CAPTURE
    rule: ClassVar[str] = "4.7"
    asks: ClassVar[str] = "whom to capture"

    def options(self, state: State, actor: Figure) -> list[Choice]:
        """By seat."""
        return [Capture(figure.name) for figure in state.bandits if figure.space == actor.space]

    def carry_out(self, state: State, actor: Figure, choice: Choice) -> None:
        """His poster goes to the Achievement zone, for good; he goes to the cell."""
        if not isinstance(choice, Capture):
            return
        extra = prison_train(state)
        first = choice.figure not in extra.posters
        if first:
            extra.posters.append(choice.figure)
        state.record(Captured(choice.figure, first))
        move(state, state.figures[choice.figure], CELL, self.name)

    def why_not(self, state: State, actor: Figure, choice: Choice) -> IllegalChoice | None:
        """Nobody of that name, no bandit, elsewhere."""
        if not isinstance(choice, Capture):
            return None
        target = state.figures.get(choice.figure)
        if target is None:
            return no_such_figure(choice.figure)
        if target not in state.bandits:
            return IllegalChoice("NOT_A_TARGET", self.rule, "only bandits are captured")
        return IllegalChoice("NOT_IN_YOUR_SPACE", self.rule, f"{target.name} is not here")


def hindrance(state: State, figure: Figure, action: str) -> str:
    """Cards of those in the cell do nothing, but for the idea how to get out."""
    return "4.11" if figure.space == CELL and action != BRILLIANT_IDEA else ""


def captives(state: State) -> list[Figure]:
    """The bandits in the cell, by seat."""
    return [figure for figure in state.bandits if figure.space == CELL]


def losers(state: State) -> set[str]:
    """They cannot win (4.18)."""
    return {figure.name for figure in captives(state)}
