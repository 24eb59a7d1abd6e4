"""Alive and ready: what probes are told while the store is there, away, and back."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis
from grpc_health.v1 import health_pb2, health_pb2_grpc

from coltexpress_server.api.listening import CannotListen
from coltexpress_server.server import serving
from coltexpress_server.service import readiness
from tests.api.conftest import MakeSettings, Start

GAMES = "coltexpress.v1.GameService"
SERVER = "coltexpress.v1.ServerService"  # the one that the chart takes to be alive by
LIMIT = 20
Status = health_pb2.HealthCheckResponse
TLS = Path(__file__).parents[1] / "tls"


async def test_a_process_is_ready_while_its_store_answers(
    start: Start, behind: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "_INTERVAL_S", 0.05)
    async with (
        asyncio.timeout(LIMIT),
        start(http_port=0, store_timeout_s=0.3) as service,
        httpx.AsyncClient(base_url=service.http) as client,
    ):
        health: Any = health_pb2_grpc.HealthStub(service.channel)
        ready = health.Watch(health_pb2.HealthCheckRequest(service=GAMES))
        assert (await ready.read()).status == Status.SERVING
        assert (await client.get("/readyz")).json() == {"status": "SERVING"}
        behind.client_pause(1200, all=True)
        assert (await ready.read()).status == Status.NOT_SERVING
        answer = await client.get("/readyz")
        assert (answer.status_code, answer.json()) == (503, {"status": "NOT_SERVING"})
        # It is no reason to restart the process.
        assert (await client.get("/healthz")).status_code == 200
        for name in ("", SERVER):
            alive = await health.Check(health_pb2.HealthCheckRequest(service=name))
            assert alive.status == Status.SERVING
        assert (await ready.read()).status == Status.SERVING
        assert (await client.get("/readyz")).status_code == 200
        ready.cancel()


async def test_a_process_that_drains_is_alive_and_not_ready(make_settings: MakeSettings) -> None:
    server = serving(make_settings(http_port=0, drain_s=0.2))
    found = await server.__aenter__()
    async with asyncio.timeout(LIMIT), httpx.AsyncClient(base_url=found.http) as client:
        assert (await client.get("/readyz")).status_code == 200
        gone = asyncio.ensure_future(server.__aexit__(None, None, None))
        while (await client.get("/readyz")).status_code == 200:
            pass
        assert (await client.get("/healthz")).status_code == 200
        assert (await client.get("/v1/server")).status_code == 200
        await gone


async def test_http_is_off_where_it_is_told_so(make_settings: MakeSettings) -> None:
    async with serving(make_settings(http_port="off")) as found:
        assert found.http == ""


async def test_http_has_the_certificate_that_grpc_has(make_settings: MakeSettings) -> None:
    settings = make_settings(http_port=0, tls_cert=TLS / "cert.pem", tls_key=TLS / "key.pem")
    async with serving(settings) as found:
        assert found.http.startswith("https://127.0.0.1:")
        trust = ssl.create_default_context(cafile=str(TLS / "cert.pem"))
        trust.check_hostname = False
        async with httpx.AsyncClient(base_url=found.http, verify=trust) as client:
            assert (await client.get("/v1/server")).status_code == 200


async def test_a_port_in_use_is_said_to_be_so(start: Start, make_settings: MakeSettings) -> None:
    async with start(http_port=0) as service:
        port = int(service.http.rpartition(":")[2])
        with pytest.raises(CannotListen, match=f"127.0.0.1:{port}: Address already in use"):
            async with serving(make_settings(http_port=port)):
                pass
