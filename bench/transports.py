"""How a move is made and a game is watched over each transport."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import grpc
import httpx
from connectrpc.client import ConnectClient
from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.protocol import ProtocolType
from google.protobuf.json_format import MessageToDict

from bench.scripts import asked
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1 import game_service_pb2_grpc

SERVICE: Final = "coltexpress.v1.GameService"

Submit = Callable[[pb.SubmitActionRequest, str], Awaitable[dict[int, str]]]
"""Makes a move with a seat's token; gives the ids of the decisions then open, by seat."""
Watch = Callable[[str, str], Awaitable[None]]
"""Watches a game that is over, behind a cursor, to its end; messages are left unread."""


@dataclass(frozen=True)
class Transport:
    """One of the ways to the service."""

    name: str
    submit: Submit
    watch: Watch


@asynccontextmanager
async def transports(address: str, url: str) -> AsyncIterator[list[Transport]]:
    """All transports, gRPC first. address: HOST:PORT of gRPC. url: of HTTP."""
    async with AsyncExitStack() as stack:
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(address))
        http = await stack.enter_async_context(httpx.AsyncClient(base_url=url))
        binary, json = google_protobuf_binary_codec(), google_protobuf_json_codec()
        yield [
            _grpc(game_service_pb2_grpc.GameServiceStub(channel)),
            _rest(http),
            _connect("Connect, JSON", url, ProtocolType.CONNECT, json),
            _connect("Connect, binary", url, ProtocolType.CONNECT, binary),
            _connect("gRPC-Web", url, ProtocolType.GRPC_WEB, binary),
        ]


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """The metadata of calls with a token."""
    return (("authorization", f"Bearer {token}"),)


def _grpc(games: Any) -> Transport:
    async def submit(request: pb.SubmitActionRequest, token: str) -> dict[int, str]:
        answer = await games.SubmitAction(request, metadata=bearer(token))
        return asked(answer.commit.decisions)

    async def watch(name: str, cursor: str) -> None:
        async for _ in games.WatchGame(pb.WatchGameRequest(name=name, cursor=cursor)):
            pass

    return Transport("gRPC", submit, watch)


def _rest(http: httpx.AsyncClient) -> Transport:
    async def submit(request: pb.SubmitActionRequest, token: str) -> dict[int, str]:
        answer = await http.post(
            f"/v1/{request.name}/actions",
            json=MessageToDict(request),
            headers={"authorization": f"Bearer {token}"},
        )
        commit = answer.raise_for_status().json()["commit"]
        return {each.get("seat", 0): each["id"] for each in commit.get("decisions", ())}

    async def watch(name: str, cursor: str) -> None:
        answer = await http.get(
            f"/v1/{name}/events:watch",
            params={"cursor": cursor},
            headers={"accept": "text/event-stream"},
        )
        answer.raise_for_status()

    return Transport("REST and events", submit, watch)


def _connect(transport: str, url: str, protocol: ProtocolType, codec: Any) -> Transport:
    # Nothing is compressed over the other transports either.
    client = ConnectClient(
        url, protocol=protocol, codec=codec, accept_compression=(), send_compression=None
    )
    submitting: MethodInfo[Any, Any] = MethodInfo(
        name="SubmitAction",
        service_name=SERVICE,
        input=pb.SubmitActionRequest,
        output=pb.SubmitActionResponse,
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=StreamType.UNARY,
    )
    watching: MethodInfo[Any, Any] = MethodInfo(
        name="WatchGame",
        service_name=SERVICE,
        input=pb.WatchGameRequest,
        output=pb.WatchGameResponse,
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=StreamType.SERVER_STREAM,
    )

    async def submit(request: pb.SubmitActionRequest, token: str) -> dict[int, str]:
        answer = await client.execute_unary(
            request=request, method=submitting, headers=dict(bearer(token))
        )
        return asked(answer.commit.decisions)

    async def watch(name: str, cursor: str) -> None:
        request = pb.WatchGameRequest(name=name, cursor=cursor)
        async for _ in client.execute_server_stream(request=request, method=watching):
            pass

    return Transport(transport, submit, watch)
