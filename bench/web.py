"""Moves over each transport: one server process, its embedded store, one client that submits.

What the client's library takes is part of the moves a second, and of nothing else: compare
transports by the processor time of the server.
"""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import grpc
import httpx
from connectrpc.client import ConnectClient
from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from google.protobuf.json_format import MessageToDict

from bench.processes import cpu_seconds
from bench.scripts import PLAYERS, Script, script
from coltexpress.v1 import game_pb2, game_service_pb2_grpc
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.server_process import ServerProcess

JSON: Final = "application/json"

Watch = Callable[[str, str], Awaitable[int]]
"""Watches a game that is over, behind a cursor; returns how many bytes come, 0 where unknown."""
Submit = Callable[[pb.SubmitActionRequest, str], Awaitable[int]]
"""Sends a move with a seat's token; returns how many bytes the answer has, 0 where unknown."""


@dataclass(frozen=True)
class Face:
    """What moves take over a transport.

    cpu_ms_per_move: of the server process; 0 where the system does not say.
    bytes_per_answer: of the message, without headers.
    bytes_per_watch: all that a spectator of a whole game is sent, without headers.
    """

    transport: str
    moves_per_second: float
    cpu_ms_per_move: float
    bytes_per_answer: int
    bytes_per_watch: int


async def measure(seconds: float, folder: Path) -> list[Face]:
    """Measure every transport, for about so many seconds together."""
    with ServerProcess(
        *("--data-dir", str(folder / "data"), "--appendfsync", "no"),
        *("--allow-fixed-seed", "--log-level", "warning", "--drain-s", "0"),
        *("--games-per-minute", "0"),
        log=folder / "server.log",
    ) as server:
        async with (
            grpc.aio.insecure_channel(server.address) as channel,
            httpx.AsyncClient(base_url=server.http) as http,
        ):
            games: Any = game_service_pb2_grpc.GameServiceStub(channel)
            faces: list[tuple[str, Submit, Watch]] = [
                ("gRPC", _over_grpc(games), _watched_over_grpc(games)),
                ("REST", _over_rest(http), _watched_over_rest(http, "text/event-stream")),
                ("REST, lines", _over_rest(http), _watched_over_rest(http, "application/jsonl")),
                ("Connect, JSON", _over_connect(server.http, json=True), _unwatched),
                ("Connect, binary", _over_connect(server.http, json=False), _unwatched),
            ]
            share = seconds / len(faces)
            return [
                await _face(name, submit, watch, games=games, pid=server.pid, seconds=share)
                for name, submit, watch in faces
            ]


async def _face(
    transport: str, submit: Submit, watch: Watch, *, games: Any, pid: int, seconds: float
) -> Face:
    moves = answered = 0
    passed = cpu = 0.0
    number = watched = 0
    while passed < seconds:
        game = script(number)
        name, cursor, tokens = await _begin(games, game)
        started, spent = perf_counter(), cpu_seconds(pid)
        for seat, decision_id, option_id in game.moves:
            request = pb.SubmitActionRequest(
                name=name,
                decision_id=decision_id,
                option_id=option_id,
                request_id=str(uuid.uuid4()),
            )
            answered += await submit(request, tokens[seat])
        cpu += cpu_seconds(pid) - spent
        passed += perf_counter() - started
        moves += len(game.moves)
        if not number:
            watched = await watch(name, cursor)
        number += 1
    return Face(
        transport,
        round(moves / passed, 1),
        round(cpu * 1e3 / moves, 2),
        round(answered / moves),
        watched,
    )


async def _begin(games: Any, game: Script) -> tuple[str, str, list[str]]:
    """Begins a game, over gRPC: its name, a cursor, the tokens of its seats."""
    seats = [game_pb2.Seat() for _ in range(PLAYERS)]
    created = await games.CreateGame(
        pb.CreateGameRequest(
            game=game_pb2.Game(seats=seats), seed=game.seed, request_id=str(uuid.uuid4())
        )
    )
    name = created.game.name
    joined = [
        await games.JoinGame(pb.JoinGameRequest(name=name, seat=seat, request_id=str(uuid.uuid4())))
        for seat in range(PLAYERS)
    ]
    begun = await games.StartGame(
        pb.StartGameRequest(name=name, request_id=str(uuid.uuid4())),
        metadata=_bearer(created.host_token),
    )
    return name, begun.cursor, [each.seat_token for each in joined]


def _over_grpc(games: Any) -> Submit:
    async def submit(request: pb.SubmitActionRequest, token: str) -> int:
        answer: pb.SubmitActionResponse = await games.SubmitAction(request, metadata=_bearer(token))
        return answer.ByteSize()

    return submit


def _over_rest(http: httpx.AsyncClient) -> Submit:
    async def submit(request: pb.SubmitActionRequest, token: str) -> int:
        answer = await http.post(
            f"/v1/{request.name}/actions",
            json=MessageToDict(request),
            headers={"authorization": f"Bearer {token}"},
        )
        answer.raise_for_status()
        return len(answer.content)

    return submit


def _over_connect(url: str, *, json: bool) -> Submit:
    codec = google_protobuf_json_codec() if json else google_protobuf_binary_codec()
    client = ConnectClient(url, codec=codec, accept_compression=(), send_compression=None)
    method: MethodInfo[Any, Any] = MethodInfo(
        name="SubmitAction",
        service_name="coltexpress.v1.GameService",
        input=pb.SubmitActionRequest,
        output=pb.SubmitActionResponse,
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=StreamType.UNARY,
    )

    async def submit(request: pb.SubmitActionRequest, token: str) -> int:
        await client.execute_unary(request=request, method=method, headers=dict(_bearer(token)))
        return 0

    return submit


def _watched_over_grpc(games: Any) -> Watch:
    async def watched(name: str, cursor: str) -> int:
        stream = games.WatchGame(pb.WatchGameRequest(name=name, cursor=cursor))
        return sum([message.ByteSize() async for message in stream])

    return watched


def _watched_over_rest(http: httpx.AsyncClient, media_type: str) -> Watch:
    async def watched(name: str, cursor: str) -> int:
        answer = await http.get(
            f"/v1/{name}/events:watch", params={"cursor": cursor}, headers={"accept": media_type}
        )
        return len(answer.content)

    return watched


async def _unwatched(name: str, cursor: str) -> int:
    """What connectrpc's client does not tell."""
    return 0


def _bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)
