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
from typing import Any, Final, Never, Self

import grpc
import structlog
from grpc_status import rpc_status

from coltexpress_server.api.errors import Failure, failure
from coltexpress_server.api.principals import Metadata, Principals
from coltexpress_server.api.texts import DEFAULT, Language, language_for
from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.service.callers import ANONYMOUS, Caller
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import Seen

_ACCEPT_LANGUAGE: Final = "accept-language"
_CONTENT_LANGUAGE: Final = "content-language"

Context = grpc.aio.ServicerContext[Any, Any]

_WARNINGS: Final = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED}


class Calls:
    """The calls of one server."""

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
    """One call, as the context in which it is carried out; exceptions become its status.

    caller: who calls.
    language: of the texts in the answer.
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
        "language",
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
        self.language: Language = DEFAULT
        self.game = ""
        self.seat: int | None = None
        self.version: int | None = None

    def note(self, seen: Seen) -> None:
        """Have the log tell of this game."""
        self.game = seen.game.game_id
        self.seat = None if seen.viewer == SPECTATOR else seen.viewer
        self.version = seen.game.cursor.version

    async def __aenter__(self) -> Self:
        """Take the time, and see who calls and in which language."""
        self._started = time.perf_counter()
        metadata = self._context.invocation_metadata() or ()
        await self._agree_on_language(metadata)
        try:
            self.caller = self._principals.caller(metadata, self._context.peer())
        except Refused as refused:
            await self._fail(refused)
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
            await self._fail(error)

    async def _agree_on_language(self, metadata: Metadata) -> None:
        """Whoever asks for a language is told which one he gets; others get the default."""
        wanted = [str(value) for name, value in metadata if name == _ACCEPT_LANGUAGE]
        if wanted:
            self.language = language_for(",".join(wanted))
            await self._context.send_initial_metadata(((_CONTENT_LANGUAGE, self.language.tag),))

    async def _fail(self, error: Exception) -> Never:
        found = failure(error)
        self._log_failure(found, error)
        await self._context.abort_with_status(rpc_status.to_status(found.status))

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
