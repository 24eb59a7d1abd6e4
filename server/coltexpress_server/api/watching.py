"""Passing a watch on to its client."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final, Protocol, TypeVar

from google.protobuf.message import Message

from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.api.calls import Context
from coltexpress_server.api.languages import language_named
from coltexpress_server.api.words import ENDS
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.watch import End, Idle

Thing_co = TypeVar("Thing_co", covariant=True)

_LAST_WORDS_S: Final = 2.0


class Watch(Protocol[Thing_co]):
    """What there is to be passed on."""

    @property
    def ended(self) -> asyncio.Event:
        """Set when nothing more will come, for one who is busy passing on an earlier thing."""

    def __aiter__(self) -> AsyncIterator[Thing_co]:
        """Iterates over what there is."""


class Watches:
    """The open watches of one process."""

    def __init__(self, *, most: int, patience_s: float) -> None:
        """most: how many may be open.

        patience_s: how long a client may leave a message unread when there is no room for it on the
            way to it any more.
        """
        self._most: Final = most
        self._patience_s: Final = patience_s
        self._open = 0

    @contextlib.contextmanager
    def place(self) -> Iterator[None]:
        """A place among the open watches. Raises Refused where none is free."""
        if self._open >= self._most:
            raise Refused("TOO_MANY", "too many watches are open here")
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1

    async def pass_on(
        self, watch: Watch[Thing_co], message: Callable[[Thing_co], Message], context: Context
    ) -> None:
        """Writes all that a watch brings, to its end.

        message: makes the message that is written of a thing.
        A client that reads nothing is cut off after a while, and soon where the watch has ended:
        there is no way to tell it. Raises Refused to do so.
        """
        try:
            async with asyncio.timeout(None) as patience, _limited(patience, watch):
                named = language_named(context.invocation_metadata() or ())
                await context.send_initial_metadata(named)
                async for thing in watch:
                    async with asyncio.timeout(self._patience_s):
                        await context.write(message(thing))
        except TimeoutError:
            raise Refused(
                "TOO_SLOW", "the stream was not read in time; watch again behind what was read last"
            ) from None


def heartbeat(idle: Idle) -> pb.Heartbeat:
    """A sign of life."""
    return pb.Heartbeat(cursor=idle.cursor)


def end_of_stream(end: End) -> pb.EndOfStream:
    """The end of a stream."""
    return pb.EndOfStream(reason=ENDS.values[end.reason], cursor=end.cursor)


@contextlib.asynccontextmanager
async def _limited(patience: asyncio.Timeout, watch: Watch[object]) -> AsyncIterator[None]:
    """Let a timeout begin when a watch has ended."""

    async def begin() -> None:
        await watch.ended.wait()
        patience.reschedule(asyncio.get_running_loop().time() + _LAST_WORDS_S)

    beginning = asyncio.create_task(begin(), name="end of a watch")
    try:
        yield
    finally:
        beginning.cancel()
