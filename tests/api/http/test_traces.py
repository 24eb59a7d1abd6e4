"""Traces over sockets: what of calls, bots and webhooks reaches a collector."""

from __future__ import annotations

import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from subprocess import run
from typing import Any

import grpc
import httpx
import pytest
import redis
from connectrpc.protocol import ProtocolType

from coltexpress.v1 import game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1 import seat_service_pb2 as seat_pb
from coltexpress_server.settings import PREFIX
from tests.api.conftest import Start
from tests.api.http.conftest import Web
from tests.api.http.connecting import Connecting
from tests.api.http.rest import Rest
from tests.api.receivers import receiving
from tests.api.tables import begun, deciding, join, lobby, new_id, play, refusal
from tests.api.test_bots import add_bot, played_out, start_game
from tests.collectors import Collector

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
TRACED = (("traceparent", f"00-{TRACE}-{SPAN}-01"),)
GAMES = "coltexpress.v1.GameService/"
ROUTE = "/v1/{name=games/*}"

Look = Callable[[Web, pb.GetGameRequest], Awaitable[object]]


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as collector:
        yield collector


@pytest.fixture
def serving_traced(start: Start, collector: Collector) -> Callable[..., Any]:
    """Starts a server that sends traces; when it has ended, all of them have arrived."""

    @asynccontextmanager
    async def started(ratio: float = 0, **settings: Any) -> AsyncIterator[Web]:
        settings = {"http_port": 0, "grace_s": 20, "otlp_endpoint": collector.url} | settings
        async with (
            start(trace_ratio=ratio, **settings) as service,
            httpx.AsyncClient(base_url=service.http) as client,
        ):
            yield Web(service, client, Rest(client))

    return started


async def over_grpc(web: Web, request: pb.GetGameRequest) -> object:
    return await web.grpc.games.GetGame(request, metadata=TRACED)


async def over_rest(web: Web, request: pb.GetGameRequest) -> object:
    return await web.rest.GetGame(request, TRACED)


async def over_connect(web: Web, request: pb.GetGameRequest) -> object:
    return await Connecting(web.grpc.http).GetGame(request, TRACED)


async def over_grpc_web(web: Web, request: pb.GetGameRequest) -> object:
    return await Connecting(web.grpc.http, ProtocolType.GRPC_WEB).GetGame(request, TRACED)


@pytest.mark.parametrize(
    ("look", "name", "attributes"),
    [
        (over_grpc, f"{GAMES}GetGame", {"rpc.system.name": "grpc"}),
        (
            over_rest,
            f"GET {ROUTE}",
            {
                "http.request.method": "GET",
                "http.route": ROUTE,
                "url.scheme": "http",
                "http.response.status_code": 200,
            },
        ),
        (over_connect, f"{GAMES}GetGame", {"rpc.system.name": "connectrpc"}),
        (over_grpc_web, f"{GAMES}GetGame", {"rpc.system.name": "grpc"}),
    ],
)
async def test_a_call_is_a_span_of_its_callers_trace(
    serving_traced: Any,
    collector: Collector,
    look: Look,
    name: str,
    attributes: dict[str, Any],
) -> None:
    async with serving_traced() as web:
        table = await lobby(web.grpc)
        await look(web, pb.GetGameRequest(name=table.name))
    [call] = [span for span in collector.spans() if span.kind == "SERVER"]
    [trip] = [span for span in collector.spans() if span.kind != "SERVER"]
    assert (call.trace_id, call.parent_id, call.name) == (TRACE, SPAN, name)
    assert not call.failed
    if name == f"{GAMES}GetGame" and look is not over_grpc:
        attributes = attributes | {"http.response.status_code": 200}
    assert call.attributes == attributes | {
        "rpc.method": f"{GAMES}GetGame",
        "rpc.response.status_code": "OK",
        "coltexpress.game": table.name.removeprefix("games/"),
    }
    assert trip.is_within(call)
    assert (trip.kind, trip.name) == ("CLIENT", "EVALSHA load")
    assert trip.attributes == {
        "db.system.name": "redis",
        "db.operation.name": "EVALSHA",
        "db.stored_procedure.name": "load",
    }


