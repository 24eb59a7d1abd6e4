"""Tokens for watching, in URLs: what they are good for, and until when."""

from __future__ import annotations

import asyncio
from urllib.parse import quote

import httpx
import pytest

from coltexpress.v1 import game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.service import watch_tokens
from tests.api.conftest import Logs
from tests.api.http.conftest import Web
from tests.api.http.event_source import EventParser
from tests.api.http.rest import RestError
from tests.api.tables import Table, begun, get, join, lobby, new_id


async def token_of(web: Web, table: Table, metadata: tuple[tuple[str, str], ...] = ()) -> str:
    made = await web.rest.CreateWatchToken(pb.CreateWatchTokenRequest(name=table.name), metadata)
    return str(made.token)


async def begin(web: Web, name: str, token: str) -> httpx.Response | pb.WatchGameResponse:
    """The first message of a watch, or the answer that refuses it."""
    url = f"/v1/{name}/events:watch?access_token={quote(token)}"
    async with asyncio.timeout(20), web.http.stream("GET", url) as answer:
        if answer.status_code != 200:
            await answer.aread()
            return answer
        parser = EventParser()
        async for piece in answer.aiter_raw():
            for event in parser.feed(piece):
                return event.message
    raise AssertionError("nothing came")


async def reason(web: Web, name: str, token: str) -> str:
    answer = await begin(web, name, token)
    assert isinstance(answer, httpx.Response)
    return str(RestError(answer).info["reason"])


async def test_a_token_shows_what_its_maker_sees(web: Web) -> None:
    table = await begun(web.grpc)
    for metadata, seen in (
        (table.as_seat(1), await get(web.grpc, table, 1)),
        ((), await get(web.grpc, table)),
        (
            table.as_host,
            await web.grpc.games.GetGame(
                pb.GetGameRequest(name=table.name), metadata=table.as_host
            ),
        ),
    ):
        found = await begin(web, table.name, await token_of(web, table, metadata))
        assert isinstance(found, pb.WatchGameResponse)
        assert found.game == seen


async def test_a_token_is_good_for_its_game_alone(web: Web) -> None:
    table, other = await begun(web.grpc), await begun(web.grpc)
    hidden = await lobby(web.grpc, visibility=game_pb2.VISIBILITY_PRIVATE)
    token = await token_of(web, table, table.as_seat(0))
    assert await reason(web, other.name, token) == "TOKEN_MISSING"
    # Whether a PRIVATE game exists is not to be found out so.
    assert await reason(web, hidden.name, token) == "GAME_NOT_FOUND"
    head, until, signature = token.split(".")
    for wrong in (
        f"watch_1.{until}.{signature}",
        f"{head}.{int(until) + 1}.{signature}",
        f"{head}.0{until}.{signature}",
        f"{head}.{until}.",
        f"{head}.{until}.{signature[:-1]}",
        f"{head}.{until}.{signature}x",
        f"watch_9.{until}.{signature}",
        f"watch_host.{until}.{signature}",
        "watch_",
        "watch_\u00e9",
    ):
        assert await reason(web, table.name, wrong) == "TOKEN_MISSING"


async def test_a_token_is_good_for_watching_alone(web: Web) -> None:
    table = await begun(web.grpc)
    token = await token_of(web, table, table.as_seat(0))
    bearer = {"authorization": f"Bearer {token}"}
    for verb, path in (("GET", ""), ("GET", "/events"), ("POST", ":createWatchToken")):
        answer = await web.http.request(verb, f"/v1/{table.name}{path}", headers=bearer)
        assert answer.status_code == 401
    in_url = await web.http.get(f"/v1/{table.name}?access_token={token}")
    assert RestError(in_url).info["metadata"]["field"] == "access_token"
    # Nor is another token good in a URL.
    for other in (table.tokens[0], table.host_token, "x"):
        assert await reason(web, table.name, other) == "TOKEN_MISSING"


async def test_a_token_ends_in_time(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await begun(web.grpc)
    now = 2_000_000_000.0
    monkeypatch.setattr(watch_tokens, "time", lambda: now)
    made = await web.rest.CreateWatchToken(pb.CreateWatchTokenRequest(name=table.name))
    assert made.expire_time.seconds == now + 600
    now += 600
    assert isinstance(await begin(web, table.name, made.token), pb.WatchGameResponse)
    now += 1
    assert await reason(web, table.name, made.token) == "TOKEN_EXPIRED"


async def test_a_token_ends_with_the_seat(web: Web) -> None:
    table = await lobby(web.grpc)
    await join(web.grpc, table)
    token = await token_of(web, table, table.as_seat(0))
    await web.grpc.games.LeaveGame(
        pb.LeaveGameRequest(name=table.name, request_id=new_id()), metadata=table.as_seat(0)
    )
    assert await reason(web, table.name, token) == "TOKEN_MISSING"
    # Nor does it show what the seat's next player sees.
    await join(web.grpc, Table(table.name, table.host_token))
    assert await reason(web, table.name, token) == "TOKEN_MISSING"


async def test_a_private_game_is_watched_with_the_tokens_of_those_in_it(web: Web) -> None:
    table = await lobby(web.grpc, visibility=game_pb2.VISIBILITY_PRIVATE)
    await join(web.grpc, table)
    for metadata in (table.as_seat(0), table.as_host):
        token = await token_of(web, table, metadata)
        assert isinstance(await begin(web, table.name, token), pb.WatchGameResponse)
    with pytest.raises(RestError, match="GAME_NOT_FOUND"):
        await token_of(web, table)


async def test_spectators_tokens_end_when_a_game_is_made_private(web: Web) -> None:
    table = await lobby(web.grpc)
    await join(web.grpc, table)
    spectators, players = await token_of(web, table), await token_of(web, table, table.as_seat(0))
    hiding = game_pb2.Game(name=table.name, visibility=game_pb2.VISIBILITY_PRIVATE)
    await web.grpc.games.UpdateGame(
        pb.UpdateGameRequest(game=hiding, request_id=new_id()), metadata=table.as_host
    )
    assert await reason(web, table.name, spectators) == "GAME_NOT_FOUND"
    assert isinstance(await begin(web, table.name, players), pb.WatchGameResponse)


async def test_no_token_is_logged(web: Web, logs: Logs) -> None:
    table = await begun(web.grpc)
    token = await token_of(web, table, table.as_seat(0))
    await begin(web, table.name, token)
    await reason(web, table.name, token + "x")
    assert logs.lines
    assert token not in str(logs.lines)
