"""What a bot is."""

from __future__ import annotations

from typing import Protocol

from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.state import State


class Bot(Protocol):
    """Whoever chooses for a seat."""

    def choose(self, decision: Decision, seen: State) -> Choice:
        """One of the decision's options.

        decision: an open one of the seat that the bot plays.
        seen: the game as that seat may know it, `game.views.view`; not to be changed.
        """
