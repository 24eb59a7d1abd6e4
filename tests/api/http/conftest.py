"""A server of this process with its HTTP port, and clients of both ports."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest

from tests.api.conftest import Start
from tests.api.http.rest import Rest
from tests.api.tables import Service


@dataclass
class Web:
    """Clients of one server: `grpc` of one port, the others of the other."""

    grpc: Service
    http: httpx.AsyncClient
    rest: Rest


@pytest.fixture
async def web(start: Start) -> AsyncIterator[Web]:
    """Clients of a server that lives as long as the test."""
    async with (
        start(http_port=0, games_per_minute=0) as service,
        httpx.AsyncClient(base_url=service.http) as client,
    ):
        yield Web(service, client, Rest(client))
