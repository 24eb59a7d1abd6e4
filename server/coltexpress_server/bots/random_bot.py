"""The bot that chooses any option."""

from __future__ import annotations

from random import Random
from typing import Final

from coltexpress_server.game.choices import Choice, Keep
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.state import State

_KEPT: Final = 0.5
"""How often a card is kept."""


class RandomBot:
    """Each option, and each part of a set, is as likely as any other; it does not look."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def choose(self, decision: Decision, seen: State) -> Choice:
        """One of the decision's options."""
        if decision.members:
            chosen = [card for card in decision.members if self._chance.random() < _KEPT]
            if len(chosen) > decision.most:
                chosen = self._chance.sample(chosen, decision.most)
            return Keep(tuple(chosen))
        return self._chance.choice(decision.options)
