"""How methods get onto a gRPC server.

Bytes that are no message are refused like any other request, which gRPC by itself would answer with
INTERNAL; so is a call too many, of which gRPC would not say that it may come again. A failure
becomes the status with details that it is over gRPC.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError
from grpc_status import rpc_status

from coltexpress_server import tracing
from coltexpress_server.api import fields
from coltexpress_server.api.errors import Failed, Failure
from coltexpress_server.api.languages import language_named
from coltexpress_server.api.methods import Method

_NO_MESSAGE: Final = object()


class _Open:
    """How many calls are open, and may be."""

    __slots__ = ("count", "most")

    def __init__(self, most: int) -> None:
        self.count = 0
        self.most: Final = most


def add_to(server: grpc.aio.Server, methods: Iterable[Method], *, most: int) -> None:
    """Puts methods onto a server.

    most: how many calls of them all may be open at a time.
    """
    opened = _Open(most)
    services: dict[str, dict[str, Any]] = defaultdict(dict)
    for method in methods:
        services[method.service][method.name] = _handler(method, opened)
    server.add_generic_rpc_handlers(
        [
            grpc.method_handlers_generic_handler(service, handlers)
            for service, handlers in services.items()
        ]
    )


def _handler(method: Method, opened: _Open) -> Any:
    """A grpc.RpcMethodHandler, whose annotations know of no asyncio."""
    make = (
        grpc.unary_stream_rpc_method_handler
        if method.streams
        else grpc.unary_unary_rpc_method_handler
    )
    read: Any = method.request_class.FromString

    def read_checked(data: bytes) -> Any:
        try:
            return read(data)
        except DecodeError:
            return _NO_MESSAGE

    attributes = {"rpc.system.name": "grpc", "rpc.method": method.full_name}

    async def handle(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
        metadata = context.invocation_metadata() or ()
        span = tracing.begin(dict(metadata).get(tracing.TRACEPARENT, ""))
        span.label(method.full_name, attributes)
        trailing = ((tracing.TRACERESPONSE, span.context),)
        context.set_trailing_metadata(trailing)
        opened.count += 1
        try:
            if opened.count > opened.most:
                raise Failed(Failure("TOO_MANY", "too many calls are open here", {}))
            if request is _NO_MESSAGE:
                refused = fields.invalid("request", f"these bytes are no request of {method.name}")
                await method.refuse(refused, context)
            # A stream begins when it is known to be one.
            named = () if method.streams else language_named(metadata)
            if named:
                await context.send_initial_metadata(named)
            return await method.handle(request, context)
        except Failed as failed:
            details = rpc_status.to_status(failed.failure.status).trailing_metadata
            await context.abort(
                failed.failure.code, failed.failure.status.message, (*details, *trailing)
            )
        finally:
            opened.count -= 1
            span.end()

    write: Any = method.response_class.SerializeToString
    return make(handle, request_deserializer=read_checked, response_serializer=write)