async def test_a_move_shows_where_its_time_goes_and_the_answer_names_its_span(
    serving_traced: Any, collector: Collector
) -> None:
    async with serving_traced() as web:
        table = await begun(web.grpc)
        decision = await deciding(web.grpc, table)
        assert decision is not None
        move = web.grpc.games.SubmitAction(
            pb.SubmitActionRequest(
                name=table.name,
                decision_id=decision.id,
                option_id=decision.options[0].option_id,
                request_id=new_id(),
            ),
            metadata=(*table.as_seat(decision.seat), *TRACED),
        )
        version = (await move).commit.version
        trailing = dict(await move.trailing_metadata())
    [call] = collector.spans(f"{GAMES}SubmitAction")
    assert trailing["traceresponse"] == f"00-{TRACE}-{call.span_id}-01"
    assert call.attributes["coltexpress.seat"] == decision.seat
    assert call.attributes["coltexpress.version"] == version
    [commit] = collector.spans("EVALSHA commit")
    assert commit.is_within(call)
    assert len(collector.spans()) == 2


async def test_the_caller_says_whether_his_trace_is_recorded_else_the_ratio(
    serving_traced: Any, collector: Collector
) -> None:
    async with serving_traced(ratio=1) as web:
        look = pb.ListGamesRequest()
        unwanted = (("traceparent", f"00-{TRACE}-{SPAN}-00"),)
        await web.grpc.games.ListGames(look, metadata=unwanted)
        assert (await web.http.get("/v1/games")).headers["traceresponse"].endswith("-01")
        # These are no calls, though the store is asked for some of them.
        for path in ("/healthz", "/readyz", "/metrics", "/docs", "/none", "/v1/openapi.json"):
            await web.http.get(path)
    [call] = [span for span in collector.spans() if span.kind == "SERVER"]
    assert (call.parent_id, call.name) == ("", "GET /v1/games")
    assert call.trace_id != TRACE
    assert {span.trace_id for span in collector.spans()} == {call.trace_id}


async def test_a_refusal_is_no_error_but_a_store_that_fails_is_one(
    serving_traced: Any, collector: Collector, behind: redis.Redis
) -> None:
    async with serving_traced(store_timeout_s=0.3) as web:
        nothing = pb.GetGameRequest(name="games/" + "A" * 26)
        found = await refusal(web.grpc.games.GetGame(nothing, metadata=TRACED))
        table = await lobby(web.grpc)
        behind.client_pause(60_000, all=False)
        join_it = pb.JoinGameRequest(name=table.name, request_id=new_id())
        failed = await refusal(web.grpc.games.JoinGame(join_it, metadata=TRACED))
        behind.client_unpause()
    assert failed.code is grpc.StatusCode.UNAVAILABLE
    [refused] = collector.spans(f"{GAMES}GetGame")
    assert not refused.failed
    assert refused.attributes["rpc.response.status_code"] == found.code.name
    assert refused.attributes["coltexpress.reason"] == found.reason
    [broken] = collector.spans(f"{GAMES}JoinGame")
    assert broken.failed
    assert broken.attributes["error.type"] == "UNAVAILABLE"
    trips = [span for span in collector.spans() if span.is_within(broken)]
    [trip] = [span for span in trips if span.failed]
    assert trip.attributes["error.type"] == "StoreUnavailable"


async def test_the_span_of_a_stream_is_of_its_opening(
    serving_traced: Any, collector: Collector
) -> None:
    async with serving_traced(heartbeat_s=0.05) as web:
        table = await begun(web.grpc)
        stream = web.grpc.games.WatchGame(pb.WatchGameRequest(name=table.name), metadata=TRACED)
        await stream.read()
        opened_ns = time.time_ns()
        await play(web.grpc, table, choices=3)
        while not (await stream.read()).HasField("heartbeat"):
            pass
        over_http = web.http.stream("GET", f"/v1/{table.name}/events:watch", headers=dict(TRACED))
        async with over_http as answer:
            await anext(answer.aiter_bytes())
        stream.cancel()
    calls = [span for span in collector.spans() if span.kind == "SERVER"]
    assert [call.name for call in calls] == [f"{GAMES}WatchGame", f"GET {ROUTE}/events:watch"]
    assert calls[0].ended_ns < opened_ns
    assert {call.attributes["rpc.response.status_code"] for call in calls} == {"OK"}
    parts = [span for span in collector.spans() if span.kind != "SERVER"]
    assert all(any(part.is_within(call) for call in calls) for part in parts)


