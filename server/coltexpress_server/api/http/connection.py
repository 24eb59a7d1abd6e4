"""A client's connection: it may not keep us waiting, to which uvicorn sets no limits."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Any, Final

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from coltexpress_server.api import fields
from coltexpress_server.api.errors import failure
from coltexpress_server.api.http.errors import text_of

ABORT: Final = "abort"
"""Under this name the state of a request has what cuts its connection off at once."""

_DROP_ALL: Final = struct.pack("ii", 1, 0)
_FIRST_REQUEST_S: Final = 20.0
_MOST_WAITING: Final = 16 * 1024  # bytes beyond what the system takes


class Connection(H11Protocol):
    """Cuts off who sends no request, and who does not read what was sent."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        unread_s: float,
    ) -> None:
        """unread_s: how long an answer may wait to be read when there is no room on the way."""
        super().__init__(config, server_state, {**app_state, ABORT: self._abort}, _loop)
        self._unread_s: Final = unread_s
        self._limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client is there."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=_MOST_WAITING)
        self._limit = self.loop.call_later(_FIRST_REQUEST_S, self._without_request)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        self._unlimit()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """There is no room for more on the way."""
        super().pause_writing()
        self._unlimit()
        self._limit = self.loop.call_later(self._unread_s, self._abort)

    def resume_writing(self) -> None:
        """There is room again."""
        self._unlimit()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Answers what is no HTTP, or has too large a header, as any other wrong request."""
        wrong = "this is no HTTP request, or its header is too large"
        body = text_of(failure(fields.invalid("request", wrong)))
        headers = [
            ("content-type", "application/json"),
            ("content-length", str(len(body))),
            ("connection", "close"),
        ]
        for event in (
            h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
            h11.Data(data=body),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _without_request(self) -> None:
        cycle: object = self.cycle  # None until the first request, whatever its annotation says
        if cycle is None:
            self._abort()

    def _unlimit(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def _abort(self) -> None:
        # What is on its way is dropped; else the system would go on trying to deliver it.
        self.transport.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, _DROP_ALL
        )
        self.transport.abort()
