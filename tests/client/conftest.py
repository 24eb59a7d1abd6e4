"""Clients of a service that runs in a process of its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from coltexpress import Client, Retries
from coltexpress_server.server_process import ServerProcess

API_KEY = "the app's key"

QUICK = Retries(attempt=10, patience=60, first_wait=0.01, longest_wait=0.2)
"""Without the waits that spare a real service."""


def settings(folder: Path) -> list[str]:
    """Options of a service for tests with its data in a folder."""
    return [
        *("--data-dir", str(folder / "data"), "--drain-s", "0"),
        *("--allow-fixed-seed", "--games-per-minute", "0"),
        *("--api-keys", json.dumps({"app": hashlib.sha256(API_KEY.encode()).hexdigest()})),
    ]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service that lives as long as the test run."""
    folder = tmp_path_factory.mktemp("server")
    with ServerProcess(*settings(folder), log=folder / "log") as process:
        yield process.address


@pytest.fixture
async def client(server: str) -> AsyncIterator[Client]:
    async with Client(server, retries=QUICK) as client:
        yield client
