"""The HTTP server: uvicorn, in the event loop and under the signals of the process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Iterator
from functools import partial
from typing import Final, cast

import uvicorn
from starlette.types import ASGIApp

from coltexpress_server.api.http.connection import Connection
from coltexpress_server.api.listening import bind, check_certificate
from coltexpress_server.settings import Settings

_LARGEST_HEADER: Final = 16 * 1024
# Longer than load balancers keep idle connections, so that it is not us who close one just as
# it is used again.
_KEEP_ALIVE_S: Final = 75
_SLACK_S: Final = 3.0


class HttpServer:
    """An application on the HTTP port of one process."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """Prepares the server; it answers when started."""
        self._settings: Final = settings
        self._server: Final = _Uvicorn(
            uvicorn.Config(
                app,
                http=cast(
                    "type[Connection]",
                    # Whoever writes a stream gives up first, and says so.
                    partial(Connection, unread_s=settings.watch_patience_s + _SLACK_S),
                ),
                ws="none",
                lifespan="off",
                log_config=None,
                # Calls are logged by us; of what is no HTTP there is nothing to say.
                log_level=logging.CRITICAL,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=_KEEP_ALIVE_S,
                h11_max_incomplete_event_size=_LARGEST_HEADER,
                ssl_certfile=settings.tls_cert,
                ssl_keyfile=settings.tls_key,
            )
        )
        self._serving: asyncio.Task[None] | None = None

    async def start(self, port: int) -> str:
        """Listens; returns the URL, http://HOST:PORT.

        Raises:
            CannotListen: see there.
        """
        check_certificate(self._settings)
        sockets = await bind(self._settings.host, port)
        port = sockets[0].getsockname()[1]
        self._serving = asyncio.create_task(self._server.serve(sockets), name="http")
        await self._server.ready.wait()
        host = self._settings.host
        scheme = "http" if self._settings.tls_cert is None else "https"
        return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"

    async def stop(self, grace_s: float) -> None:
        """Takes no more requests, and gives those that are open some seconds to end."""
        if self._serving is None:
            return
        self._server.config.timeout_graceful_shutdown = grace_s  # type: ignore[assignment] # s
        self._server.leave()
        await self._serving
        for connection in list(self._server.server_state.connections):
            connection.transport.abort()


class _Uvicorn(uvicorn.Server):
    """A server that leaves signals to the process, and does not look ten times a second.

    ready: set when it listens.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready: Final = asyncio.Event()
        self._leaving: Final = asyncio.Event()

    def leave(self) -> None:
        """End `serve`."""
        self._leaving.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves signals alone."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listens."""
        await super().startup(sockets)
        self.ready.set()

    async def main_loop(self) -> None:
        """Keeps the date in the header right until it is time to go."""
        while not self._leaving.is_set():
            await self.on_tick(0)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self._leaving.wait()
