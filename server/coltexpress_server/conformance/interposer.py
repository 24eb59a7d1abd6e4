"""Stands between a client and a service: the same API on both sides, and a script in between.

It serves the methods of the API by the code that the service itself serves them with, over gRPC
and over HTTP, so that clients of either kind meet the same.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import grpc
from google.protobuf import message_factory
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo
from grpc_status import rpc_status
from starlette.routing import Mount, Route, Router

from coltexpress_server.api.calls import Calls, Context
from coltexpress_server.api.errors import CODES, DOMAIN, Failed, Failure
from coltexpress_server.api.grpc_server import GrpcServer
from coltexpress_server.api.http.app import Guarded
from coltexpress_server.api.http.connect import Connect
from coltexpress_server.api.http.health import Liveness
from coltexpress_server.api.http.languages import Languages
from coltexpress_server.api.http.rest import Rest
from coltexpress_server.api.http.server import HttpServer
from coltexpress_server.api.methods import Method, methods_of
from coltexpress_server.api.principals import Principals
from coltexpress_server.api.services import CATALOG, GAMES, SEATS, SERVER
from coltexpress_server.conformance.exchange import Http1, Http2
from coltexpress_server.conformance.proxy import Proxy
from coltexpress_server.metrics import Metrics
from coltexpress_server.settings import Settings

_SERVICES: Final = (GAMES, CATALOG, SEATS, SERVER)
_PASSED_ON: Final = frozenset({"accept-language", "authorization", "x-api-key"})
_RECONNECT: Final = [
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 200),
]


@dataclass(slots=True)
class Call:
    """A call of the client.

    method: e.g. GetGame. request: may be changed before it is forwarded.
    token: what the client shows that it is, in a game; empty for a spectator.
    """

    method: str
    request: Any
    token: str
    _stub: Any = field(repr=False)
    _metadata: Sequence[tuple[str, str]] = field(repr=False)
    _context: Context = field(repr=False)

    async def forward(self) -> Any:
        """The service's response. Raises Failed."""
        try:
            return await self._stub(self.request, metadata=self._metadata)
        except grpc.aio.AioRpcError as error:
            raise Failed(_passed_on(error)) from error

    async def follow(self) -> AsyncGenerator[Any, None]:
        """The messages of the service's stream. Raises Failed."""
        call = self._stub(self.request, metadata=self._metadata)
        try:
            # A stream that has nothing to tell yet has begun all the same; one that is refused
            # has not.
            await call.initial_metadata()
            if not call.done():
                await self._context.send_initial_metadata(())
            async for message in call:
                yield message
        except grpc.aio.AioRpcError as error:
            raise Failed(_passed_on(error)) from error
        finally:
            call.cancel()


class Script(Protocol):
    """What happens to the calls of a client."""

    async def receive(self, call: Call) -> None:
        """A call has come, which may be changed. Raises Failed to refuse it."""

    async def answer(self, call: Call) -> Message:
        """The response to a call. Raises Failed."""

    def stream(self, call: Call) -> AsyncGenerator[Message, None]:
        """The messages of a stream. Raises Failed."""


class Interposer:
    """The API on two ports, of which every connection can be cut.

    grpc, http: the network in front of either port.
    """

    def __init__(self) -> None:
        self.grpc: Final = Proxy("", Http2)
        self.http: Final = Proxy("", Http1)

    def cut(self) -> None:
        """Break all connections of the client; what was on its way is lost."""
        self.grpc.cut()
        self.http.cut()

    def end(self) -> None:
        """End what is open as a proxy does when the server behind it is killed."""
        self.grpc.end()
        self.http.end()

    def refuse(self) -> None:
        """Break all connections, and take none until `listen`."""
        self.grpc.refuse()
        self.http.refuse()
        self.cut()

    async def listen(self) -> None:
        """Take connections from now on."""
        await self.grpc.listen()
        await self.http.listen()

    @asynccontextmanager
    async def serving(
        self, service: str, script: Script, *, listening: bool = True
    ) -> AsyncIterator[None]:
        """Serve inside the block.

        service: HOST:PORT of gRPC of the one behind. script: what happens.
        listening: whether to do so at once; else connections are refused until `listen`.
        """
        # Not what the environment says, which is meant for a service.
        settings = Settings.model_construct(grpc_port=0, http_port=0)
        async with AsyncExitStack() as stack:
            channel = await stack.enter_async_context(
                grpc.aio.insecure_channel(service, options=_RECONNECT)
            )
            methods = _methods(channel, script)
            grpc_server, http_server = GrpcServer(methods, settings), _http(methods, settings)
            self.grpc.service = await grpc_server.start()
            stack.push_async_callback(grpc_server.stop, 0)
            self.http.service = (await http_server.start(0)).removeprefix("http://")
            stack.push_async_callback(http_server.stop, 0)
            await stack.enter_async_context(self.grpc.serving(listening=listening))
            await stack.enter_async_context(self.http.serving(listening=listening))
            yield


