"""One call from beginning to end: who calls, how failures are answered, what is logged, counted.

A change gets exactly one log line, however it ends; so does any call that fails. What is read
without failure is not logged. A line names method, game, seat and version, reason and latency, and
nothing that a caller has sent; so does the call's span. Every call is counted.
"""

from __future__ import annotations

import asyncio
import time
import traceback
from types import TracebackType
from typing import Any, Final, Never, Protocol, Self

import grpc
import structlog

from coltexpress_server import tracing
from coltexpress_server.api.errors import Failed, Failure, failure
from coltexpress_server.api.languages import wanted_language
from coltexpress_server.api.principals import Metadata, Principals
from coltexpress_server.api.texts import DEFAULT, Language
from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.metrics import Metrics
from coltexpress_server.service.callers import ANONYMOUS, Caller
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import Seen

_READS: Final = "reads"
_CHANGES: Final = "changes"
_STREAMS: Final = "streams"

# OpenTelemetry counts these as errors of a server; the others are mistakes of its callers.
_FAULTS: Final = {"UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE"}
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

    def __init__(self, principals: Principals, metrics: Metrics) -> None:
        """principals: who is known. metrics: count the calls."""
        self.principals: Final = principals
        self.metrics: Final = metrics
        self.log: Final = structlog.get_logger(__name__)

    def read(self, method: str, context: Context) -> Call:
        """A call that changes nothing."""
        return Call(self, method, context, _READS)

    def change(self, method: str, context: Context) -> Call:
        """A call that changes a game."""
        return Call(self, method, context, _CHANGES)

    def stream(self, method: str, context: Context) -> Call:
        """A call that changes nothing, and lasts."""
        return Call(self, method, context, _STREAMS)


class Call:
    """One call, as the context in which it is carried out; exceptions become Failed.

    caller: who calls.
    language: of the texts in the answer.
    game, seat, version: what the log shall say of it, as soon as that is known.
    """

    __slots__ = (
        "_calls",
        "_context",
        "_kind",
        "_method",
        "_started",
        "_transport",
        "_wanted_language",
        "caller",
        "game",
        "language",
        "seat",
        "version",
    )

    def __init__(self, calls: Calls, method: str, context: Context, kind: str) -> None:
        """Made by Calls."""
        self._calls = calls
        self._method = method
        self._context = context
        self._kind = kind
        # gRPC's own context does not say what it is of.
        self._transport: str = getattr(context, "transport", "grpc")
        self._started = 0.0
        self.caller = Caller(ANONYMOUS)
        self.language: Language = DEFAULT
        self._wanted_language: Language | None = None
        self.game = ""
        self.seat: int | None = None
        self.version: int | None = None

    def note(self, seen: Seen) -> None:
        """Have the log tell of this game."""
        self.game = seen.game.game_id
        self.seat = None if seen.viewer == SPECTATOR else seen.viewer
        self.version = seen.game.cursor.version

    def opened(self) -> None:
        """Note that the stream has begun: its span is of that alone, or it would end in hours."""
        self._trace("OK")
        span = tracing.current()
        if span is not None:
            span.end()

    async def __aenter__(self) -> Self:
        """Take the time, and see who calls and in which language."""
        self._started = time.perf_counter()
        if self._kind is _STREAMS:
            self._calls.metrics.stream_opened(self._transport, self._method)
        metadata = self._context.invocation_metadata() or ()
        self._wanted_language = wanted_language(metadata)
        self.language = self._wanted_language or DEFAULT
        try:
            self.caller = self._calls.principals.caller(metadata, self._context.peer())
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
            self._end("OK")
        elif isinstance(error, asyncio.CancelledError):
            # The caller has gone, or his deadline has passed.
            self._end("CANCELLED")
        elif isinstance(error, Exception):
            self._fail(error)

    def _fail(self, error: Exception) -> Never:
        found = failure(error)
        if self._wanted_language is not None:
            found.say_in(self._wanted_language)
        self._count(found.code.name)
        self._trace(found.code.name, found.reason)
        self._log_failure(found, error)
        raise Failed(found) from error

    def _end(self, code: str) -> None:
        self._count(code)
        self._trace(code)
        if self._kind is _CHANGES:
            self._calls.log.info("call", **self._facts(code))

    def _count(self, code: str) -> None:
        metrics, seconds = self._calls.metrics, None
        if self._kind is _STREAMS:
            metrics.stream_closed(self._transport, self._method)
        else:
            seconds = time.perf_counter() - self._started
        metrics.call_ended(self._transport, self._method, code, seconds)

    def _trace(self, code: str, reason: str = "") -> None:
        span = tracing.current()
        if span is None or not span.is_recorded:
            return
        span.note("rpc.response.status_code", code)
        if reason:
            span.note("coltexpress.reason", reason)
        if self.game:
            span.note("coltexpress.game", self.game)
        if self.seat is not None:
            span.note("coltexpress.seat", self.seat)
        if self.version is not None:
            span.note("coltexpress.version", self.version)
        if code in _FAULTS:
            span.fail(code)

    def _facts(self, code: str) -> dict[str, object]:
        facts: dict[str, object] = {"method": self._method}
        if self.caller.operator:
            facts["operator"] = self.caller.operator
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
            self._calls.log.error("call", **facts, defect=_where(error))
        elif found.code in _WARNINGS:
            self._calls.log.warning("call", **facts, cause=type(error).__name__)
        else:
            self._calls.log.info("call", **facts)


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
