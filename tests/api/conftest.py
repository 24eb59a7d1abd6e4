"""A server of this process on the tests' store, and clients of it over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import grpc
import pytest
import redis
import structlog

from coltexpress_server.server import serving
from coltexpress_server.settings import Settings, read_settings
from tests.api.tables import Service

MakeSettings = Callable[..., Settings]
Start = Callable[..., AbstractAsyncContextManager[Service]]


class Logs:
    """What is logged while a test runs."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self._news = asyncio.Event()

    def __call__(self, logger: Any, method: str, line: Any) -> Any:
        """Takes a line in, as structlog's last processor."""
        self.lines.append({**line, "level": method})
        self._news.set()
        raise structlog.DropEvent

    async def of(self, method: str) -> dict[str, Any]:
        """The first line about a method of the API, waited for if need be."""
        async with asyncio.timeout(20):
            while True:
                self._news.clear()
                for line in self.lines:
                    if line.get("method") == method:
                        return line
                await self._news.wait()


@pytest.fixture(autouse=True)
def logs() -> Iterator[Logs]:
    """Takes what is logged."""
    before = structlog.get_config()
    found = Logs()
    structlog.configure(processors=[found])
    yield found
    structlog.configure(**before)


@pytest.fixture
def make_settings(valkey_url: str, tmp_path: Path) -> MakeSettings:
    """Makes settings for a server on the tests' store, which stops without waiting."""

    def make(**given: object) -> Settings:
        return read_settings(
            **{
                "redis": valkey_url,
                "service_key_hex": "5e" * 32,
                "data_dir": tmp_path,
                "grpc_port": 0,
                "http_port": "off",
                "allow_fixed_seed": True,
                "store_timeout_s": 20,  # a busy machine is no failure
                "drain_s": 0,
                "grace_s": 1,
            }
            | given
        )

    return make


@pytest.fixture
def start(make_settings: MakeSettings) -> Start:
    """Starts a server with these settings, and a client of it."""

    @contextlib.asynccontextmanager
    async def started(**given: object) -> AsyncIterator[Service]:
        async with (
            serving(make_settings(**given)) as found,
            grpc.aio.insecure_channel(found.address) as channel,
        ):
            yield Service(channel, found.address, found.http)

    return started


@pytest.fixture
async def service(start: Start) -> AsyncIterator[Service]:
    """A client of a server that lives as long as the test."""
    async with start() as service:
        yield service


@pytest.fixture
def behind(valkey_url: str) -> Iterator[redis.Redis]:
    """A plain client of the store."""
    with redis.Redis.from_url(valkey_url) as client:
        yield client
