"""The way to the server: connections, time limits, and errors put in the store's own terms."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    AuthenticationError,
    NoScriptError,
    RedisError,
    ResponseError,
)
from redis.exceptions import (
    ConnectionError as RedisConnectionError,
)
from redis.exceptions import (
    TimeoutError as RedisTimeoutError,
)

from coltexpress_server.store.errors import StoreDamaged, StoreError, StoreUnavailable, StoreUnfit
from coltexpress_server.store.scripts import Script

SCHEMES: Final = ("redis", "rediss", "unix")

# What a server says that works again later, or elsewhere after a failover. Older servers wrap what
# happens inside a script into a sentence, so the word may stand anywhere.
_TEMPORARY: Final = re.compile(
    r"\b(READONLY|LOADING|BUSY|OOM|MISCONF|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK"
    r"|UNBLOCKED|max number of clients)\b"
)
_REFUSED: Final = re.compile(r"\b(NOAUTH|NOPERM|WRONGPASS|DENIED)\b")
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
    """A pool of connections to one server.

    Every call ends within `timeout` seconds, counting the wait for a connection. A call that finds
    its connection broken is made once more on a new one: all that the store sends may be repeated.
    """

    def __init__(self, url: str, *, timeout: float, max_connections: int) -> None:
        """Prepare the link; nothing is connected yet.

        Raises StoreUnfit where the URL is of no kind that this class can follow.
        """
        if urlsplit(url).scheme not in SCHEMES:
            raise StoreUnfit(
                "the store's URL must begin with " + ", ".join(f"{s}://" for s in SCHEMES)
            )
        self._timeout: Final = timeout
        try:
            self._pool: Final = BlockingConnectionPool.from_url(
                url,
                max_connections=max_connections,
                timeout=None,  # the limit of the whole call covers the wait
                socket_timeout=None,  # and every read and write
                socket_connect_timeout=timeout,
                retry=Retry(NoBackoff(), 1, (RedisConnectionError,)),
                protocol=2,
                client_name="coltexpress",
            )
        except ValueError as error:
            raise StoreUnfit(f"the store's URL is not valid: {error}") from None
        self._redis: Final = Redis(connection_pool=self._pool)

    async def close(self) -> None:
        """Close all connections."""
        await self._redis.aclose()
        await self._pool.aclose()

    async def call(self, *command: str | bytes | int) -> Any:
        """Run one command and return its reply."""
        async with self._limits():
            return await self._execute(*command)

    async def run(self, script: Script, keys: Sequence[str], *args: str | bytes | int) -> Any:
        """Run a script as one command (two the first time that the server meets it)."""
        async with self._limits():
            try:
                return await self._execute("EVALSHA", script.sha, len(keys), *keys, *args)
            except NoScriptError:
                return await self._execute("EVAL", script.text, len(keys), *keys, *args)

    async def batch(self, commands: Sequence[Sequence[str | bytes | int]]) -> list[Any]:
        """Run commands, not as one step, in one trip; return their replies in order."""
        async with self._limits(), self._redis.pipeline(transaction=False) as pipeline:
            for command in commands:
                pipeline.execute_command(*command)
            return await pipeline.execute()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AbstractConnection]:
        """Open a connection outside the pool, for what keeps it busy for long."""
        # redis-py's own method has no annotations.
        connection: AbstractConnection = self._pool.make_connection()  # type: ignore[no-untyped-call]
        try:
            async with self._limits():
                await connection.connect()  # type: ignore[no-untyped-call]
            yield connection
        finally:
            await connection.disconnect(nowait=True)

    async def _execute(self, *command: str | bytes | int) -> Any:
        # redis-py's own method has no annotations.
        return await self._redis.execute_command(*command)  # type: ignore[no-untyped-call]

    @asynccontextmanager
    async def _limits(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(self._timeout):
                yield
        except TimeoutError:
            raise StoreUnavailable(f"no answer within {self._timeout:g} s") from None
        except RedisError as error:
            text = str(error)
            if _DEMOTED.search(text):
                await self._pool.disconnect(inuse_connections=False)
            raise _translated(error, text) from error


def _translated(error: RedisError, text: str) -> StoreError:
    """Put what redis-py raised in the store's own terms."""
    if isinstance(error, AuthenticationError) or _REFUSED.search(text):
        return StoreUnfit(f"the store refuses this user or password: {text}")
    if isinstance(error, RedisConnectionError | RedisTimeoutError) or _TEMPORARY.search(text):
        return StoreUnavailable(text)
    if isinstance(error, ResponseError) and _DAMAGED.search(text):
        return StoreDamaged(text)
    return StoreError(text)
