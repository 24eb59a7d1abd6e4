"""A server of this process with its HTTP port, and clients of both ports."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import cache

import httpx
import pytest

from tests.api.conftest import Start
from tests.api.http.openapi.documented import Documented
from tests.api.http.rest import Rest
from tests.api.tables import Service


@dataclass
class Web:
    """Clients of one server: `grpc` of one port, the others of the other."""

    grpc: Service
    http: httpx.AsyncClient
    rest: Rest


@cache
def documented(text: str) -> Documented:
    """What a document says; every server of this release gives the same."""
    return Documented(json.loads(text))


@pytest.fixture
async def web(start: Start) -> AsyncIterator[Web]:
    """Clients of a server that lives as long as the test; its answers are those it tells of."""
    async with (
        start(http_port=0, games_per_minute=0) as service,
        httpx.AsyncClient(base_url=service.http) as client,
    ):
        document = documented((await client.get("/v1/openapi.json")).text)

        async def check(answer: httpx.Response) -> None:
            if answer.headers.get("content-type") == "application/json":
                await answer.aread()
                document.check_answer(answer)

        client.event_hooks = {"response": [check]}
        yield Web(service, client, Rest(client))
