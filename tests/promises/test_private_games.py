"""Leaks: whether a PRIVATE game exists, nobody can tell who has no part in it."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
import redis
from google.protobuf import message_factory
from google.protobuf.message import Message

from coltexpress.v1 import game_pb2, game_service_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.store.keys import game_id_from
from tests.api.tables import Service, Table, bearer, begun, digest, lobby, new_id, play
from tests.promises.replicas import client_of, on_store
from tests.promises.wire import GAMES, Answer, Metadata, call, watch

METHODS = {
    method.name: message_factory.GetMessageClass(method.input_type)
    for method in game_service_pb2.DESCRIPTOR.services_by_name["GameService"].methods
    if {"name", "parent"} & set(method.input_type.fields_by_name)
}
API_KEY = "the key of somebody else"
NOBODYS = "games/" + game_id_from(Random(1).randbytes(16))


@pytest.fixture
async def service(valkey_url: str, tmp_path: Path) -> AsyncIterator[Service]:
    api_keys = f'{{"other": "{hashlib.sha256(API_KEY.encode()).hexdigest()}"}}'
    with on_store(valkey_url, tmp_path / "log", "--api-keys", api_keys) as process:
        async with client_of(process.address) as service:
            yield service


@pytest.mark.parametrize("choices", [None, 0, 30, 1000], ids=["lobby", "start", "middle", "end"])
async def test_not_yours_reads_like_no_such_game(
    service: Service, behind: redis.Redis, choices: int | None
) -> None:
    private: Any = {"visibility": game_pb2.VISIBILITY_PRIVATE}
    if choices is None:
        table = await lobby(service, **private)
    else:
        table = await begun(service, **private)
        await play(service, table, choices)
    other = await begun(service, **private)
    before = digest(behind)
    strangers: list[Metadata] = [
        (),
        bearer("made up"),
        other.as_host,
        other.as_seat(0),
        (("x-api-key", API_KEY),),
        (("x-api-key", API_KEY), *other.as_seat(1)),
    ]
    for method, request in METHODS.items():
        for stranger in strangers:
            rest = _rest(method, other)
            named = "parent" if method == "ListEvents" else "name"
            real, none = [
                await _ask(service, method, request(**{named: name}, **rest), stranger)
                for name in (table.name, NOBODYS)
            ]
            assert none.code is grpc.StatusCode.NOT_FOUND
            assert real.replacing(table.name.encode(), NOBODYS.encode()) == none
    assert digest(behind) == before


async def test_lists_show_public_games_alone(service: Service) -> None:
    shown = await lobby(service)
    await lobby(service, visibility=game_pb2.VISIBILITY_UNLISTED)
    await begun(service, visibility=game_pb2.VISIBILITY_PRIVATE)
    listed = await service.games.ListGames(pb.ListGamesRequest())
    assert [game.name for game in listed.games] == [shown.name]


def _rest(method: str, other: Table) -> dict[str, object]:
    """What a request needs besides a name; JoinGame gets a code that is wrong at least here."""
    rest: dict[str, object] = {}
    declared = METHODS[method].DESCRIPTOR.fields_by_name
    if "request_id" in declared:
        rest["request_id"] = new_id()
    if "decision_id" in declared:
        rest |= {"decision_id": "0.0.0000000000000000", "option_id": "draw"}
    if method == "RemovePlayer":
        rest["seat"] = 0
    if "level" in declared:
        rest["level"] = "RANDOM"
    if "join_code" in declared:
        rest["join_code"] = other.join_code
    return rest


async def _ask(service: Service, method: str, request: Message, metadata: Metadata) -> Answer:
    if method == "WatchGame":
        return await watch(service.channel, GAMES + method, request, metadata, messages=1)
    return await call(service.channel, GAMES + method, request, metadata)
