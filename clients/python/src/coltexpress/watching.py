"""Following a game, or all seats of a principal, across broken streams and restarted servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final, TypeVar, cast

import grpc
from google.protobuf.message import Message

from coltexpress.connection import Connection, game_of
from coltexpress.errors import ColtExpressError, Unavailable, error_of
from coltexpress.retries import Trying
from coltexpress.v1.event_pb2 import Commit
from coltexpress.v1.game_pb2 import Game
from coltexpress.v1.game_service_pb2 import EndOfStream, WatchGameRequest
from coltexpress.v1.seat_service_pb2 import SeatStatus, WatchSeatsRequest

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)

SILENCE: Final = 60.0
"""Seconds without a message, heartbeats included, after which a stream is taken for dead."""

_NO_MORE: Final = {
    EndOfStream.REASON_GAME_DELETED: grpc.StatusCode.NOT_FOUND,
    EndOfStream.REASON_GAME_HIDDEN: grpc.StatusCode.NOT_FOUND,
    EndOfStream.REASON_TOKEN_REVOKED: grpc.StatusCode.UNAUTHENTICATED,
}
"""Reasons for which a watch is not resumed, with the code of the error raised instead."""


async def watch(
    connection: Connection, game: str, cursor: str, token: str
) -> AsyncGenerator[Game | Commit, None]:
    """The game, then every commit once as it happens, until the game is over.

    A stream that breaks is resumed. Where the service has lost what it had shown, the game follows
    anew, as it is now.

    game: its name.
    cursor: of a game or a commit, to go on behind it; empty to begin with the game.
    token: of a host or a seat; empty to watch as a spectator.

    Raises:
        ColtExpressError: the game cannot be watched: reason GAME_NOT_FOUND, GAME_DELETED,
            TOKEN_REVOKED, ...; Unavailable if the service was gone for too long.
    """
    trying = Trying(connection.retries)
    while True:
        request = WatchGameRequest(name=game, cursor=cursor)
        try:
            metadata = connection.metadata(token, game_of(request))
            call = connection.games.WatchGame(request, metadata=metadata)
            async with aclosing(_stream(call)) as messages:
                async for message in messages:
                    match message.WhichOneof("message"):
                        case "game":
                            cursor = message.game.cursor
                            yield message.game
                        case "commit":
                            cursor = message.commit.cursor
                            yield message.commit
                        case "heartbeat":
                            cursor = message.heartbeat.cursor
                        case "end":
                            if message.end.reason == EndOfStream.REASON_GAME_OVER:
                                return
                            cursor = message.end.cursor or cursor
                            raise _ended(message.end.reason)
                    trying.succeeded()
        except ColtExpressError as error:
            if error.reason == "CURSOR_UNKNOWN" and cursor:
                cursor = ""
                await trying.wait_after(_broken("The cursor is unknown by now."))
            else:
                await trying.wait_after(error)


async def watch_seats(connection: Connection) -> AsyncGenerator[SeatStatus, None]:
    """How each seat of the client's principal stands that is to be played, then each change.

    A stream that breaks is begun anew, with all seats that are then to be played: what was told
    before may be told again, and a game that was over or gone meanwhile is not heard of again.

    Raises:
        ColtExpressError: reason API_KEY_MISSING for a client without a key; Unavailable if the
            service was gone for too long.
    """
    trying = Trying(connection.retries)
    while True:
        try:
            call = connection.seats.WatchSeats(
                WatchSeatsRequest(), metadata=connection.metadata(token="")
            )
            async with aclosing(_stream(call)) as messages:
                async for message in messages:
                    match message.WhichOneof("message"):
                        case "seat":
                            yield message.seat
                        case "end":
                            raise _ended(message.end.reason)
                    trying.succeeded()
        except ColtExpressError as error:
            await trying.wait_after(error)


async def _stream(
    call: grpc.aio.UnaryStreamCall[Request, Response],
) -> AsyncGenerator[Response, None]:
    """The messages of one stream; it never ends but by an error."""
    try:
        while True:
            async with asyncio.timeout(SILENCE):
                message = await call.read()
            if not isinstance(message, Message):  # it is grpc.aio.EOF
                raise _broken("The stream ended without saying why.")
            yield cast("Response", message)
    except grpc.aio.AioRpcError as failure:
        raise error_of(failure) from failure
    except TimeoutError:
        raise _broken(f"The stream showed no sign of life for {SILENCE:g} seconds.") from None
    finally:
        call.cancel()


def _ended(reason: EndOfStream.Reason.ValueType) -> ColtExpressError:
    """What it means that the service ended a stream before the game is over."""
    name = EndOfStream.Reason.Name(reason).removeprefix("REASON_")
    message = f"The service ended the stream: {name}."
    if reason == EndOfStream.REASON_CURSOR_UNKNOWN:
        return ColtExpressError(message, grpc.StatusCode.OUT_OF_RANGE, name)
    if reason in _NO_MORE:
        return ColtExpressError(message, _NO_MORE[reason], name)
    return _broken(message)


def _broken(message: str) -> Unavailable:
    return Unavailable(message, grpc.StatusCode.UNAVAILABLE)
