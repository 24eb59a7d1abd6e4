"""ROBBERY: one token from one's own space (RULES.md 1.6.5, 1.2.4)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.actions.action import Action
from coltexpress_server.game.boxes.base.looting import (
    draw_token,
    kinds,
    named,
    names,
    names_betray,
    pick_up,
)
from coltexpress_server.game.choices import Choice, Rob
from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.loot import UNKNOWN_VALUE, Token
from coltexpress_server.game.rules import Rules
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
        return [Rob(kind, value) for kind, value in names(state.rules, tokens, actor.seat)]

    def asked_anyway(self, state: State, actor: Figure) -> bool:
        """Where two or more purses lie whose values are not all public (1.5.8)."""
        return names_betray(state.rules, lying(state, actor))

    def carry_out(self, state: State, actor: Figure, choice: Choice) -> None:
        """Takes the token; among several that fit, the game draws."""
        if isinstance(choice, Rob):
            fitting = named(state.rules, lying(state, actor), actor.seat, choice.loot, choice.value)
            pick_up(state, actor, draw_token(state, fitting), self.called)

    def why_not(self, state: State, actor: Figure, choice: Choice) -> IllegalChoice | None:
        """Loot that is not here, purses named by what the seat does not know."""
        if not isinstance(choice, Rob):
            return None
        refused = why_no_such_loot(state.rules, choice.loot, choice.value)
        if refused is not None:
            return refused
        if choice.loot not in kinds(state.rules, lying(state, actor)):
            return IllegalChoice("LOOT_NOT_HERE", self.rule, f"no {choice.loot} lies here")
        return why_not_value(choice.loot, choice.value)


def why_no_such_loot(rules: Rules, kind: str, value: int) -> IllegalChoice | None:
    """Refuses a name that no loot has, wherever it may be."""
    how = rules.loot.get(kind)
    if how is None:
        return IllegalChoice("NO_SUCH_LOOT", "1.2.1", f"there is no loot called {kind}")
    if not how.told_apart and value != UNKNOWN_VALUE:
        return IllegalChoice("NO_SUCH_LOOT", "1.2.1", f"a {kind} is named without its value")
    return None


def why_not_value(kind: str, value: int) -> IllegalChoice:
    """Refuses loot named by a value, or without one; says no more than the seat knows."""
    called = kind.lower()
    if value == UNKNOWN_VALUE:
        return IllegalChoice(
            "VALUE_KNOWN", "1.2.4", f"you know what every {called} here is worth: name a value"
        )
    return IllegalChoice("VALUE_NOT_KNOWN", "1.2.4", f"you know of no {called} of ${value} here")


def lying(state: State, actor: Figure) -> list[Token]:
    """The tokens on the actor's space."""
    return state.spaces.get(actor.space, [])
