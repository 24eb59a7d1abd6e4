"""The bots there are, by what players call them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from coltexpress_server.bots.bot import Bot
from coltexpress_server.bots.random_bot import RandomBot

LEVELS: Final[Mapping[str, Callable[[Random], Bot]]] = {"RANDOM": RandomBot}
"""From the weakest to the strongest; each is given the chance it may use."""
