"""The connection to one server, made when it is needed and made anew when it has broken."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as RedisConnectionError

from coltexpress_server.store.joint import Joint
from coltexpress_server.store.pipe import Pipe


class Line:
    """Leads to one server; all calls share its connection. Its errors are redis-py's."""

    def __init__(self, make: Callable[[], AbstractConnection], *, timeout: float) -> None:
        """`make` makes a connection that is not yet open; opening it may take `timeout` seconds."""
        self._make: Final = make
        self._timeout: Final = timeout
        self._closed = False
        self._pipe: Pipe | None = None
        self._laying: Final = Joint(self._lay, "store connecting")

    async def open(self) -> Pipe:
        """Return the connection, a new one where there is none or it is broken."""
        if self._pipe is not None and not self._pipe.is_broken:
            return self._pipe
        return await self._laying.done()

    @asynccontextmanager
    async def apart(self) -> AsyncIterator[AbstractConnection]:
        """Open a connection apart, for what keeps it busy for long."""
        connection = await self._connect()
        try:
            yield connection
        finally:
            await connection.disconnect(nowait=True)

    def give_up(self, reason: str, *, silent_since: float | None = None) -> None:
        """Give the connection up; calls under way are told why, and the next one connects.

        With `silent_since`, a time of the event loop, only if it owes replies since then.
        """
        pipe = self._pipe
        if pipe is not None and (silent_since is None or pipe.is_silent_since(silent_since)):
            pipe.break_off(reason)

    async def close(self) -> None:
        """Close the connection for good."""
        self._closed = True
        await self._laying.cancel()
        if self._pipe is not None:
            await self._pipe.close()

    async def _lay(self) -> Pipe:
        try:
            self._pipe = Pipe(await self._connect())
        except asyncio.CancelledError:
            # The callers who wait for this are not cancelled themselves.
            raise RedisConnectionError("the store was closed") from None
        return self._pipe

    async def _connect(self) -> AbstractConnection:
        if self._closed:
            raise RedisConnectionError("the store was closed")
        connection = self._make()
        try:
            async with asyncio.timeout(self._timeout):
                # redis-py's own method has no annotations.
                await connection.connect()  # type: ignore[no-untyped-call]
        except BaseException as error:
            await connection.disconnect(nowait=True)
            if isinstance(error, TimeoutError):
                why = f"no connection within {self._timeout:g} s"
                raise RedisConnectionError(why) from None
            raise
        return connection
