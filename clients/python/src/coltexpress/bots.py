"""Programs that play.

A bot is a function from a decision to one of its options; `play` lets it play a seat. There is one
that plays at random, to begin with and to play against.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, TypeAlias

from coltexpress.seat import Seat
from coltexpress.v1.decision_pb2 import Decision, Option

Bot: TypeAlias = Callable[[Decision], Option]


def random_bot(chance: Random) -> Bot:
    """A bot that chooses any option."""
    return lambda decision: chance.choice(decision.options)


LEVELS: Final[Mapping[str, Callable[[Random], Bot]]] = {"RANDOM": random_bot}
"""The bots there are, by what they are called; each is given the chance it may use."""


async def play(seat: Seat, bot: Bot) -> None:
    """Answer a seat's decisions until the game is over.

    Raises:
        ColtExpressError: see `Seat.decisions` and `Seat.submit`.
    """
    async for decision in seat.decisions():
        await seat.submit(decision, bot(decision))
