"""A bad connection to the store: slow, cut, or losing replies, as a test wants it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit


class Proxy:
    """Passes bytes on between a socket of its own and the server's."""

    def __init__(self, server_url: str, path: Path) -> None:
        self.url: Final = f"unix://{path}"
        self.delay = 0.0
        """Seconds by which each piece that the server sends is held back."""
        self.cut_at_next_reply = False
        """Whether to drop the next piece that the server sends, and the connection with it."""
        self.connections = 0
        self._server_path: Final = urlsplit(server_url).path
        self._path: Final = path
        self._writers: Final[set[asyncio.StreamWriter]] = set()

    def cut(self) -> None:
        """Cut all connections."""
        for writer in self._writers:
            writer.close()

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        server = await asyncio.start_unix_server(self._serve, self._path)
        try:
            yield
        finally:
            server.close()
            self.cut()
            await server.wait_closed()
            while self._writers:
                await asyncio.gather(*(writer.wait_closed() for writer in self._writers))

    async def _serve(
        self, from_client: asyncio.StreamReader, to_client: asyncio.StreamWriter
    ) -> None:
        self.connections += 1
        from_server, to_server = await asyncio.open_unix_connection(self._server_path)
        both = {to_client, to_server}
        self._writers.update(both)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._requests(from_client, to_server))
                group.create_task(self._replies(from_server, to_client))
        except* ConnectionError:
            pass
        finally:
            for writer in both:
                writer.close()
            self._writers.difference_update(both)

    async def _requests(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while piece := await source.read(65536):
            sink.write(piece)
            await sink.drain()
        raise ConnectionResetError

    async def _replies(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while piece := await source.read(65536):
            if self.cut_at_next_reply:
                self.cut_at_next_reply = False
                break
            await asyncio.sleep(self.delay)
            sink.write(piece)
            await sink.drain()
        raise ConnectionResetError
