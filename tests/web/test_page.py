"""A page in a browser that plays with `fetch` and `EventSource`, as any page can."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
from prometheus_client import parser

from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.bots.levels import LEVELS
from coltexpress_server.conformance.proxy import Proxy
from coltexpress_server.server_process import ServerProcess
from tests.api.tables import Service, Table, get, lobby, new_id
from tests.promises.replicas import client_of, on_store
from tests.web.conftest import report_of
from tests.web.stories import assert_saw_all

# It is without annotations.
text_families: Any = parser.text_string_to_metric_families

LIMIT = 30  # s
CUT, REPLACED = 30, 60
"""The versions at which connections break, and at which another process takes over."""


async def table_with_a_free_seat(service: Service) -> Table:
    """A game of three, two of them bots."""
    table = await lobby(service, ("DOC", "GHOST", "BELLE"))
    for _ in range(2):
        await service.games.AddBot(
            pb.AddBotRequest(name=table.name, level=next(iter(LEVELS)), request_id=new_id()),
            metadata=table.as_host,
        )
    return table


async def conduct(
    service: Service, table: Table, proxy: Proxy, first: ServerProcess, second: ServerProcess
) -> None:
    """Begins the game when the page has taken its seat, and disturbs it.

    Without its stream the page answers nothing, so the game waits for it to be there again.
    """
    await reached(service, table, (await get(service, table)).version + 1)
    await service.games.StartGame(
        pb.StartGameRequest(name=table.name, request_id=new_id()), metadata=table.as_host
    )
    await reached(service, table, CUT)
    proxy.cut()
    await until_streams(first, 0)
    await until_streams(first, 1)
    await reached(service, table, REPLACED)
    proxy.service = host_and_port(second)
    await asyncio.to_thread(first.stop)


async def reached(service: Service, table: Table, version: int) -> None:
    while (await get(service, table, wait_for_version=version)).version < version:
        pass


async def until_streams(server: ServerProcess, many: int) -> None:
    """Waits until so many watches of games are open in a process."""
    async with httpx.AsyncClient(base_url=server.http) as web, asyncio.timeout(LIMIT):
        while await open_streams(web) != many:  # noqa: ASYNC110 (there is no event)
            await asyncio.sleep(0.01)


async def open_streams(web: httpx.AsyncClient) -> float:
    found = 0.0
    for family in text_families((await web.get("/metrics")).text):
        for sample in family.samples:
            if sample.name == "coltexpress_streams_open" and sample.labels["method"] == "WatchGame":
                found += sample.value
    return found


def host_and_port(server: ServerProcess) -> str:
    return server.http.removeprefix("http://")


async def test_a_page_joins_watches_and_plays(valkey_url: str, tmp_path: Path, origin: str) -> None:
    """To the end, while its connections break and the process behind them is replaced."""
    # Bots take their time, so that the game does not run away from those who disturb it.
    how = ("--cors-origins", origin, "--bot-pause-s", "0.01")
    with (
        on_store(valkey_url, tmp_path / "first", *how) as first,
        on_store(valkey_url, tmp_path / "second", *how) as second,
    ):
        proxy = Proxy(host_and_port(first))
        async with client_of(second.address) as service, proxy.serving():
            table = await table_with_a_free_seat(service)
            conducting = asyncio.create_task(conduct(service, table, proxy, first, second))
            page = await report_of(
                f"{origin}/pages/plain.html?api=http://{proxy.address}&game={table.name}"
            )
            told = page.found
            assert "error" not in told, told
            await conducting
            await assert_saw_all(service, table.name, told)
    assert told["ends"] == ["REASON_DRAINING", "REASON_GAME_OVER"]
    assert told["connections"] == 3


async def test_a_page_of_a_foreign_origin_is_not_let_in(
    server: ServerProcess, service: Service, origin: str
) -> None:
    """The service names one origin of the two that lead to the same pages."""
    table = await table_with_a_free_seat(service)
    foreign = origin.replace("127.0.0.1", "localhost")
    page = await report_of(f"{foreign}/pages/plain.html?api={server.http}&game={table.name}")
    assert page.found == {"error": "TypeError: Failed to fetch"}
    assert any("blocked by CORS policy" in error for error in page.errors)
    # The browser did not even send the request.
    assert not (await get(service, table)).seats[2].taken
