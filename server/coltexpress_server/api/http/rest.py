"""REST: a request finds its method by verb and path, and is answered in JSON."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from google.protobuf.message import Message
from starlette.types import Receive, Scope, Send

from coltexpress_server import tracing
from coltexpress_server.api import fields
from coltexpress_server.api.calls import Context
from coltexpress_server.api.errors import Failed, Failure, failure
from coltexpress_server.api.http import access_tokens, errors, receiving, streams, transcoding
from coltexpress_server.api.http.bindings import Binding, Bindings
from coltexpress_server.api.http.connection import ABORT
from coltexpress_server.api.http.json_writing import json_of
from coltexpress_server.api.http.receiving import (
    ClientGone,
    DeadlinePassed,
    HttpContext,
    while_wanted,
)
from coltexpress_server.api.http.sending import begin, end, send_json
from coltexpress_server.api.http.streams import StreamContext
from coltexpress_server.api.methods import Method
from coltexpress_server.service.refusals import Refused

_JSON: Final = "application/json"
_DEADLINE: Final = "x-server-timeout"


class Rest:
    """An ASGI application that answers every request, be it with an error."""

    def __init__(self, methods: Iterable[Method], *, largest_request: int) -> None:
        """methods: what can be called. largest_request: in bytes."""
        self.bindings: Final = Bindings(methods)
        self._largest: Final = largest_request

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        verb = scope["method"]
        try:
            # HEAD is GET; the server leaves the body out.
            binding, bound = self.bindings.find("GET" if verb == "HEAD" else verb, _path(scope))
            if verb == "HEAD" and binding.method.streams:
                raise Refused("VERB_NOT_ALLOWED", "this path takes GET", allow="OPTIONS, GET")
        except Refused as refused:
            failed = failure(refused)
            if verb == "OPTIONS" and refused.reason == "VERB_NOT_ALLOWED":
                await begin(send, 204, errors.headers_of(failed))
                await end(send)
            else:
                await errors.send_failure(send, failed)
        else:
            route = binding.template.text
            tracing.label(
                f"{binding.verb} {route}",
                {
                    "http.request.method": verb,
                    "http.route": route,
                    "url.scheme": scope["scheme"],
                    "rpc.method": binding.method.full_name,
                },
            )
            asked = _Asked(binding, bound, scope, receive)
            answer = self._stream if binding.method.streams else self._call
            with contextlib.suppress(ClientGone):
                await answer(asked, send)

    async def _call(self, asked: _Asked, send: Send) -> None:
        """Calls a method, and sends its response. Raises ClientGone."""
        context = HttpContext(asked.scope)
        try:
            request = await self._request(asked, asked.scope["query_string"], context)
            async with while_wanted(asked.receive, request.limit_s):
                response = await asked.binding.method.handle(request.message, context)
        except Failed as failed:
            await errors.send_failure(send, failed.failure)
        except DeadlinePassed:
            await errors.send_failure(send, _too_late())
        else:
            await send_json(send, json_of(response))

    async def _stream(self, asked: _Asked, send: Send) -> None:
        """Calls a method that streams, and sends what comes. Raises ClientGone."""
        scope, method = asked.scope, asked.binding.method
        last = receiving.header(scope, b"last-event-id")
        if last == streams.END:
            await begin(send, 204, [])
            await end(send)
            return
        resumable = streams.CURSOR in method.request_class.DESCRIPTOR.fields_by_name
        context = StreamContext(scope, send, streams.form_for(scope, resumable=resumable))
        failed: Failure | None = None
        try:
            request = await self._request(asked, await _shown(asked, context), context)
            if last and resumable:
                setattr(request.message, streams.CURSOR, last)
            async with while_wanted(asked.receive, request.limit_s):
                await method.handle(request.message, context)
        except Failed as found:
            failed = found.failure
        except DeadlinePassed:
            failed = _too_late()
        if failed is not None and not context.begun:
            await errors.send_failure(send, failed)
        elif failed is not None and failed.reason == "TOO_SLOW":
            # There is no room to tell it.
            scope["state"][ABORT]()
        else:
            await context.finish(failed)

    async def _request(self, asked: _Asked, query: bytes, context: Context) -> _Request:
        """What a request means; query: that of the URL. Raises ClientGone, Failed."""
        try:
            body = await receiving.body(asked.scope, asked.receive, self._largest)
            if body and asked.binding.body:
                _check_content(asked.scope)
            return _Request(
                transcoding.request(asked.binding, asked.bound, query, body),
                _limit_s(asked.scope),
            )
        except Refused as refused:
            await asked.binding.method.refuse(refused, context)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request of which the method is known; bound: what its path binds."""

    binding: Binding
    bound: Mapping[str, str]
    scope: Scope
    receive: Receive


@dataclass(frozen=True, slots=True)
class _Request:
    """What is asked for, and in how many seconds; None for any number."""

    message: Message
    limit_s: float | None


async def _shown(asked: _Asked, context: StreamContext) -> bytes:
    """Have the call show the URL's token; returns the rest of the query. Raises Failed."""
    try:
        query, token = access_tokens.taken_from(asked.scope["query_string"])
    except Refused as refused:
        await asked.binding.method.refuse(refused, context)
    context.show(token)
    return query


def _path(scope: Scope) -> str:
    """The path as it came, percent-encoded."""
    raw: bytes = scope["raw_path"]
    return raw.decode("latin-1")


def _check_content(scope: Scope) -> None:
    """Raises Refused where the body is nothing that we read."""
    media_type, _, parameters = receiving.header(scope, b"content-type").partition(";")
    charset = parameters.strip().lower().removeprefix("charset=").strip('"')
    if media_type.strip().lower() != _JSON or charset not in {"", "utf-8"}:
        raise Refused("CONTENT_TYPE_UNSUPPORTED", f"the body is {_JSON} in UTF-8")
    if receiving.header(scope, b"content-encoding") not in {"", "identity"}:
        raise Refused("CONTENT_TYPE_UNSUPPORTED", "the body is not compressed")


def _limit_s(scope: Scope) -> float | None:
    """How many seconds the client gives; None without a limit. Raises Refused."""
    text = receiving.header(scope, _DEADLINE.encode())
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise fields.invalid(_DEADLINE, "this is a number of seconds")
    return seconds


def _too_late() -> Failure:
    return Failure("DEADLINE_PASSED", "it took longer than the request allows", {})
