"""Streams over HTTP: Server-Sent Events (WHATWG HTML, 9.2), or lines of JSON.

Of an event, `event` is the name of the field that the message sets, `data` the whole message. `id`
is where to resume: EventSource sends it as Last-Event-ID when it connects anew. Behind the end of
a stream to which nothing can be added it is END, which is answered with 204: EventSource then
leaves off.
"""

from __future__ import annotations

import secrets
from typing import Any, Final, Protocol

import msgspec
from google.protobuf.message import Message
from starlette.types import Scope, Send

from coltexpress.v1.game_service_pb2 import EndOfStream
from coltexpress_server.api.errors import Failure
from coltexpress_server.api.http.errors import error_of, text_of
from coltexpress_server.api.http.json_writing import json_of
from coltexpress_server.api.http.receiving import HttpContext, header
from coltexpress_server.api.http.sending import begin, end, send_part

END: Final = "end"
CURSOR: Final = "cursor"
"""The field of a request behind which its stream begins, where it has one."""

_LINES: Final = frozenset({"application/x-ndjson", "application/ndjson", "application/jsonl"})
_FINAL: Final = {
    EndOfStream.REASON_GAME_OVER,
    EndOfStream.REASON_GAME_DELETED,
    EndOfStream.REASON_GAME_HIDDEN,
    EndOfStream.REASON_TOKEN_REVOKED,
}
# Spread, so that those whom a process sends away do not all come back at one moment.
_RETRY_MS: Final = range(500, 2000)


class Form(Protocol):
    """How the messages of a stream are written down."""

    content_type: bytes

    def opening(self) -> bytes:
        """What comes before all messages."""

    def part(self, message: Message) -> bytes:
        """A message."""

    def failure(self, failure: Failure) -> bytes:
        """The failure that ends a stream."""


class EventsForm:
    """Server-Sent Events."""

    content_type = b"text/event-stream"

    def __init__(self, *, resumable: bool) -> None:
        """resumable: whether the stream can be begun behind a cursor."""
        self._resumable: Final = resumable

    def opening(self) -> bytes:
        """How long to wait before connecting anew."""
        return f"retry: {secrets.choice(_RETRY_MS)}\n\n".encode()

    def part(self, message: Message) -> bytes:
        """A message."""
        name, inner = _content(message)
        identified = _identified(inner) if self._resumable else ""
        return f"{identified}event: {name}\ndata: ".encode() + json_of(message) + b"\n\n"

    def failure(self, failure: Failure) -> bytes:
        """The failure that ends a stream; `error` is what EventSource calls its own."""
        return b"event: failure\ndata: %b\n\n" % text_of(failure)


class LinesForm:
    """One JSON text a line."""

    content_type = b"application/x-ndjson"

    def opening(self) -> bytes:
        """Nothing."""
        return b""

    def part(self, message: Message) -> bytes:
        """A message."""
        return json_of(message) + b"\n"

    def failure(self, failure: Failure) -> bytes:
        """The failure that ends a stream."""
        return msgspec.json.encode(error_of(failure)) + b"\n"


class StreamContext(HttpContext):
    """A call whose messages go out as they come.

    begun: whether the status has been sent: from then on a failure is part of the stream.
    """

    def __init__(self, scope: Scope, send: Send, form: Form) -> None:
        """scope, send: of the request. form: of the messages."""
        super().__init__(scope)
        self._send: Final = send
        self._form: Final = form
        self.begun = False

    async def send_initial_metadata(self, initial_metadata: Any) -> None:
        """Sends the header, if that has not happened yet."""
        if not self.begun:
            self.begun = True
            # Proxies that gather what they pass on would hold events back.
            headers = [(b"content-type", self._form.content_type), (b"x-accel-buffering", b"no")]
            await begin(self._send, 200, headers)
            await send_part(self._send, self._form.opening())

    async def write(self, message: Message) -> None:
        """Sends a message."""
        await self.send_initial_metadata(())
        await send_part(self._send, self._form.part(message))

    async def finish(self, failure: Failure | None = None) -> None:
        """Ends the stream; failure: why, where it did not end as it should."""
        await self.send_initial_metadata(())
        await end(self._send, b"" if failure is None else self._form.failure(failure))


def form_for(scope: Scope, *, resumable: bool) -> Form:
    """The form that a request wants: lines where it names them, else events."""
    wanted = {
        each.partition(";")[0].strip() for each in header(scope, b"accept").lower().split(",")
    }
    return LinesForm() if wanted & _LINES else EventsForm(resumable=resumable)


def _content(message: Message) -> tuple[str, Any]:
    """The field that a message of a stream sets, and its value."""
    [[field, inner]] = message.ListFields()
    return field.name, inner


def _identified(inner: Any) -> str:
    """The line that says where to resume behind a message, if that is somewhere new."""
    if isinstance(inner, EndOfStream) and inner.reason in _FINAL:
        return f"id: {END}\n"
    return f"id: {inner.cursor}\n" if CURSOR in inner.DESCRIPTOR.fields_by_name else ""
