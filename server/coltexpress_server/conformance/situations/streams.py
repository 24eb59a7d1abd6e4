"""Watches that break."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

from google.protobuf.message import Message

from coltexpress.v1.game_service_pb2 import EndOfStream, WatchGameResponse
from coltexpress_server.conformance.interposer import Call
from coltexpress_server.conformance.situation import Situation, gone, refused
from coltexpress_server.conformance.table import Table


class _Broken(Situation):
    """Breaks the first watch of the game, after some messages."""

    _MESSAGES: Final = 8

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.broken = False
        self._sent = 0

    def send(self, call: Call, message: Message) -> None:
        """Break the first one."""
        if call.method == "WatchGame" and not self.broken:
            self._sent += 1
            if self._sent > self._MESSAGES:
                self.broken = True
                self.table.network.cut()
                raise gone()


class StreamCut(_Broken):
    """A connection is lost, and the service does not answer for a while."""

    NAME = "stream-cut"
    TEXT = (
        "In the middle of the game the connection of a watch breaks. For a second and a half new"
        " watches are refused. The client tries again with growing pauses, then watches on behind"
        " the last cursor that it has got, so that it misses nothing. (A client that does not watch"
        " does not meet this.)"
    )
    ADVICE = (
        "Remember the cursor of every game, commit, heartbeat and end; send it in the next"
        " WatchGame (over SSE it is Last-Event-ID). Pause between attempts, twice as long each"
        " time."
    )

    _AWAY_S: Final = 1.5
    _MOST_ATTEMPTS: Final = 20

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._back = 0.0
        self._attempts = 0

    async def receive(self, call: Call) -> None:
        """Refuse for a while what comes after the break."""
        if call.method == "WatchGame" and self.broken and not self.met:
            now = asyncio.get_running_loop().time()
            self._back = self._back or now + self._AWAY_S
            if now < self._back:
                self._attempts += 1
                if self._attempts > self._MOST_ATTEMPTS:
                    self.blame("it tries to watch again without pausing in between")
                raise refused("STORE_UNAVAILABLE")
            self.met = True
            if not call.request.cursor:
                self.blame("it watches from the beginning instead of behind the last cursor")


class CursorUnknown(_Broken):
    """The service has lost what it had shown: a failover to an older copy of its data."""

    NAME = "cursor-unknown"
    TEXT = (
        "The connection of a watch breaks, and the cursor that the client goes on with is not known"
        " any more: the stream ends with CURSOR_UNKNOWN. The client watches without a cursor, and"
        " begins anew with the game that this brings. (A client that does not watch, or not with a"
        " cursor, does not meet this.)"
    )
    ADVICE = (
        "After CURSOR_UNKNOWN forget the cursor and all that you know of the game: a Game follows,"
        " with the decisions that are open, some of which you may have answered before."
    )

    _MOST: Final = 3

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._told = 0

    async def stream(self, call: Call) -> AsyncGenerator[Message, None]:
        """Know no cursor after the break, until the client has understood."""
        if call.method == "WatchGame" and self.broken and not self.met:
            if call.request.cursor:
                self._told += 1
                if self._told > self._MOST:
                    self.blame("it goes on with a cursor that it was told is not known")
                end = EndOfStream(reason=EndOfStream.REASON_CURSOR_UNKNOWN)
                yield WatchGameResponse(end=end)
                return
            self.met = self._told > 0
        async with aclosing(super().stream(call)) as messages:
            async for message in messages:
                yield message
