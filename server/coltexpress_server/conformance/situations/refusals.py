"""A service that cannot answer for the moment, and says when to ask again."""

from __future__ import annotations

import asyncio
from typing import ClassVar, Final

from coltexpress_server.conformance.interposer import Call
from coltexpress_server.conformance.situation import Situation, refused
from coltexpress_server.conformance.table import Table

_WAIT_S: Final = 1.0
_EARLY_S: Final = 0.1


class _Refusing(Situation):
    """Refuses the first call of each of some methods, and looks at when it comes again."""

    REASON: ClassVar[str]

    _METHODS: Final = frozenset({"JoinGame", "SubmitAction", "WatchGame"})

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._refused: Final[dict[str, tuple[float, str]]] = {}
        self._returned: Final[set[str]] = set()

    async def receive(self, call: Call) -> None:
        """Refuse the first call of each method, and see when the second one comes."""
        if call.method in self._METHODS and call.method not in self._returned:
            self._look_at(call)

    def finish(self) -> None:
        """What was refused should have come again."""
        for method in self._refused.keys() - self._returned:
            self.blame(f"it does not repeat {method}")

    def _look_at(self, call: Call) -> None:
        """Raises Failed."""
        now = asyncio.get_running_loop().time()
        request_id = getattr(call.request, "request_id", "")
        if call.method not in self._refused:
            self.met = True
            self._refused[call.method] = (now, request_id)
            raise refused(self.REASON, retry_after_s=_WAIT_S)
        self._returned.add(call.method)
        before, id_before = self._refused[call.method]
        if now - before < _WAIT_S - _EARLY_S:
            self.blame(
                f"it repeats {call.method} after {now - before:.2f} seconds, where it was told to"
                f" come back after {_WAIT_S:g}"
            )
        elif request_id != id_before:
            self.blame(f"it repeats {call.method} under another request id")


class Unavailable(_Refusing):
    """No store, for a moment."""

    NAME = "unavailable"
    TEXT = (
        "The first call of each of JoinGame, WatchGame and SubmitAction is answered UNAVAILABLE,"
        " with a RetryInfo of one second (over HTTP also the header retry-after). The client comes"
        " back then, with the same request."
    )
    ADVICE = (
        "Look for google.rpc.RetryInfo among the details of the error, wait for its retry_delay,"
        " and repeat the very same request."
    )
    REASON = "STORE_UNAVAILABLE"


class TooMany(_Refusing):
    """A limit."""

    NAME = "too-many"
    TEXT = (
        "The first call of each of JoinGame, WatchGame and SubmitAction is answered"
        " RESOURCE_EXHAUSTED, reason TOO_MANY, with a RetryInfo of one second. The client comes"
        " back then, with the same request."
    )
    ADVICE = (
        "RESOURCE_EXHAUSTED with a google.rpc.RetryInfo passes: wait for its retry_delay, and"
        " repeat the very same request."
    )
    REASON = "TOO_MANY"
