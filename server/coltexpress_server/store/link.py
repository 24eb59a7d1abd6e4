"""The way to the server: connections, time limits, and errors put in the store's own terms."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    ConnectionError as RedisConnectionError,
)
from redis.exceptions import (
    NoScriptError,
    RedisError,
    ResponseError,
)
from redis.exceptions import (
    TimeoutError as RedisTimeoutError,
)

from coltexpress_server.store.errors import StoreDamaged, StoreError, StoreUnavailable, StoreUnfit
from coltexpress_server.store.pipe import Command, Pipe
from coltexpress_server.store.scripts import Script

SCHEMES: Final = ("redis", "rediss", "unix")

# What a server says that works again later, or elsewhere after a failover. Older servers wrap what
# happens inside a script into a sentence, so the word may stand anywhere.
_TEMPORARY: Final = re.compile(
    r"\b(READONLY|LOADING|BUSY|OOM|MISCONF|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK"
    r"|UNBLOCKED|max number of clients)\b"
)
_REFUSED: Final = re.compile(
    r"\b(NOAUTH|NOPERM|WRONGPASS|ACL failure|user executing the script can't)\b"
)
_DAMAGED: Final = re.compile(r"\b(WRONGTYPE|DAMAGED)\b")
# After these the server at the other end is not the one to talk to: connect afresh next time.
_DEMOTED: Final = re.compile(r"\b(READONLY|MASTERDOWN|MOVED)\b")


def describe(url: str) -> str:
    """Say where a store's URL leads, without user, password or options."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return f"unix://{parts.path}"
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"


class Link:
    """The connection to one server, made when it is needed.

    Every call ends within `timeout` seconds. A call that finds the connection broken is made once
    more on a new one: all that the store sends may be repeated without harm.
    """

    def __init__(self, url: str, *, timeout: float) -> None:
        """Prepare the link; the first call connects.

        Raises StoreUnfit where the URL is of no kind that this class can follow.
        """
        if urlsplit(url).scheme not in SCHEMES:
            raise StoreUnfit(
                "the store's URL must begin with " + ", ".join(f"{s}://" for s in SCHEMES)
            )
        self._timeout: Final = timeout
        try:
            # Used for making connections, not for keeping them. Limits of time and repetition are
            # ours alone.
            self._pool: Final = ConnectionPool.from_url(
                url,
                socket_timeout=None,
                socket_connect_timeout=timeout,
                retry=Retry(NoBackoff(), 0),
                protocol=2,
                client_name="coltexpress",
            )
        except ValueError as error:
            raise StoreUnfit(f"the store's URL is not valid: {error}") from None
        self._closed = False
        self._pipe: Pipe | None = None
        self._connecting: asyncio.Task[Pipe] | None = None

    async def close(self) -> None:
        """Close the connection; later calls raise StoreUnavailable."""
        self._closed = True
        if self._connecting is not None:
            self._connecting.cancel()
            await asyncio.wait([self._connecting])
        if self._pipe is not None:
            await self._pipe.close()

    async def call(self, *command: str | bytes | int) -> Any:
        """Run one command and return its reply."""
        async with self._limits():
            return (await self._replies([command]))[0]

    async def run(self, script: Script, keys: Sequence[str], *args: str | bytes | int) -> Any:
        """Run a script as one command (two the first time that the server meets it)."""
        async with self._limits():
            try:
                return (await self._replies([("EVALSHA", script.sha, len(keys), *keys, *args)]))[0]
            except NoScriptError:
                return (await self._replies([("EVAL", script.text, len(keys), *keys, *args)]))[0]

    async def batch(self, commands: Sequence[Command]) -> list[Any]:
        """Run commands, not as one step, in one trip; return their replies in order."""
        async with self._limits():
            return await self._replies(commands)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AbstractConnection]:
        """Open a connection apart, for what keeps it busy for long."""
        async with self._limits():
            connection = await self._connect()
        try:
            yield connection
        finally:
            await connection.disconnect(nowait=True)

    async def _replies(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands, once more where the connection breaks."""
        try:
            return await self._exchange(commands)
        except RedisConnectionError:
            return await self._exchange(commands)

    async def _exchange(self, commands: Sequence[Command]) -> list[Any]:
        pipe = await self._open()
        return await asyncio.gather(*map(pipe.send, commands))

    async def _open(self) -> Pipe:
        """Return the connection; make a new one where it is broken, one for all who want it."""
        if self._pipe is not None and not self._pipe.is_broken:
            return self._pipe
        if self._closed:
            raise RedisConnectionError("the store is closed")
        if self._connecting is None:
            self._connecting = asyncio.create_task(self._make_pipe(), name="store connecting")
            self._connecting.add_done_callback(_retrieve)
        # A caller that is cancelled takes nothing away from the others.
        return await asyncio.shield(self._connecting)

    async def _make_pipe(self) -> Pipe:
        try:
            self._pipe = Pipe(await self._connect())
            return self._pipe
        finally:
            self._connecting = None

    async def _connect(self) -> AbstractConnection:
        # redis-py's own methods have no annotations.
        connection: AbstractConnection = self._pool.make_connection()  # type: ignore[no-untyped-call]
        try:
            async with asyncio.timeout(self._timeout):
                await connection.connect()  # type: ignore[no-untyped-call]
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        return connection

    @asynccontextmanager
    async def _limits(self) -> AsyncIterator[None]:
        """Limit the time, and put errors in the store's own terms."""
        try:
            async with asyncio.timeout(self._timeout):
                yield
        except TimeoutError:
            self._give_up("the server fell silent")
            raise StoreUnavailable(f"no answer within {self._timeout:g} s") from None
        except RedisError as error:
            text = _said(error)
            if _DEMOTED.search(text):
                self._give_up("the server was demoted")
            raise _translated(error, text) from error

    def _give_up(self, reason: str) -> None:
        """Have the next call connect afresh."""
        if self._pipe is not None:
            self._pipe.break_off(RedisConnectionError(reason))


def _retrieve(task: asyncio.Task[Pipe]) -> None:
    """Take note of how a task ended, where nobody waits for it any more."""
    if not task.cancelled():
        task.exception()


def _said(error: RedisError) -> str:
    """Give an error as the server said it: redis-py takes the first word off where it knows it."""
    if isinstance(error.__cause__, RedisError):
        error = error.__cause__  # what went wrong while connecting
    word = getattr(error, "status_code", None)
    return f"{word} {error}" if word else str(error)


def _translated(error: RedisError, text: str) -> StoreError:
    """Put what redis-py raised in the store's own terms."""
    if _REFUSED.search(text):
        return StoreUnfit(f"the store refuses this user or password: {text}")
    if isinstance(error, RedisConnectionError | RedisTimeoutError) or _TEMPORARY.search(text):
        return StoreUnavailable(text)
    if isinstance(error, ResponseError) and _DAMAGED.search(text):
        return StoreDamaged(text)
    return StoreError(text)
