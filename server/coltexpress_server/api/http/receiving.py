"""Receiving over ASGI: headers, a body of limited size, and that a client has gone."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any, Final

from starlette.types import Receive, Scope

from coltexpress_server.service.refusals import Refused

_LONGEST_BODY_S: Final = 20.0


class ClientGone(Exception):
    """Nobody waits for the answer any more."""


class DeadlinePassed(Exception):
    """The time that the client gave has passed."""


class HttpContext:
    """What a call over HTTP comes with (see calls.Context); one that streams adds its writing.

    transport: what the call is counted as.
    """

    transport: Final = "rest"

    def __init__(self, scope: Scope) -> None:
        """scope: of the request."""
        self._headers: Final = [
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]
        ]
        self._client: Final[tuple[str, int] | None] = scope.get("client")

    def invocation_metadata(self) -> list[tuple[str, str]]:
        """The headers."""
        return self._headers

    def show(self, token: str) -> None:
        """Have the call show a token that did not come in a header; empty for none."""
        if token:
            self._headers.append(("authorization", f"Bearer {token}"))

    def peer(self) -> str:
        """Where the request comes from, as gRPC says it."""
        if self._client is None:
            return ""
        host, port = self._client
        return f"ipv6:[{host}]:{port}" if ":" in host else f"ipv4:{host}:{port}"

    async def send_initial_metadata(self, initial_metadata: Any) -> None:
        """Not for a call that is answered once."""
        raise NotImplementedError

    async def write(self, message: Any) -> None:
        """Not for a call that is answered once."""
        raise NotImplementedError


def header(scope: Scope, name: bytes) -> str:
    """The value of a header, empty where there is none."""
    for each, value in scope["headers"]:
        if each == name:
            return str(value, "latin-1")
    return ""


async def body(scope: Scope, receive: Receive, largest: int) -> bytes:
    """The whole body of a request.

    Raises:
        ClientGone: see there.
        Refused: REQUEST_TOO_LARGE; DEADLINE_PASSED where it takes too long to come.
    """
    length = header(scope, b"content-length")
    if length.isdigit() and int(length[:20]) > largest:
        raise _too_large(largest)
    found = bytearray()
    try:
        async with asyncio.timeout(_LONGEST_BODY_S):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientGone
                found += message.get("body", b"")
                if len(found) > largest:
                    raise _too_large(largest)
                if not message.get("more_body", False):
                    return bytes(found)
    except TimeoutError:
        raise Refused("DEADLINE_PASSED", "the request took too long to come") from None


@contextlib.asynccontextmanager
async def while_wanted(receive: Receive, limit_s: float | None) -> AsyncIterator[None]:
    """Carry out the block, and leave it as soon as nobody waits for what it does.

    The body must have been received.

    Raises:
        ClientGone: the client has closed the connection.
        DeadlinePassed: limit_s seconds have passed; None: no limit.
    """
    gone = False

    async def watch() -> None:
        nonlocal gone
        while (await receive())["type"] != "http.disconnect":
            pass
        gone = True
        if not limit.expired():
            limit.reschedule(asyncio.get_running_loop().time())

    limit = asyncio.timeout(limit_s)
    try:
        async with limit:
            watching = asyncio.create_task(watch(), name="a client's presence")
            try:
                yield
            finally:
                watching.cancel()
    except TimeoutError:
        if not limit.expired():
            raise
        raise (ClientGone if gone else DeadlinePassed) from None


def _too_large(largest: int) -> Refused:
    return Refused("REQUEST_TOO_LARGE", f"a request has at most {largest} bytes")
