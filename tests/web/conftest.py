"""Tests with clients from npm and a browser, for `make test-web` alone, which prepares them.

They need Node, what package.json names, stubs generated for it, and Chromium.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest

from coltexpress_server.server_process import ServerProcess, temporary_server
from tests.api.tables import Service
from tests.web.site import site

HERE = Path(__file__).parent
LIMIT_S = 90


@pytest.hookimpl(tryfirst=True)  # before those are left out that are marked
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker("web")


@pytest.fixture(scope="session")
def origin() -> Iterator[str]:
    """The origin of the pages that the service lets in."""
    with site() as origin:
        yield origin


@pytest.fixture(scope="session")
def server(origin: str) -> Iterator[ServerProcess]:
    """A service in a process of its own."""
    with temporary_server("--cors-origins", origin) as server:
        yield server


@pytest.fixture
async def service(server: ServerProcess) -> AsyncIterator[Service]:
    """A client of the service over gRPC, to compare with."""
    async with grpc.aio.insecure_channel(server.address) as channel:
        yield Service(channel, server.address, server.http)


async def run_node(script: str, *arguments: str) -> Any:
    """Runs a script of this folder; returns what it prints, which is JSON."""
    process = await asyncio.create_subprocess_exec(
        *("node", script, *arguments), cwd=HERE, stdout=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(LIMIT_S):
            printed, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.terminate()  # it takes its browser along
            await process.wait()
    assert process.returncode == 0, f"{script} failed; standard error says why"
    return json.loads(printed)


@dataclass(frozen=True)
class Visit:
    """What came of opening a page in Chromium.

    found: what was looked for. errors: in the page and on its console. origins: that were asked for
        anything.
    """

    found: Any
    errors: list[str]
    origins: list[str]


async def visit(script: str, url: str) -> Visit:
    """Opens a page and looks at it as a script of this folder does."""
    return Visit(**await run_node(script, url))


async def report_of(url: str) -> Visit:
    """Opens a page of ours, and finds what it reports."""
    return await visit("report_of.js", url)
