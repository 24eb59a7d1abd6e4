"""Passing a watch on to its client."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Final

from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.api.calls import Context
from coltexpress_server.api.commits import Commits
from coltexpress_server.api.games import game
from coltexpress_server.api.texts import Language
from coltexpress_server.api.words import ENDS
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import Seen, SeenStep
from coltexpress_server.service.watch import End, Idle, Watch

_LAST_WORDS_S: Final = 2.0


class Watches:
    """The open watches of one server."""

    def __init__(self, commits: Commits, *, most: int, patience_s: float) -> None:
        """commits: makes the messages. most: how many may be open.

        patience_s: how long a client may leave a message unread when there is no room for it on the
            way to it any more.
        """
        self._commits: Final = commits
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

    async def pass_on(self, watch: Watch, context: Context, language: Language) -> None:
        """Writes all that a watch brings, in a language, to its end.

        A client that reads nothing is cut off after a while, and soon where the watch has ended:
        there is no way to tell it. Raises Refused to do so.
        """
        try:
            async with asyncio.timeout(None) as patience, _limited(patience, watch):
                async for seen in watch:
                    async with asyncio.timeout(self._patience_s):
                        await context.write(self._message(seen, language))
        except TimeoutError:
            raise Refused(
                "TOO_SLOW", "the stream was not read in time; watch again behind what was read last"
            ) from None

    def _message(
        self, seen: Seen | SeenStep | Idle | End, language: Language
    ) -> pb.WatchGameResponse:
        match seen:
            case Seen():
                return pb.WatchGameResponse(game=game(seen, language))
            case SeenStep():
                return pb.WatchGameResponse(commit=self._commits.message(seen, language))
            case Idle():
                return pb.WatchGameResponse(heartbeat=pb.Heartbeat(cursor=seen.cursor))
            case End():
                end = pb.EndOfStream(reason=ENDS.values[seen.reason], cursor=seen.cursor)
                return pb.WatchGameResponse(end=end)


@contextlib.asynccontextmanager
async def _limited(patience: asyncio.Timeout, watch: Watch) -> AsyncIterator[None]:
    """Let a timeout begin when a watch has ended."""

    async def begin() -> None:
        await watch.ended.wait()
        patience.reschedule(asyncio.get_running_loop().time() + _LAST_WORDS_S)

    beginning = asyncio.create_task(begin(), name="end of a watch")
    try:
        yield
    finally:
        beginning.cancel()
