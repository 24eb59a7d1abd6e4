"""Clients of a service that runs in a process of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from coltexpress import Client, Retries
from coltexpress_server.server_process import temporary_server

QUICK = Retries(attempt=10, patience=60, first_wait=0.01, longest_wait=0.2)
"""Without the waits that spare a real service."""


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a service that lives as long as the test run."""
    with temporary_server() as process:
        yield process.address


@pytest.fixture
async def client(server: str) -> AsyncIterator[Client]:
    async with Client(server, retries=QUICK) as client:
        yield client
