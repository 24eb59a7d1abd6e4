"""The Marshal's FIRE: one or two bandits in sight, a bullet each (RULES.md 4.8)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.actions.action import Action, no_such_figure
from coltexpress_server.game.boxes.base.actions.fire import reachable
from coltexpress_server.game.boxes.marshal_and_prisoners.bullets import shoot
from coltexpress_server.game.boxes.marshal_and_prisoners.choices import ShootOne, ShootTwo
from coltexpress_server.game.boxes.marshal_and_prisoners.state import prison_train
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import MARSHALS_FIRE
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.rules import FIRE
from coltexpress_server.game.state import Figure, State


class MarshalsFire(Action):
    """One target, and which cylinder; or two, each from a cylinder of his own."""

    name: ClassVar[str] = MARSHALS_FIRE
    card: ClassVar[str] = FIRE
    rule: ClassVar[str] = "4.8"
    asks: ClassVar[str] = "whom to shoot, and with which cylinder"

    def options(self, state: State, actor: Figure) -> list[Choice]:
        """Single shots by target and cylinder, then pairs; none with both cylinders empty."""
        loaded = _loaded(state)
        if not loaded:
            return []
        found = reachable(state, actor)
        options: list[Choice] = [
            ShootOne(figure.name, cylinder)
            for figure in state.rules.targets(state, actor, FIRE, found)
            for cylinder in loaded
        ]
        if len(loaded) > 1:
            options += [
                ShootTwo(first.name, second.name)
                for first in found
                for second in found
                if _go_together(state, actor, found, first, second)
            ]
        return options

    def carry_out(self, state: State, actor: Figure, choice: Choice) -> None:
        """Fires; of two the first gets the bullet of the first cylinder, and gets it first."""
        if isinstance(choice, ShootOne):
            shoot(state, state.figures[choice.figure], choice.cylinder)
        elif isinstance(choice, ShootTwo):
            for cylinder, name in enumerate((choice.first, choice.second), start=1):
                shoot(state, state.figures[name], cylinder)

    def why_not(self, state: State, actor: Figure, choice: Choice) -> IllegalChoice | None:
        """Nobody of that name, out of sight, protected; an empty cylinder."""
        if isinstance(choice, ShootOne):
            names = [choice.figure]
            cylinders = [choice.cylinder]
        elif isinstance(choice, ShootTwo):
            names = [choice.first, choice.second]
            cylinders = [1, 2]
        else:
            return None
        found = reachable(state, actor)
        for name in names:
            target = state.figures.get(name)
            if target is None:
                return no_such_figure(name)
            if target not in state.bandits:
                return IllegalChoice("NOT_A_TARGET", self.rule, "only bandits are shot at")
            if target not in found:
                return IllegalChoice("NOT_IN_SIGHT", self.rule, f"{name} is not in sight")
        if len(set(names)) < len(names):
            return IllegalChoice("NOT_A_TARGET", self.rule, "two bullets are for two bandits")
        for cylinder in cylinders:
            if cylinder not in _loaded(state):
                return IllegalChoice(
                    "NOT_OFFERED", self.rule, f"there is no bullet in a cylinder {cylinder}"
                )
        return IllegalChoice(
            "TARGET_PROTECTED", self.rule, "BELLE is spared while there are others for the bullets"
        )


def _loaded(state: State) -> list[int]:
    """The cylinders with a bullet left, counted from 1."""
    cylinders = prison_train(state).cylinders
    return [number for number, bullets in enumerate(cylinders, start=1) if bullets]


def _go_together(
    state: State, actor: Figure, found: list[Figure], first: Figure, second: Figure
) -> bool:
    """Whether these two may be shot with two bullets: one as a target, the other among the rest."""
    if first is second:
        return False
    aimed = state.rules.targets(state, actor, FIRE, found)
    for one, other in ((first, second), (second, first)):
        rest = [figure for figure in found if figure is not one]
        if one in aimed and other in state.rules.targets(state, actor, FIRE, rest):
            return True
    return False
