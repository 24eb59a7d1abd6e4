"""A bad network between client and service: it holds replies back and breaks connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

from coltexpress_server.conformance.exchange import Exchange, Opaque


class _Connection(NamedTuple):
    """A client's, and what it is passed on by."""

    exchange: Exchange
    to_client: asyncio.StreamWriter
    to_service: asyncio.StreamWriter


class Proxy:
    """Passes bytes on between a port of its own on loopback and the service's.

    address: HOST:PORT of its own, while it serves.
    connections: how many there have been.
    """

    def __init__(self, service: str, exchange: Callable[[], Exchange] = Opaque) -> None:
        """exchange: what is spoken on a connection, where `end` is to know it."""
        self.service = service
        """HOST:PORT to which new connections are passed on."""
        self._exchange: Final = exchange
        self._connections: Final[set[_Connection]] = set()
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
        for connection in self._connections:
            connection.to_client.transport.abort()
            connection.to_service.transport.abort()

    def end(self) -> None:
        """End what is open as a proxy does when the server behind it is killed."""
        for exchange, to_client, to_service in self._connections:
            end = exchange.end()
            to_client.write(end.to_client)
            to_service.write(end.to_service)
            if end.closes:
                to_client.close()
                to_service.transport.abort()

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
            if self._connections:
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
        connection = _Connection(self._exchange(), to_client, to_service)
        self._connections.add(connection)
        self._idle.clear()
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._requests(from_client, connection))
                group.create_task(self._replies(from_service, connection))
        except* ConnectionError:
            pass
        finally:
            self._connections.remove(connection)
            to_client.transport.abort()
            to_service.transport.abort()
            if not self._connections:
                self._idle.set()

    async def _requests(self, source: asyncio.StreamReader, connection: _Connection) -> None:
        while piece := await source.read(65536):
            connection.to_service.write(connection.exchange.request(piece))
            await connection.to_service.drain()
        raise ConnectionResetError

    async def _replies(self, source: asyncio.StreamReader, connection: _Connection) -> None:
        while piece := await source.read(65536):
            await self._open.wait()
            connection.to_client.write(connection.exchange.reply(piece))
            await connection.to_client.drain()
        # A client must see that the service has ended this, or it would send its next request here.
        connection.to_client.write_eof()
        raise ConnectionResetError
