"""Games watched over HTTP: events and lines, resumed anywhere, ended for a reason."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import select
import socket
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from google.protobuf import json_format

from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.server import serving
from tests.api.conftest import Logs, MakeSettings, Start
from tests.api.http.conftest import Web
from tests.api.http.event_source import Event, EventParser, EventSource
from tests.api.http.rest import RestError
from tests.api.tables import Table, begun, deciding, get, join, lobby, new_id, play

LIMIT = 20


def path(table: Table) -> str:
    return f"/v1/{table.name}/events:watch"


async def over_grpc(web: Web, table: Table, cursor: str = "") -> list[pb.WatchGameResponse]:
    """All messages of a watch of a game that is over."""
    stream = web.grpc.games.WatchGame(pb.WatchGameRequest(name=table.name, cursor=cursor))
    return [message async for message in stream]


async def test_a_game_is_watched_as_over_grpc_however_the_stream_is_cut(web: Web) -> None:
    table = await begun(web.grpc)
    opening = (await web.http.get(f"/v1/{table.name}")).json()["cursor"]
    await play(web.grpc, table)
    expected = await over_grpc(web, table, opening)
    answer = await web.http.get(path(table), params={"cursor": opening})
    assert answer.headers["x-accel-buffering"] == "no"
    assert answer.headers["cache-control"] == "no-store"
    whole = answer.content
    events = list(EventParser().feed(whole))
    assert [event.message for event in events] == expected
    assert [event.kind for event in events] == ["commit"] * (len(events) - 1) + ["end"]
    assert [event.last_id for event in events[:-1]] == [
        message.commit.cursor for message in expected[:-1]
    ]
    # Every byte is a place to cut a stream of some events; the reader is fed both parts.
    short = whole[: whole.index(b"\n\n", 3000) + 2]
    first = list(EventParser().feed(short))
    for cut in range(len(short)):
        parser = EventParser()
        assert [*parser.feed(short[:cut]), *parser.feed(short[cut:])] == first


async def test_a_watch_resumes_behind_every_event(web: Web) -> None:
    table = await begun(web.grpc)
    await play(web.grpc, table)
    asked = pb.ListEventsRequest(parent=table.name, page_size=1000)
    every = list((await web.rest.ListEvents(asked)).commits)
    source = EventSource(web.http, f"{path(table)}?cursor={every[-31].cursor}")
    async with asyncio.timeout(LIMIT):
        events = [event async for event in source.events(cut_at=1)]
    assert [event.message.commit for event in events[:-1]] == every[-30:]
    assert events[-1].message.end.reason == pb.EndOfStream.REASON_GAME_OVER
    assert source.connections == len(events) + 1
    assert source.status == 204


async def test_lines_of_json_are_given_to_who_asks_for_them(web: Web) -> None:
    table = await begun(web.grpc)
    await play(web.grpc, table)
    answer = await web.http.get(path(table), headers={"accept": "application/x-ndjson"})
    assert answer.headers["content-type"] == "application/x-ndjson"
    lines = answer.text.splitlines()
    found = [json_format.Parse(line, pb.WatchGameResponse()) for line in lines]
    assert found == await over_grpc(web, table)


async def test_a_watch_begins_at_once_and_shows_that_it_is_alive(start: Start) -> None:
    async with (
        asyncio.timeout(LIMIT),
        start(http_port=0, heartbeat_s=0.05) as service,
        httpx.AsyncClient(base_url=service.http) as client,
    ):
        table = await lobby(service)
        source = EventSource(client, path(table))
        events = source.events()
        assert (await anext(events)).kind == "game"
        beat = await anext(events)
        assert beat.kind == "heartbeat"
        assert beat.last_id == beat.message.heartbeat.cursor != ""
        assert source.parser.retry_ms
        await join(service, table)
        kinds = [(await anext(events)).kind]
        while kinds[-1] == "heartbeat":
            kinds.append((await anext(events)).kind)
        assert kinds[-1] == "commit"
        await events.aclose()  # type: ignore[attr-defined]


async def test_an_unknown_cursor_is_followed_by_the_game_as_it_is(web: Web) -> None:
    table = await lobby(web.grpc)
    source = EventSource(web.http, path(table))
    source.parser.last_id = source.parser._id = "99-0123456789abcdef"
    events = source.events()
    async with asyncio.timeout(LIMIT):
        end = await anext(events)
        assert end.message.end.reason == pb.EndOfStream.REASON_CURSOR_UNKNOWN
        assert end.last_id == ""
        assert (await anext(events)).kind == "game"
    await events.aclose()  # type: ignore[attr-defined]


@pytest.mark.parametrize("reason", ["GAME_DELETED", "TOKEN_REVOKED"])
async def test_a_stream_that_ends_for_good_is_not_connected_to_again(web: Web, reason: str) -> None:
    table = await lobby(web.grpc)
    await join(web.grpc, table)
    made = pb.CreateWatchTokenRequest(name=table.name)
    token = (await web.rest.CreateWatchToken(made, table.as_seat(0))).token
    source = EventSource(web.http, f"{path(table)}?access_token={token}")
    events = source.events()
    async with asyncio.timeout(LIMIT):
        assert (await anext(events)).message.game.viewer == 0
        if reason == "GAME_DELETED":
            await web.grpc.games.DeleteGame(
                pb.DeleteGameRequest(name=table.name, request_id=new_id()), metadata=table.as_host
            )
        else:
            await web.grpc.games.LeaveGame(
                pb.LeaveGameRequest(name=table.name, request_id=new_id()),
                metadata=table.as_seat(0),
            )
        rest = [event async for event in events]
    assert rest[-1].json["end"]["reason"] == f"REASON_{reason}"
    assert source.status == 204


async def test_what_is_refused_before_it_begins_is_refused_in_json(web: Web) -> None:
    table = await lobby(web.grpc)
    for url, status, reason in (
        (path(table) + "?cursor=x", 400, "INVALID_FIELD"),
        (path(table) + "?fly=1", 400, "INVALID_FIELD"),
        ("/v1/games/00" + "a" * 24 + "/events:watch", 404, "GAME_NOT_FOUND"),
        ("/v1/seats:watch", 401, "API_KEY_MISSING"),
    ):
        answer = await web.http.get(url)
        assert answer.status_code == status
        assert RestError(answer).info["reason"] == reason
    assert (await web.http.head(path(table))).status_code == 405


async def test_only_so_many_watches_are_open_over_both_ports(start: Start) -> None:
    async with (
        asyncio.timeout(LIMIT),
        start(http_port=0, max_watches=1) as service,
        httpx.AsyncClient(base_url=service.http) as client,
    ):
        table = await lobby(service)
        async with client.stream("GET", path(table)) as open_one:
            assert open_one.status_code == 200
            refused = await client.get(path(table))
            assert refused.status_code == 429
            stream = service.games.WatchGame(pb.WatchGameRequest(name=table.name))
            with pytest.raises(Exception, match="too many"):
                await stream.read()
        # Whoever goes leaves his place at once.
        while (answer := await status_of(client, path(table))) == 429:
            pass
        assert answer == 200


async def status_of(client: httpx.AsyncClient, url: str) -> int:
    async with client.stream("GET", url) as answer:
        return answer.status_code


async def test_streams_and_polls_end_when_the_server_drains(make_settings: MakeSettings) -> None:
    async with asyncio.timeout(LIMIT), contextlib.AsyncExitStack() as server:
        found = await server.enter_async_context(serving(make_settings(http_port=0, grace_s=15)))
        async with httpx.AsyncClient(base_url=found.http) as client:
            created = await client.post(
                "/v1/games", json={"game": {"seats": [{}, {}, {}]}, "requestId": new_id()}
            )
            game = created.json()["game"]
            url = f"/v1/{game['name']}"
            async with client.stream("GET", f"{url}/events:watch") as stream:
                pieces = stream.aiter_raw()
                parser = EventParser()
                events: list[Event] = []
                while not events:
                    events += parser.feed(await anext(pieces))
                poll = asyncio.ensure_future(client.get(f"{url}?wait_for_version=9"))
                async with client.stream("GET", f"{url}/events:watch"):
                    pass  # taken up after the poll
                gone = asyncio.ensure_future(server.aclose())
                async for piece in pieces:
                    events += parser.feed(piece)
            end = events[-1].message.end
            assert end.reason == pb.EndOfStream.REASON_DRAINING
            assert end.cursor == events[-1].last_id == game["cursor"]
            assert (await poll).json()["version"] == game["version"]
            await gone


def asked_for_events(table: Table, cursor: str) -> bytes:
    return f"GET {path(table)}?cursor={cursor} HTTP/1.1\r\nhost: x\r\n\r\n".encode()


def asked_over_connect(table: Table, cursor: str) -> bytes:
    message = json.dumps({"name": table.name, "cursor": cursor}).encode()
    body = b"\0" + len(message).to_bytes(4, "big") + message
    head = (
        "POST /coltexpress.v1.GameService/WatchGame HTTP/1.1\r\nhost: x\r\n"
        f"content-type: application/connect+json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


@pytest.mark.parametrize("asked", [asked_for_events, asked_over_connect])
async def test_who_does_not_read_is_cut_off(
    start: Start,
    logs: Logs,
    monkeypatch: pytest.MonkeyPatch,
    asked: Callable[[Table, str], bytes],
) -> None:
    # A game is less than what the system takes for one who does not read.
    monkeypatch.setattr("coltexpress_server.api.listening._SEND_BUFFER", 2048)
    monkeypatch.setattr("coltexpress_server.api.http.server._SLACK_S", 0.2)
    async with (
        asyncio.timeout(LIMIT),
        start(http_port=0, watch_patience_s=0.2, max_watches=1) as service,
        httpx.AsyncClient(base_url=service.http) as client,
    ):
        table = await begun(service)
        cursor = (await get(service, table)).cursor
        await play(service, table)
        host, port = service.http.removeprefix("http://").split(":")
        with socket.socket() as stuck:
            stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            stuck.connect((host, int(port)))
            stuck.sendall(asked(table, cursor))
            line = await logs.of("WatchGame")
            assert (line["reason"], line["code"]) == ("TOO_SLOW", "UNAVAILABLE")
            # His place is free.
            assert (await client.get(path(table))).text.count("event: ") > 1
            # And the connection is cut off, though he has not read to its end.
            states = select.poll()
            states.register(stuck, 0)
            [(_, state)] = await asyncio.to_thread(states.poll, LIMIT * 1000)
            assert state & select.POLLHUP


async def test_all_seats_of_a_principal_are_on_one_stream(start: Start) -> None:
    key = "the app's key"
    keys = json.dumps({"app": hashlib.sha256(key.encode()).hexdigest()})
    async with (
        asyncio.timeout(LIMIT),
        start(http_port=0, api_keys=keys) as service,
        httpx.AsyncClient(base_url=service.http, headers={"x-api-key": key}) as client,
    ):
        table = await lobby(service)
        joining = {"requestId": new_id()}
        assert (await client.post(f"/v1/{table.name}:join", json=joining)).status_code == 200
        async with client.stream("GET", "/v1/seats:watch") as stream:
            parser = EventParser()
            events: list[Event] = []
            async for piece in stream.aiter_raw():
                events += parser.feed(piece)
                if len(events) == 2:
                    break
        assert [event.kind for event in events] == ["seat", "complete"]
        assert events[0].json["seat"]["name"] == table.name
        assert events[1].last_id == ""


async def test_answers_have_the_language_that_is_asked_for(web: Web) -> None:
    table = await begun(web.grpc)
    decision = await deciding(web.grpc, table)
    assert decision is not None
    headers: Any = dict(table.as_seat(decision.seat))
    prompts = []
    for language in ("en", "es"):
        asked = headers | {"accept-language": language}
        game = (await web.http.get(f"/v1/{table.name}", headers=asked)).json()
        prompts.append(next(each["prompt"] for each in game["decisions"] if each["prompt"]))
    assert prompts[0] != prompts[1]
