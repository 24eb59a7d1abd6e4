"""A receiver of webhooks on loopback."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hmac
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

LIMIT = 20  # s


@dataclass
class Received:
    """A request: its path, its headers in lower case, its body."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def content(self) -> Any:
        return json.loads(self.body)

    def is_signed_with(self, secret: str) -> bool:
        """Whether the signature is right, worked out as receivers do."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode()
        right = base64.b64encode(hmac.digest(key, signed + self.body, "sha256")).decode()
        return self.headers["webhook-signature"] == f"v1,{right}"


@dataclass
class Receiver:
    """Answers every request with the next status; the last one stands for all that follow.

    silent: while it is set, requests get no answer at all.
    """

    port: int = 0
    silent: bool = False
    statuses: list[int] = field(default_factory=lambda: [200])
    _requests: asyncio.Queue[Received] = field(default_factory=asyncio.Queue)

    def url(self, path: str = "/hook") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    async def next(self) -> Received:
        """The next request, waited for if need be."""
        async with asyncio.timeout(LIMIT):
            return await self._requests.get()

    def unread(self) -> int:
        return self._requests.qsize()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")

        headers = {
            name.lower(): value
            for name, value in (line.split(": ", 1) for line in head[1:] if line)
        }
        body = await reader.readexactly(int(headers["content-length"]))
        self._requests.put_nowait(Received(head[0].split()[1], headers, body))
        if self.silent:
            await reader.read()  # until it gives up
            writer.close()
            return
        status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        writer.write(
            f"HTTP/1.1 {status} Status\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n"
            "connection: close\r\n\r\n".encode()
        )
        await writer.drain()
        writer.close()
        await writer.wait_closed()


@contextlib.asynccontextmanager
async def receiving(*statuses: int) -> AsyncIterator[Receiver]:
    """Run a receiver."""
    receiver = Receiver(statuses=list(statuses or (200,)))
    server = await asyncio.start_server(receiver._serve, "127.0.0.1", 0)
    receiver.port = server.sockets[0].getsockname()[1]
    async with server:
        yield receiver
