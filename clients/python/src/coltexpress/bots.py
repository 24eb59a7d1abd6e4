"""Programs that play.

A bot is a function from a decision to its answer; `play` lets it play a seat. There is one
that plays at random, to begin with and to play against.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, TypeAlias

from coltexpress.seat import Seat
from coltexpress.v1.action_pb2 import Action, KeepCards
from coltexpress.v1.decision_pb2 import Decision, Option

Bot: TypeAlias = Callable[[Decision], Option | Action]


def random_bot(chance: Random) -> Bot:
    """A bot that chooses any option, and any part of a set."""

    def choose(decision: Decision) -> Option | Action:
        if decision.HasField("set"):
            kept = [card for card in decision.set.cards if chance.random() < _SHARE_KEPT]
            if len(kept) > decision.set.most:
                kept = chance.sample(kept, decision.set.most)
            return Action(keep_cards=KeepCards(cards=kept))
        return chance.choice(decision.options)

    return choose


_SHARE_KEPT: Final = 0.5

LEVELS: Final[Mapping[str, Callable[[Random], Bot]]] = {"RANDOM": random_bot}
"""The bots there are, by what they are called; each is given the chance it may use."""


async def play(seat: Seat, bot: Bot) -> None:
    """Answer a seat's decisions until the game is over.

    Raises:
        ColtExpressError: see `Seat.decisions` and `Seat.submit`.
    """
    async for decision in seat.decisions():
        await seat.submit(decision, bot(decision))
