"""Whole games through two processes where the store is not one server alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from coltexpress import Client, Game
from tests.client.conftest import QUICK
from tests.client.games import begun, contiguous, play_out, versions, watched
from tests.promises.replicas import on_store
from tests.store.fleet import cluster, watched_pair


@asynccontextmanager
async def client_of_two(urls: tuple[str, str], folder: Path) -> AsyncIterator[Client]:
    """A client that uses two processes, each with its own URL of the store, in turn."""
    processes = [on_store(url, folder / f"log {number}") for number, url in enumerate(urls)]
    try:
        await asyncio.gather(*(asyncio.to_thread(process.start) for process in processes))
        target = "ipv4:" + ",".join(process.address for process in processes)
        async with Client(target, retries=QUICK) as client:
            yield client
    finally:
        await asyncio.gather(*(asyncio.to_thread(process.stop) for process in processes))


async def test_games_are_played_on_a_cluster_of_three(tmp_path: Path) -> None:
    async with cluster(tmp_path) as nodes:
        urls = [f"redis+cluster://127.0.0.1:{node.port}" for node in nodes]
        async with client_of_two((urls[0], urls[2]), tmp_path) as client:
            tables = [await begun(client, seed=seed) for seed in range(4)]
            games = [table.game for table in tables]
            watching = [asyncio.create_task(watched(client, game)) for game in games]
            await asyncio.gather(*(play_out(*table.seats) for table in tables))
            for game, seen in zip(games, await asyncio.gather(*watching), strict=True):
                assert contiguous(seen)
                found = await client.get(game)
                assert found.state == Game.STATE_FINISHED
                assert versions(seen)[-1] == found.version
                assert len([commit async for commit in client.commits(game)]) == found.version
            assert {game.name async for game in client.games()} == set(games)
            for table in tables:
                await table.host.delete()
            assert [game async for game in client.games()] == []


async def test_a_game_is_played_on_when_sentinel_promotes_the_replica(tmp_path: Path) -> None:
    async with watched_pair(tmp_path, "games") as (first, replica, sentinel):
        url = f"redis+sentinel://127.0.0.1:{sentinel.port}/games"
        async with client_of_two((url, url), tmp_path) as client:
            table = await begun(client)
            playing = asyncio.create_task(play_out(*table.seats))
            async for step in client.watch(table.game):
                if step.version == 20:
                    first.close()
            await playing
            game = await client.get(table.game)
            assert game.state == Game.STATE_FINISHED
            history = [commit.version async for commit in client.commits(table.game)]
            assert history == list(range(1, game.version + 1))
            assert replica.ask("ROLE")[0] == b"master"