async def test_what_bots_do_is_a_trace_of_its_own(
    serving_traced: Any, collector: Collector
) -> None:
    async with serving_traced(ratio=1) as web:
        table = await lobby(web.grpc, ("DOC", "GHOST", "BELLE"))
        for _ in range(3):
            await add_bot(web.grpc, table)
        await start_game(web.grpc, table)
        await played_out(web.grpc, table)
    # Of a whole game not all fit.
    moves = {span.span_id: span for span in collector.spans("play for a bot")}
    assert moves
    move = next(iter(moves.values()))
    assert (move.kind, move.parent_id) == ("INTERNAL", "")
    assert move.attributes.keys() == {"coltexpress.game", "coltexpress.seat"}
    calls = {span.trace_id for span in collector.spans() if span.kind == "SERVER"}
    assert move.trace_id not in calls
    [thought] = [span for span in collector.spans("think") if span.is_within(move)]
    assert thought.attributes == {"coltexpress.bot.level": "RANDOM"}
    [commit] = [span for span in collector.spans("EVALSHA commit") if span.is_within(move)]
    assert commit.started_ns >= thought.ended_ns - 1_000_000


async def test_a_deadline_that_is_enforced_is_a_trace_of_its_own(
    serving_traced: Any, collector: Collector
) -> None:
    async with serving_traced(ratio=1) as web:
        clock = game_pb2.Clock(turn_seconds=1, auto_play_after=1)
        table = await lobby(web.grpc, ("DOC", "GHOST", "BELLE"), clock=clock)
        await join(web.grpc, table)
        for _ in range(2):
            await add_bot(web.grpc, table)
        await start_game(web.grpc, table)
        await played_out(web.grpc, table)
    enforced = collector.spans("enforce a deadline")
    assert enforced
    assert {span.parent_id for span in enforced} == {""}


RETRY = {"webhook_timeout_s": 2, "webhook_retry_s": 0.01}
"""A failed delivery is repeated when it must have ended anyhow, and a little later."""


async def test_a_webhook_goes_on_with_the_trace_of_its_delivery(
    serving_traced: Any, collector: Collector
) -> None:
    async with (
        receiving(500, 200) as receiver,
        serving_traced(ratio=1, allow_private_webhooks=True, **RETRY) as web,
    ):
        table = await begun(web.grpc, ("DOC", "GHOST", "BELLE"))
        decision = await deciding(web.grpc, table)
        assert decision is not None
        seat = (decision.seat + 1) % 3
        url = receiver.url("/path-of-a-player")
        hook = seat_pb.SetWebhookRequest(name=table.name, url=url, request_id=new_id())
        await web.grpc.seats.SetWebhook(hook, metadata=table.as_seat(seat))
        while decision.seat != seat:
            await play(web.grpc, table, choices=1)
            decision = await deciding(web.grpc, table)
            assert decision is not None
        received = [await receiver.next() for _ in range(2)]
    tries = collector.spans("POST")
    assert [message.headers["traceparent"] for message in received] == [
        f"00-{each.trace_id}-{each.span_id}-01" for each in tries
    ]
    assert [each.attributes for each in tries] == [
        {
            "http.request.method": "POST",
            "http.response.status_code": 500,
            "error.type": "500",
        },
        {"http.request.method": "POST", "http.response.status_code": 200},
    ]
    deliveries = collector.spans("deliver a webhook")
    assert [each.is_within(whole) for each, whole in zip(tries, deliveries, strict=True)] == [
        True,
        True,
    ]
    assert {each.parent_id for each in deliveries} == {""}


async def test_calls_do_not_mind_a_collector_that_is_not_there(
    serving_traced: Any, collector: Collector
) -> None:
    collector.fall_silent()
    async with serving_traced(ratio=1, grace_s=0.1) as web:
        assert await play(web.grpc, await begun(web.grpc)) > 50
    assert collector.spans() == []


PROGRAM = """
import asyncio, sys
from coltexpress_server.server import serving
from coltexpress_server.settings import read_settings

async def run():
    async with serving(read_settings()):
        print(*sys.modules)

asyncio.run(run())
"""


@pytest.mark.parametrize("endpoint", ["", "http://127.0.0.1:9"])
def test_where_nobody_wants_traces_nothing_of_the_sdk_is_imported(
    valkey_url: str, endpoint: str
) -> None:
    given = {"redis": valkey_url, "service_key_hex": "5e" * 32, "grpc_port": 0, "http_port": 0}
    given |= {"drain_s": 0, "grace_s": 0}
    if endpoint:
        given["otlp_endpoint"] = endpoint
    found = run(
        [sys.executable, "-c", PROGRAM],
        env={f"{PREFIX}{name.upper()}": str(value) for name, value in given.items()}
        | {"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    imported = set(found.stdout.split())
    assert "coltexpress_server.tracing" in imported
    # redis-py imports what the SDK has for metrics where it finds it.
    for name in ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp", "requests"):
        assert (name in imported) == bool(endpoint)
