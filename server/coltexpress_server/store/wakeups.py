"""Hints that games have changed, over one publish/subscribe connection a process."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from coltexpress_server.store.link import Link

Callback = Callable[[bytes], None]
"""Takes a message's data; made in the event loop, and must not raise."""

_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 2.0


class Wakeups:
    """Calls back for each message on the channels that are wanted.

    Messages may be lost, for one while the connection is down. So the callback is made, with empty
    data, whenever a subscription has come to stand, the first time and after each reconnection:
    whoever then looks at the game has missed nothing. The connection is opened when a channel is
    first wanted, and kept from then on.
    """

    def __init__(self, link: Link, *, ping_interval: float) -> None:
        """The connection is tried every `ping_interval` seconds."""
        self._link: Final = link
        self._ping_interval: Final = ping_interval
        self._wanted: Final[dict[str, Callback]] = {}
        self._changed: Final[set[str]] = set()
        self._change: Final = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def add(self, channel: str, callback: Callback) -> None:
        """Begin to want a channel; it is subscribed to soon."""
        self._wanted[channel] = callback
        self._note(channel)
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="store wake-ups")

    def discard(self, channel: str) -> None:
        """Cease to want a channel; a message may still come."""
        self._wanted.pop(channel, None)
        self._note(channel)

    async def close(self) -> None:
        """Close the connection."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def _note(self, channel: str) -> None:
        self._changed.add(channel)
        self._change.set()

    async def _run(self) -> None:
        pause = _FIRST_PAUSE
        while True:
            # An error is not worth a word here: calls to the store meet the same, and tell it.
            with contextlib.suppress(RedisError, OSError):
                async with self._link.connection() as connection:
                    pause = _FIRST_PAUSE
                    await self._follow(connection)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _follow(self, connection: AbstractConnection) -> None:
        """Subscribe and listen until the connection fails."""
        self._changed.update(self._wanted)
        self._change.set()
        writer = asyncio.create_task(self._write(connection), name="store wake-ups, subscribing")
        try:
            await self._read(connection)
        finally:
            writer.cancel()
            # What it met, the reader has met too.
            await asyncio.gather(writer, return_exceptions=True)

    async def _write(self, connection: AbstractConnection) -> None:
        subscribed: set[str] = set()
        while True:
            changed = set(self._changed)
            self._changed.clear()
            self._change.clear()
            if coming := (changed & self._wanted.keys()) - subscribed:
                await connection.send_command("SUBSCRIBE", *coming)
            if going := (changed & subscribed) - self._wanted.keys():
                await connection.send_command("UNSUBSCRIBE", *going)
            subscribed = (subscribed | coming) - going
            try:
                async with asyncio.timeout(self._ping_interval):
                    await self._change.wait()
            except TimeoutError:
                await connection.send_command("PING")

    async def _read(self, connection: AbstractConnection) -> None:
        while True:
            message = await connection.read_response(timeout=3 * self._ping_interval)
            match message:
                case [b"message", channel, data]:
                    self._call_back(channel.decode(), data)
                case [b"subscribe", channel, _]:
                    self._call_back(channel.decode(), b"")
                case None:
                    raise RedisConnectionError("the server has fallen silent")

    def _call_back(self, channel: str, data: bytes) -> None:
        callback = self._wanted.get(channel)
        if callback is not None:
            callback(data)
