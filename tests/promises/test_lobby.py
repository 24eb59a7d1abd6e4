"""The lobby under change: the last seat, and lists read while games come, go and begin."""

from __future__ import annotations

import asyncio
from random import Random

import redis

from coltexpress import ColtExpressError
from coltexpress.v1 import game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from tests.api.tables import Service, Table, bearer, get, join, lobby, new_id
from tests.promises.replicas import at_once

Services = tuple[Service, Service]

LOBBY, RUNNING = game_pb2.Game.STATE_LOBBY, game_pb2.Game.STATE_RUNNING


async def test_the_last_seat_is_taken_by_one_of_twenty(services: Services) -> None:
    table = await lobby(services[0], ("DOC", "GHOST", "BELLE"))
    for _ in range(2):
        await join(services[0], table)
    joining = [pb.JoinGameRequest(name=table.name, request_id=new_id()) for _ in range(20)]
    answers = await at_once(services, "JoinGame", joining)
    won = [pb.JoinGameResponse.FromString(each) for each in answers if isinstance(each, bytes)]
    lost = [each.reason for each in answers if isinstance(each, ColtExpressError)]
    assert [each.seat for each in won] == [2]
    assert lost == ["NO_SEAT_FREE"] * 19
    # Given up, it is taken by one of twenty again, and the token of before is worth nothing.
    leaving = pb.LeaveGameRequest(name=table.name, request_id=new_id())
    await services[1].games.LeaveGame(leaving, metadata=bearer(won[0].seat_token))
    joining = [pb.JoinGameRequest(name=table.name, request_id=new_id()) for _ in range(20)]
    answers = await at_once(services, "JoinGame", joining)
    assert sum(isinstance(each, bytes) for each in answers) == 1
    seats = (await get(services[0], table)).seats
    assert all(seat.taken for seat in seats)


async def test_lists_are_right_while_games_come_and_go_and_begin(
    services: Services, behind: redis.Redis
) -> None:
    chance = Random(3)
    stay = [await lobby(services[number % 2]) for number in range(25)]
    changing = [
        await lobby(services[number % 2], ("DOC", "GHOST", "BELLE")) for number in range(12)
    ]
    for table in changing[::2]:
        for _ in range(3):
            await join(services[0], table)

    async def change(number: int, table: Table) -> None:
        service = services[chance.randrange(2)]
        if number % 2:
            delete = pb.DeleteGameRequest(name=table.name, request_id=new_id())
            await service.games.DeleteGame(delete, metadata=table.as_host)
            await lobby(service)
        else:
            start = pb.StartGameRequest(name=table.name, request_id=new_id())
            await service.games.StartGame(start, metadata=table.as_host)

    async def churn() -> None:
        for number, table in enumerate(changing):
            await change(number, table)

    churning = asyncio.create_task(churn())
    begun = {table.name for table in changing[::2]}
    for states in ([], [LOBBY], [LOBBY, RUNNING]):
        seen = await _all(services[1], states)
        names = [game.name for game in seen]
        assert len(set(names)) == len(names)
        assert {table.name for table in stay} <= set(names)
        if states != [LOBBY]:
            assert begun <= set(names)
        created = [game.create_time.ToMilliseconds() for game in seen]
        assert created == sorted(created, reverse=True)
    await churning
    assert {game.name for game in await _all(services[0], [RUNNING])} == begun


async def _all(
    service: Service, states: list[game_pb2.Game.State.ValueType]
) -> list[game_pb2.Game]:
    """All games of a list, a few a page."""
    found: list[game_pb2.Game] = []
    request = pb.ListGamesRequest(page_size=4, states=states)
    while True:
        page = await service.games.ListGames(request)
        found += page.games
        if not page.next_page_token:
            return found
        assert len(page.games) == 4
        request.page_token = page.next_page_token
