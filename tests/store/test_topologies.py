from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from redis.crc import key_slot

from coltexpress_server.store import (
    BEGINNING,
    Cursor,
    Loaded,
    Notice,
    Store,
    StoreUnavailable,
    StoreUnfit,
    Waiting,
)
from coltexpress_server.store.keys import game_keys, wake_channel
from tests.store.behind import LIMIT, until
from tests.store.commits import Stores, commit_of, committed, make_game, new_game_id
from tests.store.fleet import Server, cluster, free_ports, watched_pair


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def nodes(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[list[Server]]:
    async with cluster(tmp_path_factory.mktemp("cluster")) as nodes:
        yield nodes


@pytest_asyncio.fixture
async def clustered(nodes: list[Server]) -> AsyncIterator[Store]:
    store = Store(f"redis+cluster://127.0.0.1:{nodes[0].port}", poll_interval=3600)
    yield store
    await store.close()


async def commit_soon(store: Store, game_id: str, cursor: Cursor) -> Cursor:
    """Commit as soon as the store is available."""
    commit = commit_of(game_id, cursor)
    async with asyncio.timeout(LIMIT):
        while True:
            with contextlib.suppress(StoreUnavailable):
                return await committed(store, commit)
            await asyncio.sleep(0.01)


async def test_games_of_all_buckets_live_on_the_nodes_of_a_cluster(
    clustered: Store, nodes: list[Server]
) -> None:
    made = {}
    for bucket in range(64):
        game_id = new_game_id(bucket)
        cursor = await committed(clustered, commit_of(game_id, due_ms=bucket + 1))
        made[game_id] = await committed(clustered, commit_of(game_id, cursor, due_ms=bucket + 1))
    for game_id, cursor in made.items():
        loaded = await clustered.load(game_id)
        assert isinstance(loaded, Loaded)
        assert loaded.cursor == cursor
    assert await clustered.filed_games("listed") == made
    assert all(node.ask("DBSIZE") > 0 for node in nodes)
    assert (await clustered.due_games(limit=64)).game_ids == tuple(made)
    listed = [game.game_id for game in (await clustered.list_games(["listed"], 100)).games]
    assert sorted(listed) == sorted(made)
    for game_id in made:
        await clustered.delete(game_id, code=game_id)
    assert (await clustered.list_games(["listed"], 100)).games == ()


async def test_news_reaches_watchers_through_any_node(
    clustered: Store, nodes: list[Server], stores: Stores
) -> None:
    other = stores(f"redis+cluster://127.0.0.1:{nodes[2].port}")
    for _ in range(5):
        game_id, cursor = await make_game(other)
        with clustered.watch(game_id, BEGINNING) as watcher:
            assert (await anext(watcher)).cursor == cursor
            waiting = asyncio.create_task(anext(watcher))
            await asyncio.sleep(0)
            cursor = await committed(other, commit_of(game_id, cursor))
            async with asyncio.timeout(LIMIT):
                assert (await waiting).cursor == cursor


async def test_news_and_notices_reach_everybody_through_any_node(
    clustered: Store, nodes: list[Server], stores: Stores
) -> None:
    other = stores(f"redis+cluster://127.0.0.1:{nodes[2].port}")
    with clustered.listen("a") as listener:
        async with asyncio.timeout(LIMIT):
            assert await listener.changed() is None
            assert await listener.changed() is None  # the subscription stands now
        for bucket in (0, 31, 63):
            game_id = new_game_id(bucket)
            cursor = await committed(other, commit_of(game_id))
            await other.outbox.set_hook(
                game_id, "h", b"hook", request_key=b"key", request_digest=b""
            )
            notice = Notice(game_id, "h", "e")
            await committed(
                other, commit_of(game_id, cursor, filed=("a",), told=("a",), notices=(notice,))
            )
            async with asyncio.timeout(LIMIT):
                assert await listener.changed() == {game_id}
            assert (await clustered.outbox.overdue()).notices == (Waiting(notice, 1),)
            await clustered.outbox.remove(Waiting(notice, 1), delivered=True)


async def test_a_bucket_that_moves_is_followed(clustered: Store, nodes: list[Server]) -> None:
    bucket = 17
    game_id = new_game_id(bucket)
    slot = key_slot(game_keys(game_id).game.encode())
    for bystander in range(3):
        # So that the nodes are known; elsewhere, since what moves must be empty.
        await committed(clustered, commit_of(new_game_id(bucket + 1)))
        new_owner = nodes[bystander]
        name = new_owner.ask("CLUSTER", "MYID").decode()
        for node in [new_owner, *nodes]:
            node.ask("CLUSTER", "SETSLOT", slot, "NODE", name)
        game_id = new_game_id(bucket)
        cursor = await commit_soon(clustered, game_id, BEGINNING)
        await committed(clustered, commit_of(game_id, cursor))
        await clustered.delete(game_id, code=game_id, memory_ms=1)
        for node in nodes:
            node.ask("FLUSHALL")


async def test_a_cluster_is_checked_node_by_node(clustered: Store, nodes: list[Server]) -> None:
    await clustered.check_server()
    await clustered.ping()
    nodes[1].ask("CONFIG", "SET", "maxmemory", "1gb", "maxmemory-policy", "allkeys-lru")
    with pytest.raises(StoreUnfit, match="allkeys-lru"):
        await clustered.check_server()
    nodes[1].ask("CONFIG", "SET", "maxmemory", "0", "maxmemory-policy", "noeviction")


async def test_the_url_must_say_whether_there_is_a_cluster(
    nodes: list[Server], valkey_url: str, stores: Stores
) -> None:
    store = stores(f"redis://127.0.0.1:{nodes[0].port}")
    with pytest.raises(StoreUnfit, match="cluster"):
        await store.check_server()


async def test_a_cluster_that_is_not_there_is_unavailable(stores: Stores) -> None:
    store = stores("redis+cluster://127.0.0.1:1,127.0.0.1:2")
    with pytest.raises(StoreUnavailable):
        await store.load(new_game_id())


async def test_a_store_follows_the_sentinel_to_the_promoted_replica(
    tmp_path: Path, stores: Stores
) -> None:
    async with watched_pair(tmp_path, "games") as (first, replica, sentinel):
        store = stores(f"redis+sentinel://127.0.0.1:{sentinel.port}/games", poll_interval=0.1)
        await store.check_server()
        game_id, cursor = await make_game(store, 3)
        first.ask("WAIT", 1, 1000)
        with store.watch(game_id, cursor) as watcher:
            waiting = asyncio.create_task(anext(watcher))
            await until(lambda: first.ask("PUBSUB", "NUMSUB", wake_channel(game_id))[1] > 0)
            first.close()
            cursor = await commit_soon(store, game_id, cursor)
            async with asyncio.timeout(LIMIT):
                assert (await waiting).cursor == cursor
        assert replica.ask("ROLE")[0] == b"master"


async def test_a_name_that_no_sentinel_knows_is_unavailable(tmp_path: Path, stores: Stores) -> None:
    (port,) = free_ports(1)
    sentinel = Server(tmp_path / "sentinel", port, mode=("--sentinel",))
    await until(sentinel.is_up)
    store = stores(f"redis+sentinel://127.0.0.1:1,127.0.0.1:{port}/other")
    with pytest.raises(StoreUnavailable) as raised:
        await store.ping()
    # What redis-py says of its own objects is left out.
    assert re.fullmatch(r"No master found for 'other' : [\w:]+Error", str(raised.value))
    sentinel.close()
