"""One call from beginning to end: who calls, how failures are answered, what is logged.

A change gets exactly one log line, however it ends; so does any call that fails. What is read
without failure is not logged. A line names method, game, seat and version, reason and latency, and
nothing that a caller has sent.
"""

from __future__ import annotations

import asyncio
import time
import traceback
from types import TracebackType
from typing import Any, Final, Never, Protocol, Self

import grpc
import structlog

from coltexpress_server.api.errors import Failed, Failure, failure
from coltexpress_server.api.principals import Metadata, Principals
from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.service.callers import ANONYMOUS, Caller
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import Seen

_WARNINGS: Final = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED}


class Context(Protocol):
    """What a call comes with, over whichever transport; grpc.aio.ServicerContext is one."""

    def invocation_metadata(self) -> Metadata | None:
        """What the caller sent beside the request; names are in lower case."""

    def peer(self) -> str:
        """Where the call comes from, as gRPC says it: ipv4:ADDRESS:PORT, ipv6:[ADDRESS]:PORT."""

    async def send_initial_metadata(self, initial_metadata: Any) -> None:
        """Tells the caller that its stream has begun, before there is anything to send."""

    async def write(self, message: Any) -> None:
        """Sends a message of a stream; returns when there is room for the next one."""


class Calls:
    """The calls of one process."""

    def __init__(self, principals: Principals) -> None:
        """principals: who is known."""
        self._principals: Final = principals
        self._log: Final = structlog.get_logger(__name__)

    def read(self, method: str, context: Context) -> Call:
        """A call that changes nothing."""
        return Call(method, context, self._principals, self._log, changes=False)

    def change(self, method: str, context: Context) -> Call:
        """A call that changes a game."""
        return Call(method, context, self._principals, self._log, changes=True)


class Call:
    """One call, as the context in which it is carried out; exceptions become Failed.

    caller: who calls.
    game, seat, version: what the log shall say of it, as soon as that is known.
    """

    __slots__ = (
        "_changes",
        "_context",
        "_log",
        "_method",
        "_principals",
        "_started",
        "caller",
        "game",
        "seat",
        "version",
    )

    def __init__(
        self,
        method: str,
        context: Context,
        principals: Principals,
        log: structlog.typing.FilteringBoundLogger,
        *,
        changes: bool,
    ) -> None:
        """Made by Calls."""
        self._method = method
        self._context = context
        self._principals = principals
        self._log = log
        self._changes = changes
        self._started = 0.0
        self.caller = Caller(ANONYMOUS)
        self.game = ""
        self.seat: int | None = None
        self.version: int | None = None

    def note(self, seen: Seen) -> None:
        """Have the log tell of this game."""
        self.game = seen.game.game_id
        self.seat = None if seen.viewer == SPECTATOR else seen.viewer
        self.version = seen.game.cursor.version

    async def __aenter__(self) -> Self:
        """Take the time, and see who calls."""
        self._started = time.perf_counter()
        try:
            self.caller = self._principals.caller(
                self._context.invocation_metadata() or (), self._context.peer()
            )
        except Refused as refused:
            self._fail(refused)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Log the call, and answer a failure."""
        if error is None:
            if self._changes:
                self._log.info("call", **self._facts("OK"))
        elif isinstance(error, asyncio.CancelledError):
            # The caller has gone, or his deadline has passed.
            if self._changes:
                self._log.info("call", **self._facts("CANCELLED"))
        elif isinstance(error, Exception):
            self._fail(error)

    def _fail(self, error: Exception) -> Never:
        found = failure(error)
        self._log_failure(found, error)
        raise Failed(found) from error

    def _facts(self, code: str) -> dict[str, object]:
        facts: dict[str, object] = {"method": self._method}
        if self.game:
            facts["game"] = self.game
        if self.seat is not None:
            facts["seat"] = self.seat
        if self.version is not None:
            facts["version"] = self.version
        facts["code"] = code
        facts["latency_ms"] = round((time.perf_counter() - self._started) * 1000, 1)
        return facts

    def _log_failure(self, found: Failure, error: Exception) -> None:
        facts = self._facts(found.code.name)
        facts["reason"] = found.reason
        if found.defect:
            self._log.error("call", **facts, defect=_where(error))
        elif found.code in _WARNINGS:
            self._log.warning("call", **facts, cause=type(error).__name__)
        else:
            self._log.info("call", **facts)


def _where(error: BaseException) -> str:
    """The traceback of an exception and of those it came from.

    What they say is left out: it may repeat what a caller has sent.
    """
    lines = []
    cause: BaseException | None = error
    while cause is not None:
        lines.append(f"{type(cause).__module__}.{type(cause).__qualname__}")
        lines += [line.rstrip() for line in traceback.format_tb(cause.__traceback__)]
        cause = cause.__cause__ or cause.__context__
    return "\n".join(lines)
