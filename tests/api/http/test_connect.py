"""Connect and gRPC-Web: the same answers and errors, unary and streamed, in both formats."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from typing import Any

import httpx
import pytest
from connectrpc.code import Code
from connectrpc.errors import ConnectError
from connectrpc.protocol import ProtocolType
from google.rpc.error_details_pb2 import ErrorInfo

from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1 import server_service_pb2
from coltexpress_server.api.errors import CODES, Failure
from coltexpress_server.api.http import connect
from tests.api.conftest import Logs, Start
from tests.api.http.conftest import Web
from tests.api.http.connecting import Connecting, info_in
from tests.api.http.four_transports import play_over_four_transports
from tests.api.http.rest import RestError
from tests.api.tables import begun, get, join, lobby, new_id, play

LIMIT = 20
GAMES = "/coltexpress.v1.GameService"
JSON = {"content-type": "application/json"}

every_way = pytest.mark.parametrize(
    ("protocol", "json"),
    [
        (ProtocolType.CONNECT, False),
        (ProtocolType.CONNECT, True),
        (ProtocolType.GRPC_WEB, False),
        (ProtocolType.GRPC_WEB, True),
    ],
)


@every_way
async def test_calls_are_answered_as_over_grpc(
    web: Web, protocol: ProtocolType, json: bool
) -> None:
    client = Connecting(web.grpc.http, protocol, json=json)
    table = await lobby(web.grpc)
    request = pb.JoinGameRequest(name=table.name, request_id=new_id())
    assert await client.JoinGame(request) == await web.grpc.games.JoinGame(request)
    table.tokens.append((await client.JoinGame(request)).seat_token)
    asked = pb.GetGameRequest(name=table.name)
    assert await client.GetGame(asked, table.as_seat(0)) == await get(web.grpc, table, 0)
    info = server_service_pb2.GetServerInfoRequest()
    assert await client.GetServerInfo(info) == await web.grpc.server.GetServerInfo(info)


@every_way
async def test_a_game_is_watched_as_over_grpc(web: Web, protocol: ProtocolType, json: bool) -> None:
    client = Connecting(web.grpc.http, protocol, json=json)
    table = await begun(web.grpc)
    request = pb.WatchGameRequest(name=table.name)
    async with asyncio.timeout(LIMIT):
        streams = [
            aiter(client.WatchGame(request, table.as_seat(0))),
            aiter(web.grpc.games.WatchGame(request, metadata=table.as_seat(0))),
        ]
        found, expected = [[await anext(stream)] for stream in streams]
        await play(web.grpc, table)
        found += [message async for message in streams[0]]
        expected += [message async for message in streams[1]]
    assert found == expected


@every_way
async def test_errors_say_the_same(
    web: Web, protocol: ProtocolType, json: bool, logs: Logs
) -> None:
    client = Connecting(web.grpc.http, protocol, json=json)
    with pytest.raises(ConnectError) as unary:
        await client.GetGame(pb.GetGameRequest(name="games/x"))
    assert unary.value.code is Code.INVALID_ARGUMENT
    assert info_in(unary.value).reason == "INVALID_FIELD"
    assert dict(info_in(unary.value).metadata) == {"field": "name"}
    with pytest.raises(ConnectError) as streamed:
        await anext(client.WatchGame(pb.WatchGameRequest(name="games/00" + "a" * 24)))
    assert streamed.value.code is Code.NOT_FOUND
    assert info_in(streamed.value).reason == "GAME_NOT_FOUND"
    assert [line["reason"] for line in logs.lines] == ["INVALID_FIELD", "GAME_NOT_FOUND"]


def test_every_code_has_its_like() -> None:
    for reason, code in CODES.items():
        error = connect._error(Failure(reason, "", {}))
        assert error.code.name == code.name.replace("CANCELLED", "CANCELED")


@pytest.mark.parametrize(
    ("content", "field"),
    [
        (b"[]", "body"),
        (b'{"name": 7}', "name"),
        (b'{"name": "games/x", "fly": 1}', "name"),  # of a later release
    ],
)
async def test_json_that_cannot_be_read_is_told(web: Web, content: bytes, field: str) -> None:
    answer = await web.http.post(f"{GAMES}/GetGame", content=content, headers=JSON)
    assert answer.status_code == 400
    error = answer.json()
    assert error["code"] == "invalid_argument"
    assert error["details"][0]["type"] == "google.rpc.ErrorInfo"
    assert (
        ErrorInfo.FromString(b64decode(error["details"][0]["value"] + "==")).metadata["field"]
        == field
    )


async def test_the_language_of_an_answer_is_named(web: Web) -> None:
    headers = JSON | {"accept-language": "es-MX, en;q=0.5"}
    answer = await web.http.post(f"{GAMES}/ListGames", content=b"{}", headers=headers)
    assert answer.headers["content-language"] == "es"


async def test_bytes_that_cannot_be_read_are_told(web: Web, logs: Logs) -> None:
    answer = await web.http.post(
        f"{GAMES}/GetGame", content=b"\xff", headers={"content-type": "application/proto"}
    )
    assert answer.status_code == 400
    assert answer.json()["details"]
    assert logs.lines[0]["method"] == "GetGame"


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        (f"{GAMES}/Fly", JSON, 404),
        (f"{GAMES}/GetGame", {"content-type": "text/plain"}, 415),
        (f"{GAMES}/GetGame", {"content-type": "application/grpc"}, 415),
        (f"{GAMES}/GetGame", JSON | {"x-name": "\u00e9"}, 400),
        (f"{GAMES}/GetGame", JSON | {"connect-timeout-ms": "x"}, 400),
        (f"{GAMES}/GetGame", JSON | {"authorization": "Basic x"}, 401),
    ],
)
async def test_what_is_no_call_is_no_defect(
    web: Web, path: str, headers: dict[str, str], status: int, logs: Logs
) -> None:
    encoded = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    answer = await web.http.post(path, content=b"{}", headers=encoded)
    assert answer.status_code == status
    assert not [line for line in logs.lines if line["level"] == "error"]


async def test_a_request_that_is_too_large_is_refused(web: Web) -> None:
    answer = await web.http.post(f"{GAMES}/GetGame", content=b" " * 70_000, headers=JSON)
    assert answer.status_code == 429
    assert answer.json()["code"] == "resource_exhausted"


async def test_who_goes_leaves_his_place_at_once(start: Start) -> None:
    async with asyncio.timeout(LIMIT), start(http_port=0, max_watches=1) as service:
        table = await lobby(service)
        client = Connecting(service.http)
        request = pb.WatchGameRequest(name=table.name)
        first: Any = client.WatchGame(request)
        await anext(first)
        with pytest.raises(ConnectError, match="too many"):
            await anext(client.WatchGame(request))
        await first.aclose()
        while not await can_begin(client, request):
            pass


async def can_begin(client: Connecting, request: pb.WatchGameRequest) -> bool:
    stream: Any = client.WatchGame(request)
    try:
        await anext(stream)
    except ConnectError:
        return False
    await stream.aclose()
    return True


async def test_pages_of_other_origins_are_let_in_by_setting(start: Start, web: Web) -> None:
    origin = {"origin": "https://play.example"}
    asked = origin | {
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,connect-protocol-version,x-grpc-web",
    }
    async with (
        start(http_port=0, cors_origins="https://play.example") as service,
        httpx.AsyncClient(base_url=service.http) as client,
    ):
        for path in (f"{GAMES}/GetGame", "/v1/games"):
            preflight = await client.options(path, headers=asked)
            assert preflight.status_code == 200
            allowed = preflight.headers["access-control-allow-headers"].lower()
            assert all(name in allowed for name in ("authorization", "x-grpc-web"))
        # Errors can be read too.
        answer = await client.get("/v1/games?fly=1", headers=origin)
        assert answer.headers["access-control-allow-origin"] == "https://play.example"
        assert "retry-after" in answer.headers["access-control-expose-headers"]
        other = await client.get("/v1/games", headers={"origin": "https://evil.example"})
        assert "access-control-allow-origin" not in other.headers
    without = await web.http.get("/v1/games", headers=origin)
    assert "access-control-allow-origin" not in without.headers
    assert RestError(await web.http.options("/nowhere", headers=asked)).info


async def test_a_table_of_four_transports_sees_one_game(web: Web) -> None:
    """One seat on gRPC, one on the long poll, one on events, one on Connect."""
    table = await lobby(web.grpc)
    for _ in range(4):
        await join(web.grpc, table)
    await web.grpc.games.StartGame(
        pb.StartGameRequest(name=table.name, request_id=new_id()), metadata=table.as_host
    )
    async with asyncio.timeout(60):
        stories = await play_over_four_transports(web, table)
    assert len(stories) == 4
    first = stories[0][0].version
    page = pb.ListEventsRequest(parent=table.name, page_size=1000, page_token=str(first - 1))
    public = (await web.grpc.games.ListEvents(page)).commits
    assert len(public) > 50
    private = 0
    for told in zip(public, *stories, strict=True):
        assert len({commit.cursor for commit in told}) == 1
        for open_one, *seen in zip(*(commit.events for commit in told), strict=True):
            assert {event.WhichOneof("event") for event in seen} == {open_one.WhichOneof("event")}
            # What a spectator sees is what all see, but for the seat whose cards it is about.
            knowing = [event for event in seen if event != open_one]
            assert len(knowing) < 2
            private += len(knowing)
    assert private > 10
