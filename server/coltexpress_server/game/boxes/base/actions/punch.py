"""PUNCH: somebody here loses a token and is moved next door (RULES.md 1.6.6)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.actions.action import (
    Action,
    no_such_figure,
    no_such_space,
)
from coltexpress_server.game.boxes.base.looting import (
    draw_token,
    drop,
    kinds,
    named_kind,
    steal,
)
from coltexpress_server.game.boxes.base.movement import move
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.choices import Punch as PunchChoice
from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.events import Punched
from coltexpress_server.game.rules import PUNCH
from coltexpress_server.game.state import Figure, State


class Punch(Action):
    """A bandit on the same space: what he loses and where he goes is the puncher's choice."""

    name: ClassVar[str] = PUNCH
    rule: ClassVar[str] = "1.6.6"
    asks: ClassVar[str] = "whom to punch, what he loses and where he goes"

    def options(self, state: State, actor: Figure) -> list[Choice]:
        """By target, loot, space, then whether a power keeps the loot."""
        targets = state.rules.targets(state, actor, self.name, present(state, actor))
        if not targets:
            return []
        spaces = destinations(state, actor)
        options: list[Choice] = []
        for target in targets:
            bystander = state.rules.bystanders.get(target.name)
            if bystander is not None:
                options += bystander.punches(state, actor, target)
                continue
            for kind in kinds(state.rules, target.loot) or [""]:
                keeps = may_keep(state, actor, kind)
                for space in spaces:
                    options.append(PunchChoice(target.name, kind, space, False))
                    if keeps:
                        options.append(PunchChoice(target.name, kind, space, True))
        return options

    def carry_out(self, state: State, actor: Figure, choice: Choice) -> None:
        """The token falls where the punch happened, or is kept; then the victim is moved."""
        if not isinstance(choice, PunchChoice):
            return
        target = state.figures[choice.figure]
        state.record(Punched(actor.name, target.name))
        bystander = state.rules.bystanders.get(target.name)
        if bystander is not None:
            bystander.punched(state, actor, target, choice)
            return
        if choice.drop:
            token = draw_token(state, named_kind(target.loot, choice.drop))
            if choice.keep:
                steal(state, actor, target, token, self.name)
            else:
                drop(state, target, token, self.name)
        move(state, target, choice.space, self.name)

    def why_not(self, state: State, actor: Figure, choice: Choice) -> IllegalChoice | None:
        """The target first, then its loot, where it goes, who keeps."""
        if not isinstance(choice, PunchChoice):
            return None
        target = state.figures.get(choice.figure)
        if target is None:
            return no_such_figure(choice.figure)
        return self._why_not_target(state, actor, target) or self._why_not_this_way(
            state, actor, target, choice
        )

    def _why_not_target(self, state: State, actor: Figure, target: Figure) -> IllegalChoice | None:
        if target not in state.rules.candidates(state, self.name):
            return IllegalChoice("NOT_A_TARGET", self.rule, f"{target.name} cannot be punched")
        if target is actor:
            return IllegalChoice("NOT_A_TARGET", self.rule, "nobody punches himself")
        here = present(state, actor)
        if target not in here:
            return IllegalChoice("NOT_IN_YOUR_SPACE", self.rule, f"{target.name} is not here")
        if target not in state.rules.targets(state, actor, self.name, here):
            return IllegalChoice(
                "TARGET_PROTECTED",
                "1.7.4",
                f"{target.name} is spared while there is another target",
            )
        return None

    def _why_not_this_way(
        self, state: State, actor: Figure, target: Figure, choice: PunchChoice
    ) -> IllegalChoice:
        if target.name in state.rules.bystanders:
            return IllegalChoice(
                "WRONG_CHOICE", self.rule, f"{target.name} is not punched in this way"
            )
        if choice.drop and choice.drop not in state.rules.loot:
            return IllegalChoice("NO_SUCH_LOOT", "1.2.1", f"there is no loot called {choice.drop}")
        if choice.drop not in (kinds(state.rules, target.loot) or [""]):
            what = f"owns no {choice.drop}" if choice.drop else "owns loot and must lose some"
            return IllegalChoice("LOOT_NOT_OWNED", self.rule, f"{target.name} {what}")
        if choice.space not in state.train.level_of:
            return no_such_space(choice.space)
        if choice.space not in destinations(state, actor):
            return IllegalChoice(
                "OUT_OF_REACH", self.rule, "a victim goes to an adjacent car on the same level"
            )
        return IllegalChoice(
            "KEEP_NOT_ALLOWED", "1.7.2", "only CHEYENNE keeps what she punches out, and only purses"
        )


def present(state: State, actor: Figure) -> list[Figure]:
    """The others on the actor's space that can be punched: bandits in seat order, then others."""
    return [
        figure
        for figure in state.rules.candidates(state, PUNCH)
        if figure.space == actor.space and figure is not actor
    ]


def destinations(state: State, actor: Figure) -> list[str]:
    """Where a victim of the actor can be moved to, in canonical order."""
    nearest = {line[0] for line in state.rules.lines(state, actor.space, PUNCH) if line}
    return sorted(nearest, key=state.train.order.__getitem__)


def may_keep(state: State, actor: Figure, kind: str) -> bool:
    """Whether the puncher may take loot of this kind instead of letting it fall."""
    return any(power.keeps(kind) for power in state.rules.powers_of(state, actor))
