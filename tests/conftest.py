"""The store that tests run against: the product's own embedded Valkey, one for all tests.

`pytest --store-url URL` takes another server, which is emptied before each test. `--full` runs the
tests of tests/promises at their full size, and properties on many more examples.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
import redis
from hypothesis import settings

from coltexpress_server.store import EmbeddedValkey

# Hypothesis' own profile for unattended runs: the same examples every time, no deadline. There are
# many sets of options to be gone through, so each gets few.
settings.register_profile("few", settings.get_profile("ci"), max_examples=12)
settings.register_profile("many", settings.get_profile("ci"), max_examples=200)
settings.load_profile("few")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--store-url", help="the store to test with; ALL ITS DATA IS DELETED")
    parser.addoption(
        "--full",
        action="store_true",
        help="the tests of promises at their full size and more examples of each property, which"
        " takes minutes; with --timeout 0",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--full"):
        settings.load_profile("many")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_valkey(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[str]:
    """The URL of a server that lives as long as the test run; ask for `valkey_url` instead."""
    url = request.config.getoption("--store-url")
    if url is not None:
        yield url
    else:
        folder = tmp_path_factory.mktemp("valkey")
        async with EmbeddedValkey(folder, appendfsync="no") as valkey:
            yield valkey.url


@pytest.fixture
def valkey_url(shared_valkey: str) -> Iterator[str]:
    """The URL of an empty server; a test may change its settings and put them back."""
    with redis.Redis.from_url(shared_valkey) as client:
        client.flushall()
        yield shared_valkey
