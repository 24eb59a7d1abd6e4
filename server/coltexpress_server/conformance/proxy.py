"""A bad network between client and service: it holds replies back and breaks connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final


class Proxy:
    """Passes bytes on between a port of its own on loopback and the service's.

    address: HOST:PORT of its own, while it serves.
    connections: how many there have been.
    """

    def __init__(self, service: str) -> None:
        self.service = service
        """HOST:PORT to which new connections are passed on."""
        self._writers: Final[set[asyncio.StreamWriter]] = set()
        self._idle: Final = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._refusing = False
        self.address = ""
        self.connections = 0
        self._open: Final = asyncio.Event()
        self._open.set()

    def hold(self) -> None:
        """Hold back what the service sends; what comes before `cut` is lost."""
        self._open.clear()

    def release(self) -> None:
        """Let everything through again."""
        self._open.set()

    def cut(self) -> None:
        """Break all connections; new ones are let through."""
        for writer in self._writers:
            writer.transport.abort()

    @asynccontextmanager
    async def serving(self, *, listening: bool = True) -> AsyncIterator[Proxy]:
        """Serve inside the block.

        listening: whether to do so at once; else connections are refused until `listen`.
        """
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, start_serving=listening)
        self._server = server
        self.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            self.cut()
            await server.wait_closed()
            if self._writers:
                await self._idle.wait()

    def refuse(self) -> None:
        """Take no connection until `listen`."""
        self._refusing = True

    async def listen(self) -> None:
        """Take connections from now on."""
        self._refusing = False
        if self._server is not None:
            await self._server.start_serving()

    async def _serve(
        self, from_client: asyncio.StreamReader, to_client: asyncio.StreamWriter
    ) -> None:
        if self._refusing:
            to_client.transport.abort()
            return
        try:
            host, port = self.service.rsplit(":", 1)
            from_service, to_service = await asyncio.open_connection(host, int(port))
        except OSError:
            to_client.transport.abort()
            return
        self.connections += 1
        both = {to_client, to_service}
        self._writers.update(both)
        self._idle.clear()
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._requests(from_client, to_service))
                group.create_task(self._replies(from_service, to_client))
        except* ConnectionError:
            pass
        finally:
            self._writers.difference_update(both)
            for writer in both:
                writer.transport.abort()
            if not self._writers:
                self._idle.set()

    async def _requests(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while piece := await source.read(65536):
            sink.write(piece)
            await sink.drain()
        raise ConnectionResetError

    async def _replies(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while piece := await source.read(65536):
            await self._open.wait()
            sink.write(piece)
            await sink.drain()
        # A client must see that the service has ended this, or it would send its next request here.
        sink.write_eof()
        raise ConnectionResetError
