"""What operators ask for: metrics of both ports, and traces passed through both."""

from __future__ import annotations

from typing import Any

import grpc
import httpx
import pytest
from prometheus_client import parser

from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.server import serving
from tests.api.conftest import MakeSettings, Start
from tests.api.http.conftest import Web
from tests.api.tables import begun, lobby, play

# It has no annotations.
families: Any = parser.text_string_to_metric_families

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = f"00-{TRACE}-00f067aa0ba902b7-01"


def read(page: httpx.Response) -> dict[tuple[str, ...], float]:
    """The samples of a page, each under its name and its labels' values in order of their names."""
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/plain")
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in families(page.text)
        for sample in family.samples
    }


async def test_metrics_tell_of_both_ports_and_the_store(web: Web) -> None:
    await lobby(web.grpc)
    table = await begun(web.grpc)
    await play(web.grpc, table, choices=3)
    stream = web.grpc.games.WatchGame(pb.WatchGameRequest(name=table.name))
    await stream.read()
    await web.http.get(f"/v1/{table.name}")
    await web.http.get("/v1/games/none")
    found = read(await web.http.get("/metrics"))
    assert found["coltexpress_calls_total", "OK", "SubmitAction", "grpc"] == 3
    assert found["coltexpress_calls_total", "OK", "GetGame", "rest"] == 1
    assert found["coltexpress_calls_total", "INVALID_ARGUMENT", "GetGame", "rest"] == 1
    assert found["coltexpress_call_duration_seconds_count", "SubmitAction", "grpc"] == 3
    assert found["coltexpress_streams_open", "WatchGame", "grpc"] == 1
    assert found["coltexpress_commits_total", "PLAYER"] == 3
    assert found["coltexpress_games", "LOBBY"] == found["coltexpress_games", "RUNNING"] == 1
    # Two were created, four joined one of them, which was begun; then the moves, and one to try.
    commits = found["coltexpress_store_call_duration_seconds_count", "commit"]
    assert commits == 2 + 4 + 1 + 3 + 1
    stream.cancel()


async def test_metrics_may_have_a_port_of_their_own(make_settings: MakeSettings) -> None:
    async with (
        serving(make_settings(http_port=0, metrics_port=0)) as found,
        httpx.AsyncClient() as client,
    ):
        assert not found.metrics.startswith(found.http)
        read(await client.get(found.metrics))
        assert (await client.get(f"{found.http}/metrics")).status_code == 404
        other = await client.get(found.metrics.replace("/metrics", "/v1/games"))
        assert other.status_code == 404


async def test_a_trace_is_passed_through_over_http(web: Web) -> None:
    for path in ("/v1/games", "/v1/games/none", "/none", "/healthz"):
        answer = await web.http.get(path, headers={"traceparent": PARENT})
        assert answer.headers["traceresponse"].startswith(f"00-{TRACE}-")
    first, second = [(await web.http.get("/v1/games")).headers["traceresponse"] for _ in "12"]
    assert first != second


@pytest.mark.parametrize("name", ["", "games/none"])
async def test_a_trace_is_passed_through_over_grpc(start: Start, name: str) -> None:
    async with start() as service:
        method = service.games.GetGame if name else service.games.ListGames
        request = pb.GetGameRequest(name=name) if name else pb.ListGamesRequest()
        call = method(request, metadata=(("traceparent", PARENT),))
        assert (await call.code()) is (
            grpc.StatusCode.INVALID_ARGUMENT if name else grpc.StatusCode.OK
        )
        trailing: Any = dict(await call.trailing_metadata())
        assert trailing["traceresponse"].startswith(f"00-{TRACE}-")
