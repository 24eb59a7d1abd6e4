"""What the tests of promises share: how much is run, two processes on one store, their clients."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator

import pytest
import redis

from coltexpress_server.server_process import ServerProcess
from tests.api.tables import Service
from tests.promises.replicas import client_of, on_store

Size = Callable[[int, int], int]
Pair = tuple[ServerProcess, ServerProcess]


@pytest.fixture
def size(request: pytest.FixtureRequest) -> Size:
    """Chooses how often something is done: `size(as_a_rule, with --full)`."""
    full = bool(request.config.getoption("--full"))

    def choose(usual: int, whole: int) -> int:
        return whole if full else usual

    return choose


@pytest.fixture(scope="session")
def pair(shared_valkey: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Two processes that live as long as the test run; not to be stopped."""
    folder = tmp_path_factory.mktemp("pair")
    with (
        on_store(shared_valkey, folder / "first") as first,
        on_store(shared_valkey, folder / "second") as second,
    ):
        yield first, second


@pytest.fixture
async def services(pair: Pair, valkey_url: str) -> AsyncIterator[tuple[Service, Service]]:
    """A client of each of the two processes; their store is empty."""
    async with client_of(pair[0].address) as first, client_of(pair[1].address) as second:
        yield first, second


@pytest.fixture
def behind(valkey_url: str) -> Iterator[redis.Redis]:
    """A plain client of the store."""
    with redis.Redis.from_url(valkey_url) as client:
        yield client
