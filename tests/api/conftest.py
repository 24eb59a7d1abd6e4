"""A server of this process on the tests' store, and clients of it over real sockets."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import grpc
import pytest
import redis

from coltexpress_server.server import Serving, serving
from coltexpress_server.settings import Settings, read_settings
from tests.api.tables import Service

MakeSettings = Callable[..., Settings]
Start = Callable[..., AbstractAsyncContextManager[Service]]


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
                "allow_fixed_seed": True,
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
        async with serving(make_settings(**given)) as found, connected(found) as channel:
            yield Service(channel)

    return started


@contextlib.asynccontextmanager
async def connected(found: Serving) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc.aio.insecure_channel(found.address) as channel:
        yield channel


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
