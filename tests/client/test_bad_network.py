"""The client when replies are lost, connections break, and servers go and come back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from coltexpress import (
    Client,
    Commit,
    Decision,
    Game,
    Option,
    Retries,
    Seat,
    Unavailable,
    play,
    watching,
)
from coltexpress.v1.game_service_pb2 import WatchGameResponse
from coltexpress_server.conformance.proxy import Proxy
from coltexpress_server.server_process import ServerProcess
from tests.client.conftest import QUICK, settings
from tests.client.games import (
    PLAYERS,
    Table,
    begun,
    contiguous,
    play_out,
    seated,
    versions,
    watched,
)

RESTART_AT = 30
"""A version in the middle of every game."""


@pytest.fixture
async def proxy(server: str) -> AsyncIterator[Proxy]:
    async with Proxy(server).serving() as proxy:
        yield proxy


@pytest.fixture
async def remote(proxy: Proxy) -> AsyncIterator[Client]:
    """A client behind the bad network."""
    async with Client(proxy.address, retries=QUICK) as client:
        yield client


async def test_an_answer_whose_reply_is_lost_counts_once(
    client: Client, remote: Client, proxy: Proxy
) -> None:
    table = await begun(client)
    seat, decision = await open_decision(remote, table)
    before = await table.host.get()

    proxy.hold()
    submitting = asyncio.create_task(seat.submit(decision, decision.options[0]))
    after = await client.get(table.game, wait_for_version=before.version + 1, wait=30)
    proxy.cut()
    proxy.release()

    commit = await submitting
    assert isinstance(commit, Commit)
    assert commit.version == before.version + 1
    assert after.version == (await table.host.get()).version == commit.version


async def test_a_seat_whose_reply_is_lost_is_taken_once(
    client: Client, remote: Client, proxy: Proxy
) -> None:
    host = await client.create(PLAYERS)
    await remote.info()

    proxy.hold()
    joining = asyncio.create_task(remote.join(host.game, display_name="Once"))
    game = await client.get(host.game, wait_for_version=2, wait=30)
    proxy.cut()
    proxy.release()

    seat = await joining
    assert [other.display_name for other in game.seats] == ["Once", "", ""]
    assert (await seat.get()).version == game.version
    assert (await seat.get()).viewer == seat.number == 0


async def test_a_reply_that_never_comes_is_asked_for_again(client: Client, server: str) -> None:
    """Nothing is cut: only the time an attempt may take tells the client."""
    host = await client.create(PLAYERS)
    patient = Retries(attempt=0.3, patience=60, first_wait=0.01)
    async with Proxy(server).serving() as proxy, Client(proxy.address, retries=patient) as remote:
        await remote.info()
        proxy.hold()
        joining = asyncio.create_task(remote.join(host.game))
        await client.get(host.game, wait_for_version=2, wait=30)
        await asyncio.sleep(0.5)  # longer than an attempt
        proxy.release()
        seat = await joining
    assert sum(other.taken for other in (await host.get()).seats) == 1
    assert seat.number == 0


async def test_playing_and_watching_go_on_across_broken_connections(
    client: Client, remote: Client, proxy: Proxy
) -> None:
    table = await seated(client)
    chance = Random(1)
    choices = cuts = 0

    def cutting(decision: Decision) -> Option:
        """Every tenth choice is sent just when the connection breaks."""
        nonlocal choices, cuts
        choices += 1
        if choices % 10 == 0:
            cuts += 1
            proxy.cut()
        return chance.choice(decision.options)

    steps = remote.watch(table.game)
    seen = [await anext(steps)]
    await table.host.start()
    await asyncio.gather(
        *[play(await remote.seat(table.game, seat.token), cutting) for seat in table.seats]
    )
    seen += [step async for step in steps]
    assert contiguous(seen)
    assert versions(seen)[-1] == (await table.host.get()).version
    assert cuts >= 3
    assert proxy.connections > cuts


async def test_a_stream_gone_silent_is_begun_anew(
    client: Client, remote: Client, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    streams = 0
    two = asyncio.Event()

    def counted(*arguments: Any) -> AsyncGenerator[WatchGameResponse, None]:
        nonlocal streams
        streams += 1
        if streams == 2:
            two.set()
        return stream(*arguments)

    stream = watching._stream
    monkeypatch.setattr(watching, "_stream", counted)
    monkeypatch.setattr(watching, "SILENCE", 0.2)
    table = await seated(client)
    steps = remote.watch(table.game)
    first = await anext(steps)
    proxy.hold()
    await table.host.start()
    following = asyncio.ensure_future(anext(steps))
    await two.wait()
    proxy.release()
    assert (await following).version == first.version + 1
    await steps.aclose()


async def test_a_cursor_that_nobody_knows_brings_the_game_as_it_is(client: Client) -> None:
    table = await begun(client)
    other = await begun(client)
    foreign = (await other.host.get()).cursor
    for cursor in (foreign, "1000-" + foreign.split("-")[1]):
        steps = client.watch(table.game, cursor)
        first = await anext(steps)
        await steps.aclose()
        assert isinstance(first, Game)
        assert first.version == (await table.host.get()).version


async def test_a_known_cursor_brings_what_came_after_it(client: Client) -> None:
    table = await seated(client)
    cursor = (await table.host.get()).cursor
    await table.host.start()
    steps = client.watch(table.game, cursor)
    first = await anext(steps)
    await steps.aclose()
    assert isinstance(first, Commit)
    assert first.events[0].HasField("game_started")


async def test_patience_ends_where_nobody_listens(server: str) -> None:
    async with Proxy(server).serving() as proxy:
        address = proxy.address
    impatient = Retries(patience=0.05, first_wait=0.01, longest_wait=0.01)
    async with Client(address, retries=impatient) as client:
        with pytest.raises(Unavailable):
            await client.info()
        with pytest.raises(Unavailable):
            await watched(client, "games/00" + "a" * 24)


@pytest.mark.parametrize("end", [ServerProcess.stop, ServerProcess.kill])
async def test_a_game_goes_on_after_the_server_came_back(
    tmp_path: Path, end: Callable[[ServerProcess], object]
) -> None:
    with ServerProcess(*settings(tmp_path), log=tmp_path / "log") as process:
        async with (
            Proxy(process.address).serving() as proxy,
            Client(proxy.address, retries=QUICK) as client,
        ):
            table = await begun(client)
            playing = asyncio.create_task(play_out(*table.seats))
            seen: list[Game | Commit] = []
            async for step in client.watch(table.game):
                seen.append(step)
                if step.version == RESTART_AT:
                    await asyncio.to_thread(end, process)
                    process.start()
                    proxy.service = process.address
            await playing
            assert contiguous(seen)
            assert versions(seen)[0] < RESTART_AT < versions(seen)[-1]
            assert (await client.get(table.game)).state == Game.STATE_FINISHED


async def open_decision(client: Client, table: Table) -> tuple[Seat, Decision]:
    """The seat that decides, as this client's, and its decision."""
    decides = (await table.host.get()).decisions[0].seat
    seat = await client.seat(table.game, table.seats[decides].token)
    return seat, (await seat.get()).decisions[0]
