"""FIRE: a bullet for somebody in sight (RULES.md 1.6.4)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.actions.action import Action, no_such_figure
from coltexpress_server.game.boxes.base.bullets import give_own_bullet
from coltexpress_server.game.choices import Choice, FireAt
from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.rules import FIRE
from coltexpress_server.game.state import Figure, State
from coltexpress_server.game.train import ROOF


class Fire(Action):
    """At one bandit in an adjacent car, or on the nearest occupied roof in either direction."""

    name: ClassVar[str] = FIRE
    rule: ClassVar[str] = "1.6.4"
    asks: ClassVar[str] = "whom to shoot"

    def options(self, state: State, actor: Figure) -> list[Choice]:
        """Every target, by seat; none without bullets."""
        if actor.bullets_left == 0:
            return []
        found = reachable(state, actor)
        return [
            FireAt(figure.name) for figure in state.rules.targets(state, actor, self.name, found)
        ]

    def carry_out(self, state: State, actor: Figure, choice: Choice) -> None:
        """Gives the target the next bullet; then the shooter's powers."""
        if isinstance(choice, FireAt):
            target = state.figures[choice.figure]
            give_own_bullet(state, actor, target, self.name)
            for power in state.rules.powers_of(state, actor):
                power.after_shot(state, actor, target)

    def why_not(self, state: State, actor: Figure, choice: Choice) -> IllegalChoice | None:
        """Nobody of that name, oneself, out of sight, protected."""
        if not isinstance(choice, FireAt):
            return None
        target = state.figures.get(choice.figure)
        if target is None:
            return no_such_figure(choice.figure)
        if target not in state.rules.candidates(state, self.name):
            return IllegalChoice("NOT_A_TARGET", self.rule, "only bandits are shot at")
        if target is actor:
            return IllegalChoice("NOT_A_TARGET", self.rule, "nobody shoots himself")
        if target not in reachable(state, actor):
            return IllegalChoice("NOT_IN_SIGHT", self.rule, f"{target.name} is not in sight")
        return IllegalChoice(
            "TARGET_PROTECTED", "1.7.4", f"{target.name} is spared while there is another target"
        )


def reachable(state: State, actor: Figure) -> list[Figure]:
    """The figures the actor could shoot at, before filters, in seat order.

    INSIDE: those in adjacent cars; ROOF: in each direction those on the nearest occupied roof; then
    those that a power adds.
    """
    from_roof = state.train.level_of[actor.space] == ROOF
    occupied = {figure.space for figure in state.figures.values()} if from_roof else set()
    seen: list[str] = []
    for line in state.rules.lines(state, actor.space, FIRE):
        for space in line:
            if not from_roof or space in occupied:
                seen.append(space)
                break
    candidates = state.rules.candidates(state, FIRE)
    found = [figure for figure in candidates if figure.space in seen]
    for power in state.rules.powers_of(state, actor):
        further = power.further_targets(state, actor)
        if further:
            found = [figure for figure in candidates if figure in found or figure in further]
    return found