def _http(methods: Sequence[Method], settings: Settings) -> HttpServer:
    """REST, Connect and gRPC-Web, and what says that the port is alive."""
    largest = settings.largest_request
    connect = Languages(Connect(methods, largest_request=largest))
    routes = [
        Route("/healthz", Liveness()),
        Route("/readyz", Liveness()),
        *(Mount(f"/{service.full_name}", connect) for service in _SERVICES),
        Mount("", Languages(Rest(methods, largest_request=largest))),
    ]
    app = Guarded(Router(routes, redirect_slashes=False), most=settings.max_calls)
    return HttpServer(app, settings)


def _methods(channel: grpc.aio.Channel, script: Script) -> Sequence[Method]:
    calls = Calls(Principals({}, {}), Metrics())
    return [
        method
        for service in _SERVICES
        for method in methods_of(service, _Servicer(service, channel, script), calls)
    ]


class _Servicer:
    """Carries out the methods of one service; each is an attribute of its name."""

    def __init__(self, service: Any, channel: grpc.aio.Channel, script: Script) -> None:
        for method in service.methods:
            carry_out = _stream if method.server_streaming else _answer
            setattr(self, method.name, carry_out(method, channel, script))


def _answer(method: Any, channel: grpc.aio.Channel, script: Script) -> Any:
    stub = channel.unary_unary(*_wire(method))

    async def answer(request: Message, context: Context) -> Message:
        call = _call(method.name, request, stub, context)
        await script.receive(call)
        return await script.answer(call)

    return answer


def _stream(method: Any, channel: grpc.aio.Channel, script: Script) -> Any:
    stub = channel.unary_stream(*_wire(method))

    async def stream(request: Message, context: Context) -> None:
        call = _call(method.name, request, stub, context)
        await script.receive(call)
        async with aclosing(script.stream(call)) as messages:
            async for message in messages:
                await context.write(message)

    return stream


def _wire(method: Any) -> tuple[str, Any, Any]:
    """The path of a method, what writes its requests and what reads its responses."""
    request = message_factory.GetMessageClass(method.input_type)
    response = message_factory.GetMessageClass(method.output_type)
    path = f"/{method.containing_service.full_name}/{method.name}"
    return path, request.SerializeToString, response.FromString


def _call(method: str, request: Message, stub: Any, context: Context) -> Call:
    shown = [
        (name, value)
        for name, value in context.invocation_metadata() or ()
        if name in _PASSED_ON and isinstance(value, str)
    ]
    token = dict(shown).get("authorization", "").partition(" ")[2]
    return Call(method, request, token, stub, shown, context)


def _passed_on(error: grpc.aio.AioRpcError) -> Failure:
    """The service's refusal as it is; a service that is not there does not answer."""
    # Made for both kinds of calls, and annotated for one.
    status = rpc_status.from_call(error)  # type: ignore[arg-type]
    info = ErrorInfo()
    for detail in status.details if status is not None else ():
        if detail.Unpack(info) and info.domain == DOMAIN and info.reason in CODES:
            found = Failure(info.reason, "", {})
            found.status = status
            return found
    return Failure("STORE_UNAVAILABLE", "the service is not there", {})
