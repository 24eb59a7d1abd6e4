"""Two servers on one store: whichever is asked, it is the same game."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator

import grpc
import pytest

from coltexpress.v1 import game_service_pb2 as pb
from tests.api.conftest import Start
from tests.api.tables import (
    Service,
    begun,
    deciding,
    get,
    join,
    lobby,
    new_id,
    refusal,
    submit,
)


@pytest.fixture
async def services(start: Start) -> AsyncIterator[list[Service]]:
    async with start() as one, start() as other:
        yield [one, other]


async def test_a_game_goes_on_whichever_server_is_asked(services: list[Service]) -> None:
    table = await lobby(services[0])
    for number in range(4):
        await join(services[number % 2], table)
    await services[1].games.StartGame(
        pb.StartGameRequest(name=table.name, request_id=new_id()), metadata=table.as_host
    )
    watches = [
        service.games.WatchGame(pb.WatchGameRequest(name=table.name)) for service in services
    ]
    first, second = [await watch.read() for watch in watches]
    assert first == second
    chance = random.Random(1)
    number = 0
    while (decision := await deciding(services[number % 2], table)) is not None:
        number += 1
        option = chance.choice(decision.options)
        commit = await submit(services[number % 2], table, decision, option.option_id)
        first, second = [await watch.read() for watch in watches]
        assert first == second
        assert first.commit.cursor == commit.cursor
    assert number > 60
    games = [await get(service, table) for service in services]
    assert games[0] == games[1]
    assert games[0].HasField("result")


async def test_a_request_repeated_at_the_other_server_is_carried_out_once(
    services: list[Service],
) -> None:
    table = await begun(services[0])
    decision = await deciding(services[0], table)
    assert decision is not None
    request_id = new_id()
    commits = await asyncio.gather(
        *(submit(services[number % 2], table, decision, "draw", request_id) for number in range(10))
    )
    assert all(commit == commits[0] for commit in commits)
    assert (await get(services[1], table)).version == commits[0].version


async def test_of_two_answers_at_once_one_is_taken(services: list[Service]) -> None:
    table = await begun(services[0])
    decision = await deciding(services[0], table)
    assert decision is not None
    found = await asyncio.gather(
        *(submit(service, table, decision, "draw") for service in services for _ in range(5)),
        return_exceptions=True,
    )
    refused = [each for each in found if isinstance(each, grpc.aio.AioRpcError)]
    assert len(refused) == 9
    assert {each.code() for each in refused} == {grpc.StatusCode.ABORTED}


async def test_creating_and_joining_are_repeated_safely(services: list[Service]) -> None:
    table = await begun(services[0])
    version = (await get(services[0], table)).version
    created = pb.CreateGameRequest(request_id=new_id())
    created.game.seats.add()
    created.game.seats.add()
    created.game.seats.add()
    answers = [await service.games.CreateGame(created) for service in services]
    assert answers[0] == answers[1]
    joining = pb.JoinGameRequest(name=answers[0].game.name, request_id=new_id())
    seats = [await service.games.JoinGame(joining) for service in services]
    assert seats[0].seat_token == seats[1].seat_token
    assert seats[0].seat == seats[1].seat
    assert (await get(services[0], table)).version == version


async def test_a_deletion_is_repeated_safely_and_seen_by_the_other_server(
    services: list[Service],
) -> None:
    table = await begun(services[0])
    await get(services[1], table)
    deletion = pb.DeleteGameRequest(name=table.name, request_id=new_id())
    for service in services:
        await service.games.DeleteGame(deletion, metadata=table.as_host)
    for service in services:
        assert (await refusal(get(service, table))).reason == "GAME_NOT_FOUND"
