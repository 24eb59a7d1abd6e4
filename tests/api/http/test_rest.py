"""REST: each answer is what gRPC answers, field by field."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import redis
from google.protobuf import json_format
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from google.rpc.status_pb2 import Status

from coltexpress_server.game.codec import RULES_REVISION, SCHEMA
from tests.api.http.conftest import Web
from tests.api.http.rest import DESCRIPTORS, RestError
from tests.api.tables import begun, join, lobby, play
from tests.promises.bad_requests import METHODS, PATHS, WRONG, Illegal, put
from tests.promises.stored.recording import folder_of, put_back, read
from tests.promises.test_bad_input import World
from tests.promises.wire import call

LIMIT = 20
UNARY = [name for name, method in DESCRIPTORS.items() if not method.server_streaming]


@pytest.fixture
async def world(web: Web, behind: redis.Redis) -> World:
    finished = read(folder_of(SCHEMA, RULES_REVISION) / "finished.json")
    put_back(behind, finished)
    waiting, full = await lobby(web.grpc), await lobby(web.grpc)
    for table in (waiting, full, full, full, full):
        await join(web.grpc, table)
    running = await begun(web.grpc)
    await play(web.grpc, running, 10)
    return World(web.grpc, waiting, full, running, finished.table)


async def test_every_reply_equals_grpcs(web: Web, world: World) -> None:
    """Whatever changes something is repeated over the other port, with its request id."""
    for number, name in enumerate(UNARY):
        request, metadata = await world.right(name)
        calls = [over_grpc(web, name), getattr(web.rest, name)]
        if number % 2:
            calls.reverse()
        first, second = [await make(request, metadata=metadata) for make in calls]
        if name == "SetAutoPlay":
            # The seat is played at once: the game goes on, up to another seat's decision.
            async with asyncio.timeout(LIMIT):
                while first != second:
                    first, second = [await make(request, metadata=metadata) for make in calls]
        assert first == second, name


def over_grpc(web: Web, name: str) -> Any:
    response: Any = DESCRIPTORS[name].output_type
    return web.grpc.channel.unary_unary(
        PATHS[name],
        request_serializer=METHODS[name].SerializeToString,
        response_deserializer=GetMessageClass(response).FromString,
    )


async def test_every_refusal_equals_grpcs(web: Web, world: World) -> None:
    compared = 0
    for name in UNARY:
        right, metadata = await world.right(name)
        for path, values in WRONG[name].items():
            if path in {"name", "parent", "game"}:
                continue  # those of the path, see below
            for value in values[:1] + values[-1:]:
                if isinstance(value, list) and len(value) > 100:
                    continue  # a query has no room for it
                request: Any = METHODS[name]()
                request.CopyFrom(right)
                put(request, path, value.value if isinstance(value, Illegal) else value)
                if not can_be_said(request):
                    continue
                over_rest = web.rest.request(name, request, metadata)
                found = RestError(await web.http.send(over_rest))
                same(found, await refused(web, name, request, metadata))
                compared += 1
    assert compared > 50


def can_be_said(request: Message) -> bool:
    """Whether JSON has words for it: not for durations beyond the ages, nor for empty paths."""
    try:
        said = json_format.MessageToJson(request)
    except json_format.SerializeToJsonError:
        return False
    return bool(json_format.Parse(said, type(request)()) == request)


async def refused(web: Web, name: str, request: Message, metadata: Any) -> Status:
    answer = await call(web.grpc.channel, PATHS[name], request, metadata)
    data = dict(answer.trailing)["grpc-status-details-bin"]
    assert isinstance(data, bytes)
    return Status.FromString(data)


def same(found: RestError, status: Status) -> None:
    info, bad = ErrorInfo(), BadRequest()
    assert status.details[0].Unpack(info)
    assert found.info["reason"] == info.reason
    assert found.info["domain"] == info.domain
    assert found.info.get("metadata", {}) == dict(info.metadata)
    assert found.error["message"] == status.message
    if any(detail.Unpack(bad) for detail in status.details):
        [violation] = found.detail("google.rpc.BadRequest")["fieldViolations"]
        assert violation.get("field", "") == bad.field_violations[0].field
        assert violation["description"] == bad.field_violations[0].description


async def test_a_name_that_is_none_is_refused(web: Web) -> None:
    for path in ("/v1/games/x", "/v1/games/%00", "/v1/games/a%2Fb", "/v1/games/x/replay"):
        answer = await web.http.get(path)
        assert answer.status_code == 400
        assert RestError(answer).info["metadata"] == {"field": "name"}


async def test_a_game_is_waited_for(web: Web) -> None:
    table = await lobby(web.grpc)
    poll = web.http.get(f"/v1/{table.name}", params={"wait_for_version": 2, "wait": "20s"})
    waiting = asyncio.ensure_future(poll)
    await join(web.grpc, table)
    assert (await waiting).json()["version"] == "2"
    at_once = await web.http.get(f"/v1/{table.name}?waitForVersion=99&wait=0.01s")
    assert at_once.json()["version"] == "2"
