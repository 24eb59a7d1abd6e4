"""The way to the servers: commands, time limits, and errors put in the store's own terms."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import MovedError, NoScriptError, RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from coltexpress_server.store.errors import StoreDamaged, StoreError, StoreUnavailable, StoreUnfit
from coltexpress_server.store.pipe import Command
from coltexpress_server.store.scripts import Script
from coltexpress_server.store.servers import servers_at

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
# What redis-py tells of each sentinel that has not helped: itself, with all its settings.
_SENTINEL: Final = re.compile(r"<redis\..*?>\)>\)> - ")
# After these the server at the other end is not the one to talk to: connect afresh next time.
_DEMOTED: Final = re.compile(r"\b(READONLY|MASTERDOWN)\b")


Observe = Callable[[str, float, str], None]
"""Hears of each call: the script's name or "batch", how many seconds, the error's name or ""."""


class Link:
    """The way to the servers of a store.

    Every call ends within `timeout` seconds. A call that finds the connection broken, or the key
    moved to another node, is made once more: all that the store sends may be repeated without harm.
    """

    def __init__(self, url: str, *, timeout: float, observe: Observe) -> None:
        """Prepare the link; the first call connects. Raises StoreUnfit on a URL that is none."""
        self._timeout: Final = timeout
        self._observe: Final = observe
        self._servers: Final = servers_at(url, timeout=timeout)

    @property
    def leads_to_cluster(self) -> bool:
        """Whether the servers are the nodes of a cluster."""
        return self._servers.is_cluster

    async def close(self) -> None:
        """Close all connections; later calls raise StoreUnavailable."""
        await self._servers.close()

    async def run(self, script: Script, keys: Sequence[str], *args: str | bytes | int) -> Any:
        """Run a script as one command (two the first time that the server meets it)."""
        rest = (len(keys), *keys, *args)
        async with self._limits(script.name):
            try:
                (reply,) = await self._replies([(keys[0], ("EVALSHA", script.sha, *rest))])
            except NoScriptError:
                (reply,) = await self._replies([(keys[0], ("EVAL", script.text, *rest))])
        return reply

    async def batch(self, commands: Sequence[Command]) -> list[Any]:
        """Run commands, not as one step, in one trip; return their replies in order.

        Each command's second word is its key; one that has no second word is for any server.
        """
        async with self._limits("batch"):
            return await self._replies(
                [(str(command[1]) if command[1:] else None, command) for command in commands]
            )

    async def ask_all(self, *command: str) -> list[Any]:
        """Run a command on every server that has keys; return the replies."""
        async with self._limits("ask_all"):
            await self._servers.look_again()
            pipes = [await line.open() for line in self._servers.lines()]
            return await asyncio.gather(*[pipe.send(command) for pipe in pipes])

    def connection(self) -> AbstractAsyncContextManager[AbstractConnection]:
        """Open a connection apart to any of the servers; its errors are redis-py's."""
        return self._servers.line_to(None).apart()

    async def _replies(self, commands: list[tuple[str | None, Command]]) -> list[Any]:
        try:
            return await self._exchange(commands)
        except (RedisConnectionError, MovedError):
            await self._servers.look_again()
            return await self._exchange(commands)

    async def _exchange(self, commands: list[tuple[str | None, Command]]) -> list[Any]:
        pipes = [await self._servers.line_to(key).open() for key, _ in commands]
        return await asyncio.gather(
            *[pipe.send(command) for pipe, (_, command) in zip(pipes, commands, strict=True)]
        )

    @asynccontextmanager
    async def _limits(self, call: str) -> AsyncIterator[None]:
        """Limit the time, put errors in the store's own terms, and have the call observed."""
        clock = asyncio.get_running_loop().time
        started = clock()
        failed = ""
        try:
            async with asyncio.timeout(self._timeout):
                yield
        except TimeoutError:
            for line in self._servers.lines():
                line.give_up("the server fell silent", silent_since=started)
            failed = StoreUnavailable.__name__
            raise StoreUnavailable(f"no answer within {self._timeout:g} s") from None
        except RedisError as error:
            text = _said(error)
            if _DEMOTED.search(text):
                for line in self._servers.lines():
                    line.give_up("the server was demoted")
            translated = _translated(error, text)
            failed = type(translated).__name__
            raise translated from error
        finally:
            self._observe(call, clock() - started, failed)


def _said(error: RedisError) -> str:
    """Give an error as the server said it: redis-py takes the first word off where it knows it."""
    if isinstance(error.__cause__, RedisError):
        error = error.__cause__  # what went wrong while connecting
    word = getattr(error, "status_code", None)
    return _SENTINEL.sub("", f"{word} {error}" if word else str(error))


def _translated(error: RedisError, text: str) -> StoreError:
    """Put what redis-py raised in the store's own terms."""
    if _REFUSED.search(text):
        return StoreUnfit(f"the store refuses this user or password: {text}")
    if isinstance(error, RedisConnectionError | RedisTimeoutError) or _TEMPORARY.search(text):
        return StoreUnavailable(text)
    if _DAMAGED.search(text):
        return StoreDamaged(text)
    return StoreError(text)
