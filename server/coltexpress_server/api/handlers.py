"""How methods get onto a server: bytes that are no message are refused like any other request.

gRPC by itself would answer them with INTERNAL and log a traceback.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError

from coltexpress_server.api import fields
from coltexpress_server.api.calls import Calls, Context

Method = Callable[[Any, Context], Awaitable[Any]]
# A grpc.RpcMethodHandler, whose annotations know of no asyncio.
Handler = Any

_NO_MESSAGE: Final = object()


class Handlers:
    """Stands in for the server where the generated `add_..._to_server` wants one."""

    def __init__(self, server: grpc.aio.Server, calls: Calls) -> None:
        """server: gets the methods. calls: refuse what is no message."""
        self._server: Final = server
        self._calls: Final = calls

    def add_generic_rpc_handlers(self, handlers: object) -> None:
        """Does nothing: the same methods come once more, with their names."""

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Handler]) -> None:
        """Puts the methods of a service onto the server."""
        checked = {name: self._checked(name, handler) for name, handler in handlers.items()}
        self._server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(service, checked),)
        )

    def _checked(self, name: str, handler: Handler) -> Handler:
        read = handler.request_deserializer
        make = (
            grpc.unary_stream_rpc_method_handler
            if handler.response_streaming
            else grpc.unary_unary_rpc_method_handler
        )
        method: Method = handler.unary_stream or handler.unary_unary

        def read_checked(data: bytes) -> Any:
            try:
                return read(data)
            except DecodeError:
                return _NO_MESSAGE

        async def method_checked(request: Any, context: Context) -> Any:
            if request is _NO_MESSAGE:
                async with self._calls.read(name, context):
                    raise fields.invalid("request", f"these bytes are no request of {name}")
            return await method(request, context)

        return make(
            method_checked,
            request_deserializer=read_checked,
            response_serializer=handler.response_serializer,
        )
