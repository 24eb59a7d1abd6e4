"""A host's view of a game: changing, beginning and removing it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Final
from uuid import uuid4

from google.protobuf.field_mask_pb2 import FieldMask

from coltexpress.connection import Connection
from coltexpress.v1.event_pb2 import Commit
from coltexpress.v1.game_pb2 import Clock, Game, GameOptions, Seat, Visibility
from coltexpress.v1.game_service_pb2 import (
    AddBotRequest,
    DeleteGameRequest,
    GetGameRequest,
    RematchRequest,
    RemovePlayerRequest,
    StartGameRequest,
    UpdateGameRequest,
)
from coltexpress.watching import watch


class Host:
    """Whoever created a game. Made by `Client.create` and `Client.host`.

    game: the game's name, "games/...".
    token: shows that its bearer is the host. A secret; with it, `Client.host` comes back to the
        game from any process.
    join_code: by which others find the game and join, to be read out to friends; empty where the
        host came back (`get` shows it).
    """

    def __init__(self, connection: Connection, game: str, token: str, join_code: str) -> None:
        self.game: Final = game
        self.token: Final = token
        self.join_code: Final = join_code
        self._connection: Final = connection

    def __repr__(self) -> str:
        """Without token and join code."""
        return f"<Host of {self.game}>"

    async def get(self) -> Game:
        """The game as it is, as a spectator sees it."""
        request = GetGameRequest(name=self.game)
        return await self._connection.call(self._connection.games.GetGame, request, self.token)

    def watch(self, cursor: str = "") -> AsyncGenerator[Game | Commit, None]:
        """The game as a spectator sees it, then every commit; see `Client.watch`."""
        return watch(self._connection, self.game, cursor, self.token)

    async def update(
        self,
        *,
        visibility: Visibility.ValueType | None = None,
        options: GameOptions | None = None,
        seats: int | Sequence[list[str]] | None = None,
        clock: Clock | None = None,
        stand_in: str | None = None,
        request_id: str = "",
    ) -> Game:
        """Change what is to be played, before the game has begun; None leaves it as it is.

        seats: how many, or for each seat the bandits to be played there. A seat that is taken
            keeps its player, and the bandits that he chose.
        clock: how long players may think; an empty `Clock()` for all the time in the world.
        stand_in: level of the bot that plays for whoever is absent or has left; empty for the
            server's choice.
        request_id: a UUID of version 4, to repeat a request made before; empty for a new one.

        Raises:
            ColtExpressError: reason SEAT_TAKEN, INVALID_OPTIONS, GAME_ALREADY_STARTED, ...
        """
        wanted = Game(name=self.game, options=options)
        paths = [] if options is None else ["options"]
        if visibility is not None:
            wanted.visibility = visibility
            paths.append("visibility")
        if seats is not None:
            each: Sequence[list[str]] = [[]] * seats if isinstance(seats, int) else seats
            wanted.seats.extend(Seat(figures=figures) for figures in each)
            paths.append("seats")
        if clock is not None:
            if clock.turn_seconds:
                wanted.clock.CopyFrom(clock)
            paths.append("clock")
        if stand_in is not None:
            wanted.stand_in = stand_in
            paths.append("stand_in")
        request = UpdateGameRequest(
            game=wanted, update_mask=FieldMask(paths=paths), request_id=request_id or str(uuid4())
        )
        return await self._connection.call(self._connection.games.UpdateGame, request, self.token)

    async def add_bot(
        self,
        level: str,
        *,
        seat: int | None = None,
        figures: list[str] | None = None,
        display_name: str = "",
        request_id: str = "",
    ) -> Game:
        """Put a bot on a free seat, before the game has begun; the service plays for it.

        level: how well it plays, one of `ServerInfo.bot_levels`.
        seat: which one; None for any that is free.
        figures: the bandits to play; None to play those of the seat, or to have them dealt.
        display_name: what it is called; empty for a name that the server gives.
        request_id: a UUID of version 4, to repeat a request made before; empty for a new one.

        Raises:
            ColtExpressError: reason NO_SEAT_FREE, SEAT_TAKEN, GAME_ALREADY_STARTED, ...
        """
        request = AddBotRequest(
            name=self.game,
            seat=seat,
            level=level,
            figures=figures,
            display_name=display_name,
            request_id=request_id or str(uuid4()),
        )
        return await self._connection.call(self._connection.games.AddBot, request, self.token)

    async def remove(self, seat: int, *, request_id: str = "") -> Game:
        """Take a seat from its player, or bot, before the game has begun; a token ends with that.

        request_id: a UUID of version 4, to repeat a request made before; empty for a new one.

        Raises:
            ColtExpressError: reason SEAT_FREE, GAME_ALREADY_STARTED, ...
        """
        request = RemovePlayerRequest(
            name=self.game, seat=seat, request_id=request_id or str(uuid4())
        )
        return await self._connection.call(self._connection.games.RemovePlayer, request, self.token)

    async def start(self, *, request_id: str = "") -> Game:
        """Begin the game.

        request_id: a UUID of version 4, to repeat a request made before; empty for a new one.

        Raises:
            ColtExpressError: reason SEATS_FREE, GAME_ALREADY_STARTED, ...
        """
        request = StartGameRequest(name=self.game, request_id=request_id or str(uuid4()))
        return await self._connection.call(self._connection.games.StartGame, request, self.token)

    async def rematch(self) -> Host:
        """The host of the game that is played after this one, which is over.

        There is one such game, whoever asks for it and however often. Its seats are kept for the
        players, who take them by `Seat.rematch`.

        Raises:
            ColtExpressError: reason GAME_NOT_OVER.
        """
        request = RematchRequest(name=self.game)
        found = await self._connection.call(self._connection.games.Rematch, request, self.token)
        return Host(self._connection, found.game.name, found.host_token, found.game.join_code)

    async def delete(self, *, request_id: str = "") -> None:
        """Remove the game and all that is stored of it; whoever watches it is told.

        request_id: a UUID of version 4, to repeat a request made before; empty for a new one.
        """
        request = DeleteGameRequest(name=self.game, request_id=request_id or str(uuid4()))
        await self._connection.call(self._connection.games.DeleteGame, request, self.token)
