"""An operator's view of the service: all games, whoever may see them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from typing import Final
from uuid import uuid4

from coltexpress.connection import Connection
from coltexpress.v1.admin_service_pb2 import (
    AbortGameRequest,
    ExportGameRequest,
    GameInspection,
    ImportGameRequest,
    InspectGameRequest,
    ListAllGamesRequest,
)
from coltexpress.v1.game_pb2 import Game, Visibility


class Admin:
    """What an admin key is good for; `Client.admin`.

    Every method raises ColtExpressError with the reason ADMIN_KEY_MISSING where the client has none
    that the service knows.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection: Final = connection

    async def games(
        self,
        states: Iterable[Game.State.ValueType] = (),
        *,
        visibilities: Iterable[Visibility.ValueType] = (),
    ) -> AsyncGenerator[Game, None]:
        """All games, the newest first, without what lies on their tables.

        states, visibilities: only games in one of these; none for all.
        """
        request = ListAllGamesRequest(states=states, visibilities=visibilities)
        while True:
            page = await self._connection.call(self._connection.admin.ListAllGames, request)
            for game in page.games:
                yield game
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def inspect(self, game: str, *, as_seat: int | None = None) -> GameInspection:
        """What there is to know of a game.

        as_seat: show what this seat sees, its hand included.
        """
        request = InspectGameRequest(name=game, as_seat=as_seat)
        return await self._connection.call(self._connection.admin.InspectGame, request)

    async def abort(self, game: str, reason: str = "", *, request_id: str = "") -> Game:
        """End a game without a result.

        reason: for the players to read.
        request_id: a UUID of version 4, to repeat a request made before; empty for a new one.

        Raises:
            ColtExpressError: reason GAME_OVER, ...
        """
        request = AbortGameRequest(name=game, reason=reason, request_id=request_id or str(uuid4()))
        return await self._connection.call(self._connection.admin.AbortGame, request)

    async def export(self, game: str) -> bytes:
        """A game with all that is stored of it, what is hidden from its players included."""
        request = ExportGameRequest(name=game)
        return (await self._connection.call(self._connection.admin.ExportGame, request)).document

    async def put(self, document: bytes) -> Game:
        """Put an exported game into the service's store, where it goes on.

        Raises:
            ColtExpressError: reason GAME_EXISTS; INVALID_FIELD for what no service with the same
                key has exported.
        """
        request = ImportGameRequest(document=document)
        return await self._connection.call(self._connection.admin.ImportGame, request)
