"""Watching over sockets: beginning, resuming, ending, being cut off."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import grpc
import pytest
import redis

from coltexpress.v1 import game_service_pb2 as pb
from tests.api.conftest import Logs, Start
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

Reason = pb.EndOfStream.Reason


def watch(service: Service, table: Table, cursor: str = "", seat: int | None = None) -> Any:
    return service.games.WatchGame(
        pb.WatchGameRequest(name=table.name, cursor=cursor), metadata=table.as_seat(seat)
    )


async def versions(stream: Any, count: int) -> list[int]:
    return [(await stream.read()).commit.version for _ in range(count)]


async def test_a_watch_begins_with_the_game_as_it_is(service: Service) -> None:
    table = await begun(service)
    stream = watch(service, table, seat=1)
    assert (await stream.read()).game == await get(service, table, 1)


async def test_a_watch_goes_on_behind_any_cursor(service: Service) -> None:
    table = await begun(service)
    await play(service, table, choices=5)
    commits = (await service.games.ListEvents(pb.ListEventsRequest(parent=table.name))).commits
    for commit in commits:
        later = [each for each in commits if each.version > commit.version]
        stream = watch(service, table, commit.cursor)
        assert [(await stream.read()).commit for _ in later] == later
        stream.cancel()


async def test_a_watch_tells_of_the_lobby_too(service: Service) -> None:
    table = await lobby(service)
    stream = watch(service, table)
    game = (await stream.read()).game
    await join(service, table)
    commit = (await stream.read()).commit
    assert commit.version == game.version + 1
    assert commit.events[0].seat_taken.seat == 0
    assert not commit.decisions


@pytest.mark.parametrize("cursor", ["99-0123456789abcdef", "1-0123456789abcdef"])
async def test_a_cursor_of_another_history_is_said_to_be_unknown(
    service: Service, cursor: str
) -> None:
    table = await begun(service)
    stream = watch(service, table, cursor)
    assert (await stream.read()).end == pb.EndOfStream(reason=Reason.REASON_CURSOR_UNKNOWN)
    assert await stream.read() is grpc.aio.EOF


async def test_a_watch_of_a_finished_game_ends(service: Service) -> None:
    table = await begun(service)
    await play(service, table)
    stream = watch(service, table)
    assert (await stream.read()).game == await get(service, table)
    assert (await stream.read()).end.reason == Reason.REASON_GAME_OVER
    assert await stream.read() is grpc.aio.EOF


async def test_a_watch_of_a_game_that_is_deleted_ends(service: Service) -> None:
    table = await lobby(service)
    stream = watch(service, table)
    await stream.read()
    await service.games.DeleteGame(
        pb.DeleteGameRequest(name=table.name, request_id=new_id()), metadata=table.as_host
    )
    assert (await stream.read()).end.reason == Reason.REASON_GAME_DELETED


async def test_whoever_leaves_watches_no_longer(service: Service) -> None:
    table = await lobby(service)
    await join(service, table)
    own, others = watch(service, table, seat=0), watch(service, table)
    await own.read(), await others.read()
    await service.games.LeaveGame(
        pb.LeaveGameRequest(name=table.name, request_id=new_id()), metadata=table.as_seat(0)
    )
    for stream in (own, others):
        assert (await stream.read()).commit.events[0].seat_left.seat == 0
    assert (await own.read()).end.reason == Reason.REASON_TOKEN_REVOKED
    await join(service, Table(table.name, table.host_token))
    assert (await others.read()).commit.events[0].seat_taken.seat == 0


async def test_a_quiet_watch_shows_that_it_is_alive(start: Start) -> None:
    async with start(heartbeat_s=0.05) as service:
        table = await lobby(service)
        stream = watch(service, table)
        cursor = (await stream.read()).game.cursor
        for _ in range(2):
            assert (await stream.read()).heartbeat.cursor == cursor
        await join(service, table)
        while (message := await stream.read()).HasField("heartbeat"):
            pass
        assert message.commit.version == 2
        assert (await stream.read()).heartbeat.cursor == message.commit.cursor


async def test_a_watch_that_goes_on_soon_shows_that_it_does(start: Start) -> None:
    """Else a client whose streams break again and again could not tell that it gets through."""
    async with start(heartbeat_s=3600) as service, asyncio.timeout(60):
        table = await lobby(service)
        cursor = (await watch(service, table).read()).game.cursor
        stream = watch(service, table, cursor=cursor)
        assert (await stream.read()).heartbeat.cursor == cursor
        await join(service, table)
        assert (await stream.read()).commit.version == 2


async def test_only_so_many_watches_may_be_open(start: Start, behind: redis.Redis) -> None:
    async with start(max_watches=2) as service:
        table = await lobby(service)
        streams = [watch(service, table) for _ in range(2)]
        for stream in streams:
            await stream.read()
        found = await refusal(watch(service, table).read())
        assert (found.code, found.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY")
        for stream in streams:
            stream.cancel()
        await nobody_watches(behind)
        assert (await watch(service, table).read()).game.name == table.name


async def test_clients_that_go_away_leave_nothing_behind(
    service: Service, behind: redis.Redis
) -> None:
    table = await lobby(service)
    streams = [watch(service, table) for _ in range(20)]
    for stream in streams:
        await stream.read()
    await until(lambda: bool(behind.pubsub_channels()) and is_watched())
    for stream in streams:
        stream.cancel()
    await nobody_watches(behind)


async def nobody_watches(behind: redis.Redis) -> None:
    """Waits until the server has noticed that all clients have gone."""
    await until(lambda: not behind.pubsub_channels() and not is_watched())


def is_watched() -> bool:
    """Whether the server of this process is passing a watch on."""
    return any(task.get_name() == "end of a watch" for task in asyncio.all_tasks())


async def until(condition: Callable[[], bool]) -> None:
    """Waits for what nothing announces."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)


async def test_a_watcher_that_reads_nothing_is_cut_off_and_others_are_not(
    start: Start, logs: Logs
) -> None:
    # As little as possible is buffered on the way to the one that reads nothing.
    narrow = [("grpc.http2.lookahead_bytes", 4096), ("grpc.http2.bdp_probe", 0)]
    async with (
        start(watch_buffer=8) as service,
        grpc.aio.insecure_channel(service.address, options=narrow) as channel,
    ):
        table = await begun(service)
        patient = watch(service, table)
        stuck = watch(Service(channel, service.address), table, seat=0)
        latest = (await patient.read()).game.cursor
        while (decision := await deciding(service, table)) is not None:
            await submit(service, table, decision, decision.options[-1].option_id)
            latest = (await patient.read()).commit.cursor
        assert (await patient.read()).end.reason == Reason.REASON_GAME_OVER
        assert (await logs.of("WatchGame"))["reason"] == "TOO_SLOW"
        found, cursor = await cut_off(stuck)
        assert (found.code, found.reason) == (grpc.StatusCode.UNAVAILABLE, "TOO_SLOW")
        # What it has missed is there for it.
        resumed = watch(service, table, cursor, seat=0)
        while (message := await resumed.read()).HasField("commit"):
            cursor = message.commit.cursor
        assert cursor == latest
        assert message.end.reason == Reason.REASON_GAME_OVER


async def cut_off(stream: Any) -> tuple[Refusal, str]:
    """Reads a stream up to the error it ends with; returns that, and the last cursor."""
    cursor = (await stream.read()).game.cursor
    try:
        while True:
            cursor = (await stream.read()).commit.cursor
    except grpc.aio.AioRpcError as error:
        return refusal_in(error), cursor
