"""Sending answers over ASGI."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from starlette.types import Send

Headers = list[tuple[bytes, bytes]]

JSON: Final = b"application/json"


async def begin(send: Send, status: int, headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Sends the status and the header."""
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})


async def send_part(send: Send, part: bytes) -> None:
    """Sends a part of the body; returns when there is room for the next one."""
    await send({"type": "http.response.body", "body": part, "more_body": True})


async def end(send: Send, part: bytes = b"") -> None:
    """Sends the last part of the body."""
    await send({"type": "http.response.body", "body": part})


async def send_json(
    send: Send, body: bytes, status: int = 200, headers: Iterable[tuple[bytes, bytes]] = ()
) -> None:
    """Sends a whole answer; body: a JSON text."""
    length = str(len(body)).encode()
    await begin(send, status, [(b"content-type", JSON), (b"content-length", length), *headers])
    await end(send, body)
