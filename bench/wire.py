"""What passes on the wire: all bytes over TCP, headers and frames included."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self


class Wire:
    """A port on loopback that passes on to a server's, and counts.

    address: HOST:PORT to connect to, while it is `passing`.
    sent: bytes from clients so far. received: bytes from the server.
    """

    def __init__(self, server: str) -> None:
        """server: HOST:PORT to pass on to."""
        self.address = ""
        self.sent = 0
        self.received = 0
        self._server = server
        self._connections: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def passing(self) -> AsyncIterator[Self]:
        """Pass bytes on while the block lasts; what is still connected then is cut off."""
        server = await asyncio.start_server(self._begin, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()
        self.address = f"{host}:{port}"
        try:
            yield self
        finally:
            server.close()
            for connection in self._connections:
                connection.cancel()
            await asyncio.gather(*self._connections, return_exceptions=True)

    def _begin(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._connection(source, sink))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)

    async def _connection(
        self, from_client: asyncio.StreamReader, to_client: asyncio.StreamWriter
    ) -> None:
        host, _, port = self._server.rpartition(":")
        from_server, to_server = await asyncio.open_connection(host, int(port))
        back = asyncio.create_task(self._pass(from_server, to_client, back=True))
        try:
            await self._pass(from_client, to_server, back=False)
        finally:
            back.cancel()
            await asyncio.gather(back, return_exceptions=True)
            to_client.transport.abort()
            to_server.transport.abort()

    async def _pass(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, back: bool
    ) -> None:
        while piece := await source.read(65536):
            if back:
                self.received += len(piece)
            else:
                self.sent += len(piece)
            sink.write(piece)
            await sink.drain()
