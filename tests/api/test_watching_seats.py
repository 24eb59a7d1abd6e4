"""Watching all seats of a principal over sockets."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import random
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
import redis

from coltexpress.v1 import game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1 import seat_service_pb2 as seat_pb
from coltexpress.v1.decision_pb2 import Decision
from coltexpress_server.metrics import Metrics
from coltexpress_server.server import serving
from coltexpress_server.service.callers import Caller, Principal
from coltexpress_server.service.games import Games
from coltexpress_server.service.seats import Complete, Seats, SeatStatus
from coltexpress_server.store import Store
from tests.api.conftest import MakeSettings, Start
from tests.api.tables import (
    Refusal,
    Service,
    Table,
    begun,
    deciding,
    get,
    join,
    lobby,
    new_id,
    play,
    refusal,
    refusal_in,
    submit,
)
from tests.store.behind import set_rights

KEY = (("x-api-key", "app's key"),)
OTHERS_KEY = (("x-api-key", "other's key"),)
KEYS = {name: hashlib.sha256(f"{name}'s key".encode()).hexdigest() for name in ("app", "other")}
THREE = ("DOC", "GHOST", "BELLE")
LIMIT = 20  # s

Standing = seat_pb.SeatStatus.Standing
Reason = pb.EndOfStream.Reason
WAITING, IDLE = Standing.STANDING_WAITING, Standing.STANDING_IDLE


@pytest.fixture
async def services(start: Start) -> AsyncIterator[list[Service]]:
    async with start(api_keys=KEYS) as one, start(api_keys=KEYS) as other:
        yield [one, other]


def watch(service: Service, metadata: Any = KEY) -> Any:
    return service.seats.WatchSeats(seat_pb.WatchSeatsRequest(), metadata=metadata)


async def everything(stream: Any) -> list[seat_pb.SeatStatus]:
    """What a stream begins with."""
    found = []
    async with asyncio.timeout(LIMIT):
        while (message := await stream.read()).HasField("seat"):
            found.append(message.seat)
    assert message.complete.seats == len(found)
    return found


async def next_seat(stream: Any) -> seat_pb.SeatStatus:
    async with asyncio.timeout(LIMIT):
        message = await stream.read()
    assert message.HasField("seat")
    return message.seat  # type: ignore[no-any-return] # streams are not annotated


async def test_a_stream_begins_with_every_seat_still_to_be_played(services: list[Service]) -> None:
    waiting = await lobby(services[0], THREE)
    await join(services[0], waiting)
    await join(services[0], waiting, metadata=KEY)
    running = await begun(services[0], THREE, metadata=KEY)
    others = await begun(services[0], THREE, metadata=OTHERS_KEY)
    over = await begun(services[0], THREE, metadata=KEY)
    await play(services[0], over)
    decision = await deciding(services[0], running)
    assert decision is not None
    for service in services:
        stream = watch(service)
        seats = {(status.name, status.seat): status for status in await everything(stream)}
        stream.cancel()
        assert set(seats) == {(waiting.name, 1), *((running.name, seat) for seat in range(3))}
        assert seats[waiting.name, 1].state == game_pb2.Game.STATE_LOBBY
        assert seats[waiting.name, 1].standing == IDLE
        for seat in range(3):
            status, game = seats[running.name, seat], await get(service, running, seat)
            assert (status.version, status.cursor) == (game.version, game.cursor)
            assert status.standing == (WAITING if seat == decision.seat else IDLE)
            own = [each for each in game.decisions if each.seat == seat]
            assert list(status.decisions) == own
            assert not own or own[0].options
    stream = watch(services[1], OTHERS_KEY)
    assert {status.name for status in await everything(stream)} == {others.name}
    stream.cancel()


async def test_each_change_is_told_wherever_it_is_made(services: list[Service]) -> None:
    stream = watch(services[0])
    assert await everything(stream) == []
    table = await lobby(services[1], THREE)
    await join(services[1], table, metadata=KEY)
    status = await next_seat(stream)
    assert (status.name, status.seat, status.standing) == (table.name, 0, IDLE)
    await services[1].games.LeaveGame(
        pb.LeaveGameRequest(name=table.name, request_id=new_id()), metadata=table.as_seat(0)
    )
    status = await next_seat(stream)
    assert (status.seat, status.standing) == (0, Standing.STANDING_LEFT)
    table.tokens.clear()
    for metadata in (KEY, (), ()):
        await join(services[1], table, metadata=metadata)
    assert (await next_seat(stream)).standing == IDLE
    await services[1].games.StartGame(
        pb.StartGameRequest(name=table.name, request_id=new_id()), metadata=table.as_host
    )
    begun_ = await next_seat(stream)
    assert begun_.state == game_pb2.Game.STATE_RUNNING
    while (decision := await open_one(services[1], table)).seat:
        await submit(services[1], table, decision, decision.options[0].option_id)
    status = begun_ if begun_.standing == WAITING else await next_seat(stream)
    assert [each.id for each in status.decisions] == [decision.id]
    await submit(services[1], table, status.decisions[0], status.decisions[0].options[0].option_id)
    status = await next_seat(stream)
    assert (status.standing, list(status.decisions)) == (IDLE, [])
    await services[1].games.DeleteGame(
        pb.DeleteGameRequest(name=table.name, request_id=new_id()), metadata=table.as_host
    )
    while (status := await next_seat(stream)).standing in {IDLE, WAITING}:
        pass
    assert (status.name, status.standing) == (table.name, Standing.STANDING_DELETED)


async def test_games_are_played_by_what_streams_say_alone(services: list[Service]) -> None:
    """Three games at once over two servers, each seat by one of two that know nothing else."""
    tables = {}
    for number in range(3):
        table = await lobby(services[number % 2], THREE, seed=bytes([number]) * 32)
        for seat in range(3):
            await join(services[seat % 2], table, metadata=KEY if seat < 2 else OTHERS_KEY)
        tables[table.name] = table
    streams = [watch(services[0], KEY), watch(services[1], OTHERS_KEY)]
    for stream in streams:
        await everything(stream)
    chance = random.Random(1)

    async def play_on(service: Service, stream: Any, seats: set[tuple[str, int]]) -> None:
        answered = set()
        while seats:
            status = await next_seat(stream)
            assert (status.name, status.seat) in seats
            if status.standing == Standing.STANDING_OVER:
                assert status.state == game_pb2.Game.STATE_FINISHED
                seats.discard((status.name, status.seat))
            for decision in status.decisions:
                assert (status.name, decision.id) not in answered
                answered.add((status.name, decision.id))
                option = chance.choice(decision.options)
                await submit(service, tables[status.name], decision, option.option_id)

    await asyncio.gather(
        *(
            services[1].games.StartGame(
                pb.StartGameRequest(name=table.name, request_id=new_id()), metadata=table.as_host
            )
            for table in tables.values()
        ),
        play_on(services[1], streams[0], {(name, seat) for name in tables for seat in (0, 1)}),
        play_on(services[0], streams[1], {(name, 2) for name in tables}),
    )
    stream = watch(services[0])
    assert await everything(stream) == []


async def test_ones_own_games_are_listed_whatever_their_visibility(
    services: list[Service],
) -> None:
    private = game_pb2.VISIBILITY_PRIVATE
    seated = await lobby(services[0], THREE, visibility=private)
    await join(services[0], seated, metadata=KEY)
    over = await begun(services[0], THREE, metadata=KEY)
    await play(services[0], over)
    await begun(services[0], THREE, metadata=OTHERS_KEY)
    hosted = await services[0].games.CreateGame(
        pb.CreateGameRequest(
            game=game_pb2.Game(visibility=private, seats=[game_pb2.Seat()] * 3),
            request_id=new_id(),
        ),
        metadata=KEY,
    )
    finished = game_pb2.Game.STATE_FINISHED
    for states, wanted in (
        ([], {seated.name, over.name, hosted.game.name}),
        ([finished], {over.name}),
    ):
        found: list[str] = []
        token = ""
        while True:
            page = await services[1].games.ListGames(
                pb.ListGamesRequest(mine=True, states=states, page_size=1, page_token=token),
                metadata=KEY,
            )
            found += [game.name for game in page.games]
            if not (token := page.next_page_token):
                break
        assert len(found) == len(wanted)
        assert set(found) == wanted
    refused_ = await refusal(services[0].games.ListGames(pb.ListGamesRequest(mine=True)))
    assert refused_.reason == "API_KEY_MISSING"


async def test_it_takes_an_api_key(services: list[Service]) -> None:
    found = await refused(watch(services[0], ()))
    assert (found.code, found.reason) == (grpc.StatusCode.UNAUTHENTICATED, "API_KEY_MISSING")


async def test_a_stream_on_which_nothing_happens_is_alive(start: Start) -> None:
    async with start(api_keys=KEYS, heartbeat_s=0.01) as service:
        stream = watch(service)
        assert await everything(stream) == []
        async with asyncio.timeout(LIMIT):
            for _ in range(2):
                assert (await stream.read()).heartbeat.cursor == ""
        stream.cancel()


async def test_a_stream_takes_a_place_among_the_watches(start: Start) -> None:
    async with start(api_keys=KEYS, max_watches=1) as service:
        stream = watch(service)
        await everything(stream)
        assert (await refused(watch(service))).reason == "TOO_MANY"
        stream.cancel()


async def test_a_server_that_drains_says_so(make_settings: MakeSettings) -> None:
    async with contextlib.AsyncExitStack() as server:
        found = await server.enter_async_context(serving(make_settings(api_keys=KEYS)))
        async with grpc.aio.insecure_channel(found.address) as channel:
            stream = watch(Service(channel, found.address))
            await everything(stream)
            leaving = asyncio.create_task(server.pop_all().aclose())
            assert (await stream.read()).end.reason == Reason.REASON_DRAINING
            assert await stream.read() is grpc.aio.EOF
            await leaving


async def test_what_the_store_does_not_tell_is_found_out(
    services: list[Service], make_settings: MakeSettings, valkey_url: str, behind: redis.Redis
) -> None:
    table = await lobby(services[0], THREE)
    store = Store(valkey_url)
    seats = Seats(Games(store, make_settings(), Metrics()), recheck_s=0.02)
    set_rights(behind, "-publish")
    try:
        async with asyncio.timeout(LIMIT):
            with seats.watch(Caller(Principal("app"))) as watched:
                assert await anext(watched) == Complete(0)
                await join(services[0], table, metadata=KEY)
                status = await anext(watched)
        assert isinstance(status, SeatStatus)
        assert f"games/{status.game_id}" == table.name
    finally:
        set_rights(behind, "+@all")
        await store.close()


async def open_one(service: Service, table: Table) -> Decision:
    found = await deciding(service, table)
    assert found is not None
    return found


async def refused(stream: Any) -> Refusal:
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await stream.read()
    return refusal_in(raised.value)
