"""The bot that chooses any option."""

from __future__ import annotations

from random import Random

from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.state import State


class RandomBot:
    """Each option is as likely as any other; the game is not looked at."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def choose(self, decision: Decision, seen: State) -> Choice:
        """One of the decision's options."""
        return self._chance.choice(decision.options)
