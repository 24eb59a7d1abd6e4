"""Limits: how many games a principal may create in a minute, over all processes."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest
import redis
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status

from coltexpress.v1 import game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from tests.api.tables import Service, digest, new_id
from tests.promises.replicas import client_of, on_store
from tests.promises.wire import GAMES, Answer, Metadata, call

MOST = 5
ANN: Metadata = (("x-api-key", "Ann's key"),)
BOB: Metadata = (("x-api-key", "Bob's key"),)
NOBODY: Metadata = ()


@pytest.fixture
async def limited(valkey_url: str, tmp_path: Path) -> AsyncIterator[tuple[Service, Service]]:
    """Two processes on one store that let a principal create few games a minute."""
    keys = ", ".join(
        f'"{name}": "{hashlib.sha256(key).hexdigest()}"'
        for name, key in (("ann", b"Ann's key"), ("bob", b"Bob's key"))
    )
    arguments = ("--games-per-minute", str(MOST), "--api-keys", f"{{{keys}}}")
    async with AsyncExitStack() as stack:
        first, second = [
            await stack.enter_async_context(
                client_of(
                    stack.enter_context(on_store(valkey_url, tmp_path / name, *arguments)).address
                )
            )
            for name in ("first", "second")
        ]
        yield first, second


async def test_no_principal_creates_more_games_a_minute(
    limited: tuple[Service, Service], behind: redis.Redis
) -> None:
    for principal in (NOBODY, ANN, BOB):
        requests = [_request() for _ in range(MOST)]
        answers = [
            await _create(limited[number % 2], request, principal)
            for number, request in enumerate(requests)
        ]
        assert {answer.code for answer in answers} == {grpc.StatusCode.OK}
        before = digest(behind)
        for service in limited:
            refused = await _create(service, _request(), principal)
            assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert 0 < _retry_after_s(refused) <= 60
        # What has been answered is answered again, whatever the limit.
        for request, answer in zip(requests, answers, strict=True):
            for service in limited:
                assert await _create(service, request, principal) == answer
        assert digest(behind) == before


async def test_what_was_created_long_ago_is_answered_again_at_the_limit(
    limited: tuple[Service, Service], behind: redis.Redis
) -> None:
    request = _request()
    created = await _create(limited[0], request, NOBODY)
    counted: Any = behind.keys("coltexpress:counted:*")
    behind.delete(*counted)  # as time does
    for _ in range(MOST):
        await _create(limited[0], _request(), NOBODY)
    refused = await _create(limited[0], _request(), NOBODY)
    assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert await _create(limited[1], request, NOBODY) == created


async def test_what_is_no_game_is_not_counted(limited: tuple[Service, Service]) -> None:
    wrong = _request()
    wrong.game.seats.add()
    wrong.game.seats[-1].figures.append("NOBODY")
    for _ in range(2 * MOST):
        refused = await _create(limited[0], wrong, NOBODY)
        assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    repeated = _request()
    for _ in range(2 * MOST):
        answer = await _create(limited[0], repeated, NOBODY)
        assert answer.code is grpc.StatusCode.OK
    for _ in range(MOST - 1):
        answer = await _create(limited[1], _request(), NOBODY)
        assert answer.code is grpc.StatusCode.OK


def _request() -> pb.CreateGameRequest:
    return pb.CreateGameRequest(
        game=game_pb2.Game(seats=[game_pb2.Seat()] * 4), request_id=new_id()
    )


async def _create(service: Service, request: pb.CreateGameRequest, principal: Metadata) -> Answer:
    return await call(service.channel, f"{GAMES}CreateGame", request, principal)


def _retry_after_s(refused: Answer) -> float:
    (data,) = [value for key, value in refused.trailing if key == "grpc-status-details-bin"]
    assert isinstance(data, bytes)
    found = RetryInfo()
    assert any(detail.Unpack(found) for detail in Status.FromString(data).details)
    return found.retry_delay.ToMilliseconds() / 1000
