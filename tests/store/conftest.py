"""Stores, and a client for looking behind them."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio
import redis

from coltexpress_server.store import Store
from tests.store.commits import Stores


@pytest_asyncio.fixture
async def stores() -> AsyncIterator[Stores]:
    """Make stores (`stores(url, **settings)`) that are closed in the end."""
    async with AsyncExitStack() as stack:

        def make(url: str, **settings: float) -> Store:
            store = Store(url, **settings)  # type: ignore[arg-type] # checked where it is called
            stack.push_async_callback(store.close)
            return store

        yield make


@pytest.fixture
def store(stores: Stores, valkey_url: str) -> Store:
    """A store on an empty server; nothing but wake-ups tells its watchers of news."""
    return stores(valkey_url, poll_interval=3600)


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
