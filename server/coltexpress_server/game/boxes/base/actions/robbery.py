"""ROBBERY: one token from one's own space (RULES.md 1.6.5, 1.2.4)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.actions.action import Action
from coltexpress_server.game.boxes.base.looting import (
    draw_token,
    kinds,
    named,
    named_kind,
    pick_up,
    values,
    values_are_public,
)
from coltexpress_server.game.choices import Choice, Rob
from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.loot import UNKNOWN_VALUE, Token
from coltexpress_server.game.state import Figure, State


class Robbery(Action):
    """A token of the bandit's choice; purses are told apart as far as his seat knows them."""

    name: ClassVar[str] = "ROBBERY"
    rule: ClassVar[str] = "1.6.5"
    asks: ClassVar[str] = "what to take"

    def options(self, state: State, actor: Figure) -> list[Choice]:
        """Each kind lying here; purses by known value, then all unknown ones as one."""
        tokens = state.spaces.get(actor.space)
        if not tokens:
            return []
        options: list[Choice] = []
        for kind in kinds(state.rules, tokens):
            if state.rules.loot[kind].told_apart:
                options += [Rob(kind, value) for value in values(tokens, actor.seat, kind)]
            else:
                options.append(Rob(kind, UNKNOWN_VALUE))
        return options

    def asked_anyway(self, state: State, actor: Figure) -> bool:
        """Where two or more purses lie whose values are not all public (1.5.8)."""
        tokens = _lying(state, actor)
        for kind, how in state.rules.loot.items():
            if how.told_apart:
                fitting = named_kind(tokens, kind)
                if len(fitting) > 1 and not values_are_public(fitting):
                    return True
        return False

    def carry_out(self, state: State, actor: Figure, choice: Choice) -> None:
        """Takes the token; among several that fit, the game draws."""
        if isinstance(choice, Rob):
            fitting = named(
                state.rules, _lying(state, actor), actor.seat, choice.loot, choice.value
            )
            pick_up(state, actor, draw_token(state, fitting), self.name)

    def why_not(self, state: State, actor: Figure, choice: Choice) -> IllegalChoice | None:
        """Loot that is not here, purses named by what the seat does not know."""
        if not isinstance(choice, Rob):
            return None
        kind = state.rules.loot.get(choice.loot)
        if kind is None:
            return IllegalChoice("NO_SUCH_LOOT", "1.2.1", f"there is no loot called {choice.loot}")
        if not kind.told_apart and choice.value != UNKNOWN_VALUE:
            return IllegalChoice(
                "NO_SUCH_LOOT", "1.2.1", f"a {choice.loot} is named without its value"
            )
        if choice.loot not in kinds(state.rules, _lying(state, actor)):
            return IllegalChoice("LOOT_NOT_HERE", self.rule, f"no {choice.loot} lies here")
        return why_not_value(choice.loot, choice.value)


def why_not_value(kind: str, value: int) -> IllegalChoice:
    """Refuses loot named by a value, or without one; says no more than the seat knows."""
    called = kind.lower()
    if value == UNKNOWN_VALUE:
        return IllegalChoice(
            "VALUE_KNOWN", "1.2.4", f"you know what every {called} here is worth: name a value"
        )
    return IllegalChoice("VALUE_NOT_KNOWN", "1.2.4", f"you know of no {called} of ${value} here")


def _lying(state: State, actor: Figure) -> list[Token]:
    return state.spaces.get(actor.space, [])
