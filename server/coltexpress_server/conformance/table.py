"""The table at which a client is watched: a game of three, the others played by the service."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from coltexpress import Client, Game, Host
from coltexpress.v1.decision_pb2 import Decision
from coltexpress.v1.game_service_pb2 import SubmitActionRequest
from coltexpress_server.conformance.interposer import Interposer

SEATS: Final = 3
OWN: Final = 1
"""The seat that is left to the client."""


@dataclass(frozen=True)
class Table:
    """What a situation can lay its hands on.

    service: an operator's connection to the service, past the interposer. host: of the game.
    network: between the client and the interposer.
    restart: has the service drain and end, and start again on its data a while later.
    """

    service: Client
    host: Host
    network: Interposer
    restart: Callable[[], Awaitable[None]]

    async def answer_elsewhere(self, request: SubmitActionRequest, token: str) -> None:
        """Answer a decision of the client in its place, as its player on another device would."""
        seat = await self.service.seat(self.host.game, token)
        for decision in (await seat.get()).decisions:
            if decision.id == request.decision_id:
                await seat.submit(decision, decision.options[0])

    async def end(self) -> None:
        """End the game without a result, as an operator."""
        await self.service.admin.abort(self.host.game, "The conformance kit ends this game.")

    async def is_over(self) -> bool:
        """Whether the game has come to its end."""
        return (await self.host.get()).state == Game.STATE_FINISHED

    def is_own(self, decision: Decision) -> bool:
        """Whether a decision is one for the client, and not a set of cards."""
        return decision.seat == OWN and not decision.HasField("set")
