"""The bots there are, by what players call them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from coltexpress_server.bots.bot import Bot
from coltexpress_server.bots.greedy_bot import GreedyBot
from coltexpress_server.bots.random_bot import RandomBot


@dataclass(frozen=True, slots=True)
class Level:
    """How well a bot plays, and what it takes to let it.

    name: what players call it.
    bot: makes a bot of this level, given the chance it may use: all that differs between two bots
        of a level. A bot keeps nothing between two decisions but where its chance has come to, so
        that any process can make one anew for each of them.
    slow: whether it thinks longer than about 2 ms over some decisions, so that it should do so
        where it keeps nobody waiting: in a process of its own.
    """

    name: str
    bot: Callable[[Random], Bot]
    slow: bool


LEVELS: Final[Mapping[str, Level]] = {
    level.name: level
    for level in (
        Level("RANDOM", RandomBot, slow=False),
        Level("GREEDY", GreedyBot, slow=True),
    )
}
"""From the weakest to the strongest, by name."""
