"""ROBBERY: one token from one's own space (RULES.md 1.6.5, 1.2.4)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.actions.action import Action
from coltexpress_server.game.boxes.base.looting import (
    draw_token,
    kinds,
    named,
    pick_up,
    purse_values,
    values_are_public,
)
from coltexpress_server.game.boxes.base.tables import LOOT_ORDER, PURSE
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
        for kind in kinds(tokens):
            if kind == PURSE:
                options += [Rob(PURSE, value) for value in purse_values(tokens, actor.seat)]
            else:
                options.append(Rob(kind, UNKNOWN_VALUE))
        return options

    def asked_anyway(self, state: State, actor: Figure) -> bool:
        """Where two or more purses lie whose values are not all public (1.5.8)."""
        tokens = _lying(state, actor)
        purses = [token for token in tokens if token.kind == PURSE]
        return len(purses) > 1 and not values_are_public(purses)

    def carry_out(self, state: State, actor: Figure, choice: Choice) -> None:
        """Takes the token; among several that fit, the game draws."""
        if isinstance(choice, Rob):
            fitting = named(_lying(state, actor), actor.seat, choice.loot, choice.value)
            pick_up(state, actor, draw_token(state, fitting), self.name)

    def why_not(self, state: State, actor: Figure, choice: Choice) -> IllegalChoice | None:
        """Loot that is not here, purses named by what the seat does not know."""
        if not isinstance(choice, Rob):
            return None
        if choice.loot not in LOOT_ORDER:
            return IllegalChoice("NO_SUCH_LOOT", "1.2.1", f"there is no loot called {choice.loot}")
        if choice.loot != PURSE and choice.value != UNKNOWN_VALUE:
            return IllegalChoice(
                "NO_SUCH_LOOT", "1.2.1", f"a {choice.loot} is named without its value"
            )
        if choice.loot not in kinds(_lying(state, actor)):
            return IllegalChoice("LOOT_NOT_HERE", self.rule, f"no {choice.loot} lies here")
        return why_not_purse(choice.value)


def why_not_purse(value: int) -> IllegalChoice:
    """Refuses a purse named by a value; says no more than the seat knows."""
    if value == UNKNOWN_VALUE:
        return IllegalChoice(
            "VALUE_KNOWN", "1.2.4", "you know what every purse here is worth: name a value"
        )
    return IllegalChoice("VALUE_NOT_KNOWN", "1.2.4", f"you know of no purse of ${value} here")


def _lying(state: State, actor: Figure) -> list[Token]:
    return state.spaces.get(actor.space, [])
