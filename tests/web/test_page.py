"""A page in a browser that plays with `fetch` and `EventSource`, as any page can."""

from __future__ import annotations

import asyncio

from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.bots.levels import LEVELS
from coltexpress_server.server_process import ServerProcess
from tests.api.tables import Service, Table, get, lobby, new_id
from tests.client.proxy import Proxy
from tests.web.conftest import open_page
from tests.web.stories import assert_saw_all

CUTS = (30, 60)
"""Versions at which connections break."""


async def table_with_a_free_seat(service: Service) -> Table:
    """A game of three, two of them bots."""
    table = await lobby(service, ("DOC", "GHOST", "BELLE"))
    for _ in range(2):
        await service.games.AddBot(
            pb.AddBotRequest(name=table.name, level=next(iter(LEVELS)), request_id=new_id()),
            metadata=table.as_host,
        )
    return table


async def conduct(service: Service, table: Table, proxy: Proxy) -> None:
    """Begins the game when the page has taken its seat, and breaks connections while it goes on."""
    await reached(service, table, (await get(service, table)).version + 1)
    await service.games.StartGame(
        pb.StartGameRequest(name=table.name, request_id=new_id()), metadata=table.as_host
    )
    for version in CUTS:
        await reached(service, table, version)
        proxy.cut()


async def reached(service: Service, table: Table, version: int) -> None:
    while (await get(service, table, wait_for_version=version)).version < version:
        pass


async def test_a_page_joins_watches_and_plays(
    server: ServerProcess, service: Service, origin: str
) -> None:
    """To the end, over a network that breaks its connections now and then."""
    table = await table_with_a_free_seat(service)
    proxy = Proxy(server.http.removeprefix("http://"))

    async with proxy.serving():
        conducting = asyncio.create_task(conduct(service, table, proxy))
        told = await open_page(
            f"{origin}/pages/plain.html?api=http://{proxy.address}&game={table.name}"
        )
        assert "error" not in told, told
        await conducting
    await assert_saw_all(service, table.name, told)
    assert told["connections"] == 1 + len(CUTS)


async def test_a_page_of_a_foreign_origin_is_not_let_in(
    server: ServerProcess, service: Service, origin: str
) -> None:
    """The service names one origin of the two that lead to the same pages."""
    table = await table_with_a_free_seat(service)
    foreign = origin.replace("127.0.0.1", "localhost")
    told = await open_page(f"{foreign}/pages/plain.html?api={server.http}&game={table.name}")
    assert told == {"error": "TypeError: Failed to fetch"}
    # The browser did not even send the request.
    assert not (await get(service, table)).seats[2].taken
