"""Clients of Connect and gRPC-Web for the methods of the API, without generated code."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from connectrpc.client import ConnectClient
from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.protocol import ProtocolType
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import ErrorInfo

from tests.api.http.rest import DESCRIPTORS, Metadata


class Connecting:
    """A client: `await client.GetGame(request, metadata=...)` as with a stub of gRPC."""

    def __init__(
        self, url: str, protocol: ProtocolType = ProtocolType.CONNECT, *, json: bool = False
    ) -> None:
        codec = google_protobuf_json_codec() if json else google_protobuf_binary_codec()
        self.client = ConnectClient(url, protocol=protocol, codec=codec)

    def __getattr__(self, name: str) -> Any:
        descriptor = DESCRIPTORS[name]
        request_class: Any = descriptor.input_type
        response_class: Any = descriptor.output_type
        info: MethodInfo[Any, Any] = MethodInfo(
            name=name,
            service_name=descriptor.containing_service.full_name,
            input=GetMessageClass(request_class),
            output=GetMessageClass(response_class),
            idempotency_level=IdempotencyLevel.UNKNOWN,
            stream_type=StreamType.SERVER_STREAM
            if descriptor.server_streaming
            else StreamType.UNARY,
        )

        async def call(request: Message, metadata: Metadata = ()) -> Message:
            headers = {key: str(value) for key, value in metadata}
            response: Message = await self.client.execute_unary(
                request=request, method=info, headers=headers
            )
            return response

        def stream(request: Message, metadata: Metadata = ()) -> AsyncIterator[Message]:
            headers = {key: str(value) for key, value in metadata}
            return self.client.execute_server_stream(request=request, method=info, headers=headers)

        return stream if descriptor.server_streaming else call


def info_in(error: ConnectError) -> ErrorInfo:
    """The ErrorInfo among the details of an error."""
    detail = error.details[0]
    assert detail.type_name == ErrorInfo.DESCRIPTOR.full_name
    return ErrorInfo.FromString(detail.message_bytes)
