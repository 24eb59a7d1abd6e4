"""The methods of the API, as data: what the protos say of each, and what carries it out.

Every transport serves this table, so that none has a handler of its own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Never

from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message

from coltexpress_server.api.calls import Calls, Context
from coltexpress_server.service.refusals import Refused

Handle = Callable[[Any, Context], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Method:
    """A method.

    handle: carries a request out; what it returns is the response, unless the method streams: then
        it writes messages into the context. Raises Failed.
    """

    descriptor: MethodDescriptor
    request_class: type[Message]
    response_class: type[Message]
    handle: Handle
    calls: Calls

    @property
    def name(self) -> str:
        """Its name in its service, e.g. GetGame."""
        return self.descriptor.name

    @property
    def service(self) -> str:
        """The full name of its service."""
        return self.descriptor.containing_service.full_name

    @property
    def full_name(self) -> str:
        """Its name with its service's, e.g. coltexpress.v1.GameService/GetGame."""
        return f"{self.service}/{self.name}"

    @property
    def streams(self) -> bool:
        """Whether its response is a stream of messages."""
        return self.descriptor.server_streaming

    async def refuse(self, refused: Refused, context: Context) -> Never:
        """Refuse a call of which there is no request to be carried out. Raises Failed."""
        async with self.calls.read(self.name, context):
            raise refused


def methods_of(service: ServiceDescriptor, servicer: object, calls: Calls) -> Sequence[Method]:
    """The methods of a service, carried out by those of the servicer that have their names."""
    return [
        Method(
            descriptor,
            message_factory.GetMessageClass(descriptor.input_type),
            message_factory.GetMessageClass(descriptor.output_type),
            getattr(servicer, descriptor.name),
            calls,
        )
        for descriptor in service.methods
    ]
