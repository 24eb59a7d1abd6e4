"""What every situation has: what happens to the client's calls, and what is wrong with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import ClassVar, Final, TypeVar

from google.protobuf.message import Message

from coltexpress_server.api.errors import Failed, Failure
from coltexpress_server.conformance.interposer import Call
from coltexpress_server.conformance.table import Table

T = TypeVar("T", bound=Message)


class Situation:
    """One thing that clients must cope with, while it happens to one of them.

    By itself it passes everything on; what differs is for the subclasses.

    NAME: what it is called. TEXT: what happens, and what is expected. ADVICE: what to look for in a
    client that does not cope. LISTENING: whether the service is there when the client is started.
    PRIVATE: whether the game is; the client is then told its join code, and which seat to take.

    met: whether it has come about; some clients never do what it takes.
    fault: what the client has done wrong, as soon as that is known.
    """

    NAME: ClassVar[str]
    TEXT: ClassVar[str]
    ADVICE: ClassVar[str]
    LISTENING: ClassVar[bool] = True
    PRIVATE: ClassVar[bool] = False

    def __init__(self, table: Table) -> None:
        self.table: Final = table
        self.met = False
        self.fault: Final[asyncio.Future[str]] = asyncio.get_running_loop().create_future()

    async def act(self) -> None:
        """What happens by itself, from the moment in which the client is started."""

    async def receive(self, call: Call) -> None:
        """A call has come from the client, which may be changed. Raises Failed to refuse it."""

    def send(self, call: Call, message: Message) -> None:
        """A message is about to be sent to the client, and may be changed. Raises Failed."""

    async def answer(self, call: Call) -> Message:
        """The response to a call of the client. Raises Failed."""
        response: Message = await call.forward()
        self.send(call, response)
        return response

    async def stream(self, call: Call) -> AsyncGenerator[Message, None]:
        """The messages of a stream of the client. Raises Failed."""
        async with aclosing(call.follow()) as messages:
            async for message in messages:
                self.send(call, message)
                yield message

    def finish(self) -> None:
        """Look back, when the game is over and the client has ended well."""

    def blame(self, fault: str) -> None:
        """Say what the client has done wrong; the first word counts."""
        if not self.fault.done():
            self.fault.set_result(fault)


def gone() -> Failed:
    """Ends a call whose connection is cut: nobody hears what it is answered."""
    return refused("STORE_UNAVAILABLE")


def refused(reason: str, *, retry_after_s: float | None = None) -> Failed:
    """A refusal.

    reason: an ErrorReason. retry_after_s: when the client shall ask again, where it may at all;
        None for soon.
    """
    message = "the conformance kit refuses this call"
    return Failed(Failure(reason, message, {}, retry_after_s=retry_after_s))


def within(message: Message, kind: type[T]) -> Iterator[T]:
    """The messages of one kind that a message holds; such a one itself."""
    if isinstance(message, kind):
        yield message
        return
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for each in value if field.is_repeated else [value]:
            yield from within(each, kind)


class Turns:
    """Counts the decisions that a client answers, each once however often it is sent."""

    def __init__(self) -> None:
        self._seen: Final[list[str]] = []

    def number(self, call: Call) -> int:
        """Which of the client's decisions a call answers, from 1 on; 0 if it answers none."""
        if call.method != "SubmitAction":
            return 0
        decision = call.request.decision_id
        if decision not in self._seen:
            self._seen.append(decision)
        return self._seen.index(decision) + 1
