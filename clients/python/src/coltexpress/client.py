"""The way in: finding, creating, joining and watching games."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Sequence
from secrets import token_bytes
from types import TracebackType
from typing import Final, Self
from uuid import uuid4

from google.protobuf.duration_pb2 import Duration

from coltexpress.admin import Admin
from coltexpress.connection import Connection
from coltexpress.host import Host
from coltexpress.retries import Retries
from coltexpress.seat import Seat
from coltexpress.v1 import game_pb2
from coltexpress.v1.catalog_pb2 import Catalog
from coltexpress.v1.catalog_service_pb2 import GetCatalogRequest
from coltexpress.v1.event_pb2 import Commit
from coltexpress.v1.game_pb2 import Clock, Game, GameOptions, Visibility
from coltexpress.v1.game_service_pb2 import (
    CreateGameRequest,
    FindGameRequest,
    GetGameRequest,
    GetReplayRequest,
    JoinGameRequest,
    ListEventsRequest,
    ListGamesRequest,
)
from coltexpress.v1.seat_service_pb2 import SeatStatus
from coltexpress.v1.server_service_pb2 import GetServerInfoRequest, ServerInfo
from coltexpress.v1.vocabulary_pb2 import Variant
from coltexpress.watching import watch, watch_seats


class Client:
    """A connection to a Colt Express service; made inside a coroutine, best with `async with`.

    target: as gRPC names servers: "host:port", "dns:///host:port" for all replicas behind a name.
    api_key: empty for an anonymous caller.
    tls: whether to use TLS; as bytes: the certificates to trust (PEM) instead of the usual ones.
    retries: when to try again and when to give up.
    language: of prompts, labels and all other texts for people, e.g. "es"; several in the order of
        preference as in the header Accept-Language; empty for English.
    admin_key: an operator's, for `admin`, which looks after all games; empty for all others.

    Every method raises ColtExpressError where the service refuses, and Unavailable where it does
    not answer. Methods that change something take a `request_id`, a UUID of version 4: repeating a
    request with its id, even from another process, has the effect and the answer of the first one.
    Without it each call is a request of its own, repeated only by the client's own retries.
    """

    def __init__(
        self,
        target: str = "localhost:50051",
        *,
        api_key: str = "",
        tls: bool | bytes = False,
        retries: Retries = Retries(),  # noqa: B008 - immutable
        language: str = "",
        admin_key: str = "",
    ) -> None:
        self._connection: Final = Connection(
            target,
            api_key=api_key,
            tls=tls,
            retries=retries,
            language=language,
            admin_key=admin_key,
        )
        self.admin: Final = Admin(self._connection)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End the connection; calls in flight are cancelled."""
        await self._connection.close()

    async def info(self) -> ServerInfo:
        """Versions and limits of the server."""
        return await self._connection.call(
            self._connection.server.GetServerInfo, GetServerInfoRequest()
        )

    async def catalog(self) -> Catalog:
        """Everything in the boxes, with its names and texts in the client's language."""
        return await self._connection.call(self._connection.catalog.GetCatalog, GetCatalogRequest())

    async def create(
        self,
        seats: int | Sequence[list[str]],
        *,
        options: GameOptions | None = None,
        visibility: Visibility.ValueType = Visibility.VISIBILITY_PUBLIC,
        clock: Clock | None = None,
        stand_in: str = "",
        seed: bytes = b"",
        request_id: str = "",
    ) -> Host:
        """Create a game with free seats.

        seats: how many, or for each seat the bandits to be played there, none to leave it open.
        options: what is played; None for the standard game.
        clock: how long players may think; None for all the time in the world.
        stand_in: level of the bot that plays for whoever is absent or has left, one of
            `ServerInfo.bot_levels`; empty for the server's choice.
        seed: fixes the shuffles, 32 bytes, where the server allows that.
        """
        wanted = [[]] * seats if isinstance(seats, int) else seats
        request = CreateGameRequest(
            game=Game(
                options=options,
                visibility=visibility,
                seats=[game_pb2.Seat(figures=figures) for figures in wanted],
                clock=clock,
                stand_in=stand_in,
            ),
            seed=seed,
            request_id=request_id or str(uuid4()),
        )
        created = await self._connection.call(self._connection.games.CreateGame, request)
        return Host(self._connection, created.game.name, created.host_token, created.game.join_code)

    async def find(self, join_code: str) -> Game:
        """The game that has this join code, as people type it.

        Raises:
            ColtExpressError: reason GAME_NOT_FOUND, TOO_MANY.
        """
        request = FindGameRequest(join_code=join_code)
        return await self._connection.call(self._connection.games.FindGame, request)

    async def join(
        self,
        game: str,
        *,
        seat: int | None = None,
        figures: list[str] | None = None,
        display_name: str = "",
        join_code: str = "",
        entropy: bytes | None = None,
        request_id: str = "",
    ) -> Seat:
        """Take a seat of a game that has not begun.

        game: its name, "games/...".
        seat: which one; None for any that is free.
        figures: the bandits to play; None to play those of the seat, or to have them dealt.
        display_name: what the player is called, shown to everybody.
        join_code: what joining a PRIVATE game takes, as people type it.
        entropy: mixed into the shuffles, so that nobody else can choose them; None for 32 random
            bytes.
        """
        request = JoinGameRequest(
            name=game,
            seat=seat,
            figures=figures,
            display_name=display_name,
            entropy=token_bytes(32) if entropy is None else entropy,
            join_code=join_code,
            request_id=request_id or str(uuid4()),
        )
        joined = await self._connection.call(self._connection.games.JoinGame, request)
        return Seat(self._connection, game, joined.seat, joined.seat_token)

    async def seat(self, game: str, token: str) -> Seat:
        """Come back to a seat taken before, from this process or another one.

        Raises:
            ColtExpressError: the token is not (any more) that of a seat of this game.
        """
        request = GetGameRequest(name=game)
        seen = await self._connection.call(self._connection.games.GetGame, request, token)
        return Seat(self._connection, game, seen.viewer, token)

    def host(self, game: str, token: str) -> Host:
        """Come back to a game created before, from this process or another one."""
        return Host(self._connection, game, token, join_code="")

    async def get(self, game: str, *, wait_for_version: int = 0, wait: float = 0.0) -> Game:
        """The game as it is, as a spectator sees it.

        wait_for_version: answer when the game has at least this version, or when the wait is over.
        wait: seconds; the server's own limit may be shorter.
        """
        request = GetGameRequest(name=game, wait_for_version=wait_for_version)
        if wait_for_version:
            request.wait.CopyFrom(_duration(wait))
        return await self._connection.call(self._connection.games.GetGame, request, wait=wait)

    async def past(self, game: str, version: int, *, as_seat: int | None = None) -> Game:
        """A finished game as it was at a version, from its start on.

        as_seat: as this seat saw it; None for what everybody saw.

        Raises:
            ColtExpressError: reason GAME_NOT_OVER, GAME_NOT_STARTED, INVALID_FIELD.
        """
        request = GetGameRequest(name=game, at_version=version, as_seat=as_seat)
        return await self._connection.call(self._connection.games.GetGame, request)

    async def games(
        self,
        states: Iterable[Game.State.ValueType] = (),
        *,
        variants: Iterable[Variant.ValueType] = (),
        seat_counts: Iterable[int] = (),
        free_seats: int = 0,
        mine: bool = False,
    ) -> AsyncGenerator[Game, None]:
        """Public games, the newest first, without what lies on their tables.

        states: only games in one of these; none for all.
        variants: only games of one of these; none for all.
        seat_counts: only games with one of these numbers of seats; none for all.
        free_seats: only games with at least so many free seats.
        mine: instead of public games those, of any visibility, in which this API key has a part.
        """
        request = ListGamesRequest(
            states=states,
            variants=variants,
            seat_counts=seat_counts,
            free_seats=free_seats,
            mine=mine,
        )
        while True:
            page = await self._connection.call(self._connection.games.ListGames, request)
            for game in page.games:
                yield game
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def commits(
        self, game: str, *, as_seat: int | None = None
    ) -> AsyncGenerator[Commit, None]:
        """The commits of a game so far, the first one first, as a spectator sees them.

        as_seat: as this seat saw them, of a finished game.
        """
        request = ListEventsRequest(parent=game, as_seat=as_seat)
        while True:
            page = await self._connection.call(self._connection.games.ListEvents, request)
            for commit in page.commits:
                yield commit
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def watch(self, game: str, cursor: str = "") -> AsyncGenerator[Game | Commit, None]:
        """The game, then every commit once as it happens, until the game is over.

        A stream that breaks is resumed. Where the service has lost what it had shown, the game
        follows anew, as it is now.

        cursor: of a game or a commit, to go on behind it; empty to begin with the game.

        Raises:
            ColtExpressError: the game cannot be watched: reason GAME_NOT_FOUND, GAME_DELETED, ...;
                Unavailable if the service was gone for too long.
        """
        return watch(self._connection, game, cursor, token="")

    def watch_seats(self) -> AsyncGenerator[SeatStatus, None]:
        """How each seat stands that was taken with this API key, in all games, then each change.

        It begins with all seats still to be played, and does so again after a stream that broke.

        Raises:
            ColtExpressError: reason API_KEY_MISSING; Unavailable if the service was gone for too
                long.
        """
        return watch_seats(self._connection)

    async def replay(self, game: str) -> str:
        """Everything about a finished game, as JSON, for anybody to check.

        Raises:
            ColtExpressError: reason GAME_NOT_OVER.
        """
        request = GetReplayRequest(name=game)
        return (await self._connection.call(self._connection.games.GetReplay, request)).document


def _duration(seconds: float) -> Duration:
    duration = Duration()
    duration.FromNanoseconds(int(seconds * 1e9))
    return duration
