"""Stores, and a client for looking behind them."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
import redis

from coltexpress_server.store import Store


@pytest_asyncio.fixture
async def store(valkey_url: str) -> AsyncIterator[Store]:
    """A store on an empty server; nothing but wake-ups tells its watchers of news."""
    store = Store(valkey_url, poll_interval=3600)
    yield store
    await store.close()


@pytest.fixture
def behind(valkey_url: str) -> Iterator[redis.Redis]:
    """A plain client of the same server, for arranging and inspecting what the store holds."""
    with redis.Redis.from_url(valkey_url) as client:
        yield client


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder whose path is short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="store-", dir="/tmp") as folder:
        yield Path(folder)
