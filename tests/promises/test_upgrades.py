"""Upgrades: games of earlier releases go on, those of later ones are left alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import msgspec
import pytest
import redis
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from coltexpress.v1 import game_pb2, server_service_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.game.codec import RULES_REVISION, SCHEMA
from coltexpress_server.replay import document
from coltexpress_server.replay.verifier import verify
from coltexpress_server.store import Commit, Committed, Cursor, Store, new_mark
from coltexpress_server.store.keys import game_keys
from tests.api.tables import (
    Service,
    Table,
    begun,
    deciding,
    digest,
    get,
    join,
    lobby,
    new_id,
    play,
    submit,
)
from tests.promises.bad_requests import PATHS
from tests.promises.stored.recording import (
    FINISHED,
    LOBBY,
    POSITIONS,
    folder_of,
    put_back,
    read,
    service_on,
    shown,
    stored_games,
    unmarked,
)
from tests.promises.wire import Answer, Metadata, call, watch

SCHEMA_AT, REVISION_AT = 0, 1
"""Where in every stored value its schema and its rules revision stand."""


@pytest.fixture
async def service(valkey_url: str, tmp_path: Path) -> AsyncIterator[Service]:
    async with service_on(valkey_url, tmp_path) as service:
        yield service


def test_there_are_stored_games_of_the_present_schema_and_rules() -> None:
    folder = folder_of(SCHEMA, RULES_REVISION)
    there = {path.stem.upper() for path in folder.glob("*.json")}
    assert there == POSITIONS, (
        f"stored games of schema {SCHEMA}, rules revision {RULES_REVISION} are missing for"
        f" {sorted(POSITIONS - there)}: run `python -m tests.promises.stored.recording` and commit"
        f" {folder.name}; leave the folders of earlier ones as they are, and have the codec read"
        " them"
    )


@pytest.mark.parametrize("path", stored_games(), ids=lambda path: f"{path.parent.name}-{path.stem}")
async def test_a_stored_game_goes_on_as_it_did(
    service: Service, behind: redis.Redis, path: Path
) -> None:
    stored = read(path)
    put_back(behind, stored)
    table = stored.table
    history = await service.games.ListEvents(
        pb.ListEventsRequest(parent=table.name, page_size=1000), metadata=table.as_seat(0)
    )
    game = await get(service, table, 0)
    assert [commit.version for commit in history.commits] == list(range(1, game.version + 1))
    listed = await service.games.ListGames(pb.ListGamesRequest())
    assert [each.name for each in listed.games] == [table.name]
    if stored.position == LOBBY:
        assert game.state == game_pb2.Game.STATE_LOBBY
        await service.games.StartGame(
            pb.StartGameRequest(name=table.name, request_id=new_id()), metadata=table.as_host
        )
    assert stored.moves or stored.position == FINISHED
    stored_ids = {decision.id for decision in game.decisions}
    for number, move in enumerate(stored.moves):
        decision = await deciding(service, table)
        assert decision is not None
        assert (decision.seat, unmarked(decision.id)) == (move.seat, unmarked(move.decision_id))
        if decision.id in stored_ids or (number == 0 and stored.position != LOBBY):
            assert decision.id == move.decision_id
        assert shown(await submit(service, table, decision, move.option_id)) == move.commit
    await play(service, table)
    replay = await service.games.GetReplay(pb.GetReplayRequest(name=table.name))
    assert verify(document.read(replay.document.encode())).problems == []


@pytest.mark.parametrize("place", [SCHEMA_AT, REVISION_AT], ids=["schema", "rules revision"])
@pytest.mark.parametrize("state", ["LOBBY", "RUNNING", "FINISHED"])
async def test_a_game_of_a_later_release_is_left_alone(
    service: Service, behind: redis.Redis, valkey_url: str, state: str, place: int
) -> None:
    table = await _table(service, state)
    cursor = (await get(service, table, 0)).cursor  # this process keeps the game as it was
    requests = await _requests(service, table)
    await _commit_as_later_release(valkey_url, behind, table, place)
    before = digest(behind)
    for method, (request, metadata) in requests.items():
        _check_left_alone(await _send(service, method, request, metadata))
    past = pb.WatchGameRequest(name=table.name, cursor=cursor)
    _check_left_alone(await _send(service, "WatchGame", past, ()))
    assert digest(behind) == before
    # What has nothing to do with that game works on.
    other = await lobby(service)
    await join(service, other)
    listed = await service.games.ListGames(pb.ListGamesRequest())
    assert [game.name for game in listed.games] == [other.name]
    assert (await service.server.GetServerInfo(server_service_pb2.GetServerInfoRequest())).version


@pytest.mark.parametrize("place", [SCHEMA_AT, REVISION_AT], ids=["schema", "rules revision"])
async def test_who_watches_is_sent_to_the_later_release(
    service: Service, behind: redis.Redis, valkey_url: str, place: int
) -> None:
    table = await begun(service)
    game = await get(service, table)
    stream = service.games.WatchGame(pb.WatchGameRequest(name=table.name))
    assert (await stream.read()).game == game
    poll = asyncio.create_task(
        call(
            service.channel,
            PATHS["GetGame"],
            pb.GetGameRequest(name=table.name, wait_for_version=game.version + 1),
        )
    )
    await _commit_as_later_release(valkey_url, behind, table, place)
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await stream.read()
    _check_status(raised.value.code(), raised.value.trailing_metadata())
    _check_left_alone(await poll)


async def _table(service: Service, state: str) -> Table:
    if state == "LOBBY":
        table = await lobby(service)
        for _ in range(4):
            await join(service, table)
        return table
    table = await begun(service)
    await play(service, table, 10 if state == "RUNNING" else 1_000)
    return table


async def _requests(service: Service, table: Table) -> dict[str, tuple[Any, Metadata]]:
    """A request for each method that has to do with the game, by who may make it."""
    name: Any = {"name": table.name}
    change: Any = name | {"request_id": new_id()}
    decision = await deciding(service, table)
    answer: Any = {"decision_id": "0.0.0000000000000000", "option_id": "draw"}
    if decision is not None:
        answer = {"decision_id": decision.id, "option_id": decision.options[0].option_id}
    seat = table.as_seat(decision.seat if decision is not None else 0)
    return {
        "GetGame": (pb.GetGameRequest(**name), seat),
        "FindGame": (pb.FindGameRequest(join_code=table.join_code), ()),
        "JoinGame": (pb.JoinGameRequest(**change), ()),
        "LeaveGame": (pb.LeaveGameRequest(**change), seat),
        "UpdateGame": (
            pb.UpdateGameRequest(
                game=game_pb2.Game(name=table.name, visibility=game_pb2.VISIBILITY_PRIVATE),
                request_id=new_id(),
            ),
            table.as_host,
        ),
        "RemovePlayer": (pb.RemovePlayerRequest(**change, seat=0), table.as_host),
        "StartGame": (pb.StartGameRequest(**change), table.as_host),
        "SubmitAction": (pb.SubmitActionRequest(**change, **answer), seat),
        "WatchGame": (pb.WatchGameRequest(**name), seat),
        "ListEvents": (pb.ListEventsRequest(parent=table.name), seat),
        "Rematch": (pb.RematchRequest(**name), seat),
        "GetReplay": (pb.GetReplayRequest(**name), ()),
        "DeleteGame": (pb.DeleteGameRequest(**change), table.as_host),
    }


async def _send(service: Service, method: str, request: Any, metadata: Metadata) -> Answer:
    if method == "WatchGame":
        return await watch(service.channel, PATHS[method], request, metadata, messages=1)
    return await call(service.channel, PATHS[method], request, metadata)


async def _commit_as_later_release(url: str, behind: redis.Redis, table: Table, place: int) -> None:
    """One more step in the game's history, as a release with a higher schema or rules writes it."""
    game_id = table.name.removeprefix("games/")
    keys = game_keys(game_id)
    game: Any = behind.hgetall(keys.game)
    last: Any = behind.xrevrange(keys.entries, count=1)
    store = Store(url)
    try:
        outcome = await store.commit(
            Commit(
                game_id=game_id,
                expected=Cursor(int(game[b"version"]), game[b"mark"].decode()),
                mark=new_mark(),
                state=_raised(game[b"state"], place),
                summary=_raised(game[b"summary"], place),
                payload=_raised(last[0][1][b"payload"], place),
                ttl_ms=3_600_000,
                filed=("status.RUNNING", "public.RUNNING"),
                code=game_id,
            )
        )
    finally:
        await store.close()
    assert isinstance(outcome, Committed)


def _raised(data: bytes, place: int) -> bytes:
    packed = msgspec.msgpack.decode(data)
    packed[place] += 1
    # A later release may have changed all that follows.
    return msgspec.msgpack.encode([*packed[:2], "something new"])


def _check_left_alone(answer: Answer) -> None:
    _check_status(answer.code, answer.trailing)


def _check_status(code: grpc.StatusCode, trailing: Any) -> None:
    assert code is grpc.StatusCode.UNAVAILABLE
    status = Status.FromString(dict(trailing)["grpc-status-details-bin"])
    info, retry = ErrorInfo(), RetryInfo()
    assert status.details[0].Unpack(info)
    assert info.reason == "NEWER_RELEASE"
    assert any(detail.Unpack(retry) for detail in status.details)
