"""The API through the interposer: what it refuses, and what the service behind it refuses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import grpc
import httpx
import pytest

from coltexpress import Client, ColtExpressError, Retries
from coltexpress.errors import error_of
from coltexpress.v1.game_service_pb2 import GetGameRequest, WatchGameRequest
from coltexpress.v1.game_service_pb2_grpc import GameServiceStub
from coltexpress_server.conformance.interposer import Call, Interposer
from coltexpress_server.conformance.situation import Situation, refused
from coltexpress_server.conformance.table import Table
from coltexpress_server.server_process import temporary_server

NO_GAME = "games/00" + "a" * 24


class TooManyWatches(Situation):
    NAME = "too-many-watches"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.polls = asyncio.Semaphore(0)

    async def receive(self, call: Call) -> None:
        if call.method == "WatchGame" and self.met:
            raise refused("TOO_MANY", retry_after_s=3)
        if call.method == "GetGame":
            self.polls.release()


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    with temporary_server() as server:
        yield server.address


@pytest.fixture
async def script(service: str) -> AsyncIterator[TooManyWatches]:
    async with Client(service) as client:
        host = await client.create(3)
        network = Interposer()

        async def restart() -> None:
            pytest.fail("not asked for")

        script = TooManyWatches(Table(client, host, network, restart))
        async with network.serving(service, script):
            yield script


async def test_a_watch_is_refused_as_the_service_does_it(script: TooManyWatches) -> None:
    network = script.table.network
    url = f"http://{network.http.address}/v1"
    once = Retries(attempt=5, patience=0)
    async with httpx.AsyncClient() as http, Client(network.grpc.address, retries=once) as client:
        answer = await http.get(f"{url}/{NO_GAME}/events:watch")
        assert (answer.status_code, "GAME_NOT_FOUND" in answer.text) == (404, True)
        with pytest.raises(ColtExpressError) as caught:
            await anext(client.watch(NO_GAME))
        assert caught.value.reason == "GAME_NOT_FOUND"

        script.met = True
        answer = await http.get(f"{url}/{script.table.host.game}/events:watch")
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "3")
        with pytest.raises(ColtExpressError) as caught:
            await anext(client.watch(script.table.host.game))
        assert (caught.value.reason, caught.value.retry_after) == ("TOO_MANY", 3)


async def test_a_watch_has_begun_before_there_is_anything_to_tell(script: TooManyWatches) -> None:
    game = await script.table.host.get()
    url = f"http://{script.table.network.http.address}/v1/{game.name}/events:watch"
    async with (
        httpx.AsyncClient(timeout=5) as http,
        http.stream("GET", url, headers={"last-event-id": game.cursor}) as answer,
    ):
        assert answer.status_code == 200


async def test_a_proxy_ends_what_is_open_in_its_own_way(script: TooManyWatches) -> None:
    network, name = script.table.network, script.table.host.game
    url = f"http://{network.http.address}/v1/{name}"
    poll = GetGameRequest(name=name, wait_for_version=9)
    async with (
        httpx.AsyncClient() as http,
        grpc.aio.insecure_channel(network.grpc.address) as channel,
    ):
        stub: Any = GameServiceStub(channel)  # made for both kinds of calls, annotated for one
        watch = stub.WatchGame(WatchGameRequest(name=name))
        assert (await watch.read()).HasField("game")
        async with http.stream("GET", f"{url}/events:watch") as events:
            lines = events.aiter_lines()
            await anext(lines)
            waiting: list[asyncio.Future[Any]] = [
                asyncio.create_task(http.get(url, params={"wait_for_version": 9})),
                asyncio.ensure_future(stub.GetGame(poll)),
            ]
            async with asyncio.timeout(10):
                for _ in waiting:
                    await script.polls.acquire()
                network.end()
                ends: Any = await asyncio.gather(*waiting, return_exceptions=True)
                with pytest.raises(httpx.RemoteProtocolError):
                    async for _ in lines:
                        pass
                with pytest.raises(grpc.aio.AioRpcError) as ended:
                    await watch.read()
        answer, failure = ends
        assert (answer.status_code, "coltexpress" in answer.text) == (502, False)
        for error in (failure, ended.value):
            found = error_of(error)
            assert (found.code, found.reason) == (grpc.StatusCode.INTERNAL, "")
            assert "RST_STREAM" in found.message
        assert (await stub.GetGame(GetGameRequest(name=name))).name == name
    assert network.grpc.connections == 1
