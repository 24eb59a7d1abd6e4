"""Bad input: whatever is sent, the answer names what is wrong, and nothing has changed."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
import redis
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from google.rpc.status_pb2 import Status

from coltexpress.v1 import game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1 import seat_service_pb2 as seat_pb
from coltexpress.v1.error_pb2 import ErrorReason
from coltexpress.v1.vocabulary_pb2 import Variant
from coltexpress_server.game.codec import RULES_REVISION, SCHEMA
from coltexpress_server.service.callers import ANONYMOUS, Caller
from coltexpress_server.service.keys import Keys
from coltexpress_server.store.keys import counted_key
from tests.api.tables import Service, Table, begun, deciding, digest, join, lobby, new_id, play
from tests.promises.bad_requests import (
    LARGEST_REQUEST,
    METHODS,
    PATHS,
    WRONG,
    Illegal,
    Mutations,
    paths_that_can_be_wrong,
    put,
)
from tests.promises.conftest import Size
from tests.promises.replicas import client_of, on_store
from tests.promises.stored.recording import SERVICE_KEY, folder_of, put_back, read
from tests.promises.wire import Answer, Metadata, call, watch

REASONS = {name.removeprefix("ERROR_REASON_") for name, _ in ErrorReason.items()}
AT_ONCE = 16
API_KEY = "the app's key"


@dataclass
class World:
    """A service with games to make mistakes in."""

    service: Service
    lobby: Table
    full: Table
    running: Table
    finished: Table

    async def right(self, method: str) -> tuple[Message, Metadata]:
        """A request that would be carried out, and the metadata it comes with."""
        match method:
            case "CreateGame":
                seats = [game_pb2.Seat(figures=[name]) for name in ("DOC", "GHOST", "BELLE")]
                return pb.CreateGameRequest(
                    game=game_pb2.Game(
                        seats=[*seats, game_pb2.Seat()], clock=game_pb2.Clock(turn_seconds=30)
                    ),
                    request_id=new_id(),
                ), ()
            case "JoinGame":
                return pb.JoinGameRequest(name=self.lobby.name, request_id=new_id()), ()
            case "LeaveGame":
                leave = pb.LeaveGameRequest(name=self.lobby.name, request_id=new_id())
                return leave, self.lobby.as_seat(0)
            case "StartGame":
                start = pb.StartGameRequest(name=self.full.name, request_id=new_id())
                return start, self.full.as_host
            case "AddBot":
                add = pb.AddBotRequest(
                    name=self.lobby.name, seat=2, level="RANDOM", request_id=new_id()
                )
                return add, self.lobby.as_host
            case "SetAutoPlay":
                away = pb.SetAutoPlayRequest(
                    name=self.running.name, level="RANDOM", request_id=new_id()
                )
                return away, self.running.as_seat(0)
            case "UpdateGame":
                return pb.UpdateGameRequest(
                    game=game_pb2.Game(
                        name=self.lobby.name,
                        visibility=game_pb2.VISIBILITY_UNLISTED,
                        options=game_pb2.GameOptions(variant=Variant.VARIANT_STANDARD),
                        seats=[game_pb2.Seat(figures=[each]) for each in ("DOC", "GHOST", "BELLE")],
                        clock=game_pb2.Clock(turn_seconds=30),
                    ),
                    update_mask=FieldMask(paths=["*"]),
                    request_id=new_id(),
                ), self.lobby.as_host
            case "RemovePlayer":
                remove = pb.RemovePlayerRequest(name=self.lobby.name, seat=1, request_id=new_id())
                return remove, self.lobby.as_host
            case "DeleteGame":
                delete = pb.DeleteGameRequest(name=self.lobby.name, request_id=new_id())
                return delete, self.lobby.as_host
            case "SubmitAction":
                decision = await deciding(self.service, self.running)
                assert decision is not None
                return pb.SubmitActionRequest(
                    name=self.running.name,
                    decision_id=decision.id,
                    option_id=decision.options[0].option_id,
                    request_id=new_id(),
                ), self.running.as_seat(decision.seat)
            case "Rematch":
                return pb.RematchRequest(name=self.finished.name), self.finished.as_seat(0)
            case "GetReplay":
                return pb.GetReplayRequest(name=self.finished.name), ()
            case "ListEvents":
                return pb.ListEventsRequest(parent=self.running.name), ()
            case "SetWebhook":
                webhook = seat_pb.SetWebhookRequest(name=self.running.name, request_id=new_id())
                return webhook, self.running.as_seat(0)
            case "WatchSeats":
                return METHODS[method](), (("x-api-key", API_KEY),)
            case "FindGame":
                return pb.FindGameRequest(join_code=self.lobby.join_code), ()
            case "ListGames" | "GetServerInfo" | "GetCatalog":
                return METHODS[method](), ()
        return METHODS[method](name=self.running.name), self.running.as_seat(0)

    async def harmless(self, method: str) -> tuple[Message, Metadata]:
        """A request that is in order and yet changes nothing, however it is varied."""
        request, metadata = await self.right(method)
        changed: Any = request
        match method:
            case "JoinGame" | "StartGame" | "AddBot":
                changed.name = self.running.name  # it has begun
                metadata = () if method == "JoinGame" else self.running.as_host
            case "LeaveGame" | "SetAutoPlay":
                changed.name = self.finished.name  # it is over
                metadata = self.finished.as_seat(1)
            case "UpdateGame" | "RemovePlayer" | "Rematch":
                metadata = ()  # nor for a stranger
            case "DeleteGame":
                metadata = self.lobby.as_seat(0)  # not for a seat to do
            case "SetWebhook":
                metadata = self.running.as_host  # not for the host to do
            case "SubmitAction":
                decision = await deciding(self.service, self.running)
                assert decision is not None
                metadata = self.running.as_seat((decision.seat + 1) % 4)  # another one's turn
        return request, metadata


@pytest.fixture
async def world(valkey_url: str, behind: redis.Redis, tmp_path: Path) -> AsyncIterator[World]:
    process = on_store(
        valkey_url,
        tmp_path / "log",
        *("--longest-wait-s", "0", "--heartbeat-s", "0.05", "--log-level", "error"),
        *("--games-per-minute", "60", "--join-codes-per-minute", "0"),
        *("--api-keys", json.dumps({"app": hashlib.sha256(API_KEY.encode()).hexdigest()})),
    )
    finished = read(folder_of(SCHEMA, RULES_REVISION) / "finished.json")
    put_back(behind, finished)
    with process:
        async with client_of(process.address) as service:
            waiting, full = await lobby(service), await lobby(service)
            for table in (waiting, full, full, full, full):
                await join(service, table)
            running = await begun(service)
            await play(service, running, 10)
            yield World(service, waiting, full, running, finished.table)
    logged = (tmp_path / "log").read_text()
    assert "error" not in logged, logged


async def send(
    world: World, method: str, request: Message | bytes, metadata: Metadata = ()
) -> Answer:
    channel, path = world.service.channel, PATHS[method]
    if method in {"WatchGame", "WatchSeats"}:
        return await watch(channel, path, request, metadata, messages=1)
    return await call(channel, path, request, metadata)


def test_what_is_wrong_is_known_of_every_field() -> None:
    for method, request in METHODS.items():
        known = {_bare(path) for path in WRONG[method]}
        assert known == set(paths_that_can_be_wrong(request.DESCRIPTOR))


async def test_a_wrong_field_is_named(world: World, behind: redis.Redis) -> None:
    for method in METHODS:
        right, metadata = await world.right(method)
        before = digest(behind)
        for path, value in _wrong(method):
            request = type(right)()
            request.CopyFrom(right)
            put(request, path, value.value if isinstance(value, Illegal) else value)
            answer = await send(world, method, request, metadata)
            info = _info(answer)
            if isinstance(value, Illegal):
                assert answer.code is grpc.StatusCode.FAILED_PRECONDITION, (path, value)
                assert info.metadata["rule"]
            else:
                assert answer.code is grpc.StatusCode.INVALID_ARGUMENT, (path, value)
                assert _bare(info.metadata["field"]) == _bare(path), (path, value)
        assert digest(behind) == before
        # Nothing else was wrong with it. (What has been read of a stream is enough.)
        answer = await send(world, method, right, metadata)
        assert answer.code in {grpc.StatusCode.OK, grpc.StatusCode.CANCELLED}


async def test_metadata_that_is_wrong_is_named(world: World, behind: redis.Redis) -> None:
    before = digest(behind)
    for method in METHODS:
        right, _ = await world.right(method)
        for name, value in (
            *(("authorization", text) for text in ("", "x", "Bearer", "Bearer ", "Basic eDp5")),
            ("authorization", "Bearer " + "x" * 201),
            *(("x-api-key", text) for text in ("", "x", "x" * 1_000)),
        ):
            answer = await send(world, method, right, ((name, value),))
            assert answer.code is grpc.StatusCode.UNAUTHENTICATED
            assert _info(answer).metadata["field"] == name
    assert digest(behind) == before


async def test_a_request_that_is_too_large_is_refused(world: World, behind: redis.Redis) -> None:
    before = digest(behind)
    unknown = b"\xc2\x3e" + b"\x80\x80\x40" + bytes(1 << 20)  # field 1000, a megabyte
    for method in METHODS:
        right, metadata = await world.right(method)
        answer = await send(world, method, right.SerializeToString() + unknown, metadata)
        assert answer.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    right, metadata = await world.right("GetGame")
    for huge in (("authorization", "Bearer " + "x" * 20_000), ("x-unknown-bin", bytes(100_000))):
        answer = await send(world, "GetGame", right, (*metadata, huge))
        assert answer.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert digest(behind) == before


async def test_nothing_at_random_is_a_defect_or_changes_anything(
    world: World, behind: redis.Redis, size: Size
) -> None:
    _use_up_new_games(behind)
    chance = Random(7)
    mutations = Mutations(chance)
    harmless = {method: await world.harmless(method) for method in METHODS}
    codes: Counter[grpc.StatusCode] = Counter()
    before = digest(behind)

    turns = iter(range(size(4_000, 100_000)))

    async def some() -> None:
        for _ in turns:
            method = chance.choice(list(METHODS))
            request, metadata = harmless[method]
            data = mutations.request(request)
            answer = await send(world, method, data, mutations.metadata(metadata))
            codes[answer.code] += 1
            _check(answer, METHODS[method], data)

    await asyncio.gather(*(some() for _ in range(AT_ONCE)))
    assert digest(behind) == before
    assert codes[grpc.StatusCode.INVALID_ARGUMENT] > codes.total() / 4
    counts = ", ".join(f"{count} {code.name}" for code, count in codes.most_common())
    print(f"\n{codes.total()} requests made wrong at random: {counts}")


def _wrong(method: str) -> Iterator[tuple[str, Any]]:
    for path, values in WRONG[method].items():
        for value in values:
            yield path, value


def _bare(path: str) -> str:
    """A path that does not tell elements of one field apart."""
    return re.sub(r"\[\d+\]", "", path)


def _check(answer: Answer, request: Any, data: bytes) -> None:
    """An answer is a success, or an error that says what is wrong."""
    if answer.code in {grpc.StatusCode.OK, grpc.StatusCode.CANCELLED}:
        assert answer.messages  # of a stream we have read only the first
        return
    if answer.code is grpc.StatusCode.RESOURCE_EXHAUSTED and len(data) > LARGEST_REQUEST:
        return
    info = _info(answer)
    assert info.reason in REASONS
    assert answer.code not in {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN}
    assert info.reason != "INTERNAL"
    if answer.code is grpc.StatusCode.INVALID_ARGUMENT:
        field = info.metadata["field"]
        assert field == "request" or _exists(field, request.DESCRIPTOR)


def _exists(path: str, descriptor: Any) -> bool:
    """Whether a message has a field, or a oneof, of this path."""
    for step in path.split("."):
        if descriptor is None:
            return False
        name = step.partition("[")[0]
        if name in descriptor.oneofs_by_name:
            return True
        if name not in descriptor.fields_by_name:
            return False
        descriptor = descriptor.fields_by_name[name].message_type
    return True


def _info(answer: Answer) -> ErrorInfo:
    """The details of an error, which agree with each other."""
    data = dict(answer.trailing).get("grpc-status-details-bin")
    assert isinstance(data, bytes), answer
    status = Status.FromString(data)
    info = ErrorInfo()
    assert status.details[0].Unpack(info)
    assert info.domain == "coltexpress"
    assert (status.code, status.message) == (answer.code.value[0], answer.details)
    if answer.code is grpc.StatusCode.INVALID_ARGUMENT:
        bad = BadRequest()
        assert status.details[1].Unpack(bad)
        (violation,) = bad.field_violations
        assert violation.field == info.metadata["field"]
        assert violation.description == status.message
    return info


def _use_up_new_games(behind: redis.Redis) -> None:
    """Has so many games counted, in times to come, that we may create none in this test."""
    caller = Caller(ANONYMOUS, network="127.0.0.1/32")
    key = counted_key(Keys(bytes.fromhex(SERVICE_KEY)).counter("games", caller))
    behind.zadd(key, {f"game {number}": 2e15 for number in range(60)})
    behind.persist(key)
