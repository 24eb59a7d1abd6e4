"""Connect and gRPC-Web, for typed clients in browsers: connectrpc over the methods of the API.

The application is made of the descriptors, where connectrpc expects code that its generator has
written for one service.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from typing import Any, Final

from connectrpc.code import Code
from connectrpc.codec import Codec
from connectrpc.errors import ConnectError, ErrorDetail
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.request import RequestContext
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf.message import DecodeError, Message
from protobuf.wkt import Any as Packed
from starlette.types import Receive, Scope, Send

from coltexpress_server import tracing
from coltexpress_server.api import fields
from coltexpress_server.api.errors import Failed, Failure, failure
from coltexpress_server.api.http import errors, json_reading
from coltexpress_server.api.http.json_writing import json_of
from coltexpress_server.api.http.receiving import header
from coltexpress_server.api.methods import Method
from coltexpress_server.service.refusals import Refused

Ask = RequestContext[Any, Any]

_GRPC: Final = "application/grpc"
_GRPC_WEB: Final = "application/grpc-web"
_CODES: Final = {"CANCELLED": Code.CANCELED}  # the one code that Connect spells in its own way


class Connect:
    """An ASGI application for some methods, each at /SERVICE/METHOD."""

    def __init__(self, methods: Iterable[Method], *, largest_request: int) -> None:
        """methods: what can be called. largest_request: in bytes."""
        self._app: Final[Any] = _Application(
            service=list(methods),
            endpoints=_endpoints,
            read_max_bytes=largest_request,
            codecs=[_Binary(), _Json()],
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, unless it is one with which connectrpc cannot cope."""
        content_type = header(scope, b"content-type").lower()
        if content_type.startswith(_GRPC) and not content_type.startswith(_GRPC_WEB):
            refused = Refused("CONTENT_TYPE_UNSUPPORTED", "gRPC itself is spoken on another port")
            await errors.send_failure(send, failure(refused))
        elif not all(value.isascii() for _, value in scope["headers"]):
            refused = fields.invalid("header", "a header is written in ASCII")
            await errors.send_failure(send, failure(refused))
        else:
            await self._app(scope, receive, send)


class _Application(ConnectASGIApplication[Any]):
    @property
    def path(self) -> str:
        """Of the one service that it is meant for; not asked for here."""
        return ""


def _endpoints(methods: Iterable[Method]) -> Mapping[str, Any]:
    return {f"/{method.service}/{method.name}": _endpoint(method) for method in methods}


def _endpoint(method: Method) -> Any:
    info: MethodInfo[Any, Any] = MethodInfo(
        name=method.name,
        service_name=method.service,
        input=method.request_class,
        output=method.response_class,
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=StreamType.SERVER_STREAM if method.streams else StreamType.UNARY,
    )
    if method.streams:
        return Endpoint.server_stream(method=info, function=_streaming(method))
    return Endpoint.unary(method=info, function=_answering(method))


def _answering(method: Method) -> Callable[[Any, Ask], Awaitable[Any]]:
    async def answer(request: Any, ask: Ask) -> Any:
        return await _handle(method, request, _Context(ask))

    return answer


def _streaming(method: Method) -> Callable[[Any, Ask], AsyncIterator[Any]]:
    async def stream(request: Any, ask: Ask) -> AsyncIterator[Any]:
        context = _Context(ask)
        handling = asyncio.create_task(_handle(method, request, context), name=method.name)
        handling.add_done_callback(context.end)
        try:
            async for message in context.messages():
                yield message
            await handling
        finally:
            handling.cancel()
            await asyncio.wait([handling])

    return stream


async def _handle(method: Method, request: Any, context: _Context) -> Any:
    """Carries a request out. Raises ConnectError."""
    attributes = {"rpc.system.name": context.protocol, "rpc.method": method.full_name}
    tracing.label(method.full_name, attributes)
    try:
        if isinstance(request, Refused):
            await method.refuse(request, context)
        return await method.handle(request, context)
    except Failed as failed:
        raise _error(failed.failure) from None


def _error(failure: Failure) -> ConnectError:
    name = failure.code.name
    # connectrpc has a runtime of its own for protobuf: details go in as the bytes that they are.
    details = [
        ErrorDetail(Packed(type_url=each.type_url, value=each.value))
        for each in failure.status.details
    ]
    code = _CODES.get(name) or Code(name.lower())
    return ConnectError(code, failure.status.message, details)


class _Context:
    """What a call comes with (see calls.Context).

    A handler writes, where connectrpc iterates: a message waits here until it has been sent.
    """

    transport: Final = "connect"

    def __init__(self, ask: Ask) -> None:
        self._ask: Final = ask
        self._written: Final[asyncio.Queue[Message | None]] = asyncio.Queue()

    @property
    def protocol(self) -> str:
        """What is spoken, as OpenTelemetry names it."""
        content_type = self._ask.request_headers.get("content-type") or ""
        return "grpc" if content_type.lower().startswith(_GRPC_WEB) else "connectrpc"

    def invocation_metadata(self) -> list[tuple[str, str]]:
        """The headers."""
        return list(self._ask.request_headers.allitems())

    def peer(self) -> str:
        """Where the request comes from, as gRPC says it."""
        host, _, port = (self._ask.client_address or "").rpartition(":")
        if not host:
            return ""
        return f"ipv6:[{host}]:{port}" if ":" in host else f"ipv4:{host}:{port}"

    async def send_initial_metadata(self, initial_metadata: Any) -> None:
        """Leaves it to connectrpc, which sends the header with the first message."""

    async def write(self, message: Message) -> None:
        """Has a message sent; returns when there is room for the next one."""
        self._written.put_nowait(message)
        await self._written.join()

    def end(self, handling: asyncio.Task[Any]) -> None:
        """Nothing more will be written."""
        self._written.put_nowait(None)

    async def messages(self) -> AsyncIterator[Message]:
        """What is written, to its end; whoever asks for the next one has sent the one before."""
        while (message := await self._written.get()) is not None:
            yield message
            self._written.task_done()


# Both codecs give, in the place of a message, why there is none: it is for a call to fail, not for
# what is around it.


class _Binary(Codec[Message, Any]):
    """The binary format."""

    def name(self) -> str:
        """As in application/proto."""
        return "proto"

    def encode(self, message: Message) -> bytes:
        """The bytes of a message."""
        return message.SerializeToString()

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> Message | Refused:
        """The message of some bytes."""
        try:
            found: Message = message_class.FromString(bytes(data))
        except DecodeError:
            return fields.invalid("request", "these bytes are no such request")
        return found


class _Json(Codec[Message, Any]):
    """JSON, written as REST has it."""

    def name(self) -> str:
        """As in application/json."""
        return "json"

    def encode(self, message: Message) -> bytes:
        """The JSON text of a message."""
        return json_of(message)

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> Message | Refused:
        """The message of a JSON text; fields of later releases are left out, as in gRPC."""
        found: Message = message_class()
        try:
            if data:
                json_reading.merge(json_reading.loaded(bytes(data)), found, ignore_unknown=True)
        except Refused as refused:
            return refused
        return found
