from __future__ import annotations

import asyncio
import random

import pytest
import redis

from coltexpress_server.store import (
    BEGINNING,
    Conflict,
    Cursor,
    CursorUnknown,
    Entry,
    GameDeleted,
    History,
    SlowWatcher,
    Store,
    WatchClosed,
    Watcher,
)
from coltexpress_server.store.keys import game_keys
from tests.store.behind import LIMIT, contents, set_rights, until, until_subscribed
from tests.store.commits import Stores, commit_of, committed, make_game, new_game_id


async def next_of(watcher: Watcher) -> Entry:
    async with asyncio.timeout(LIMIT):
        return await anext(watcher)


async def versions(watcher: Watcher, last: int) -> list[int]:
    """The versions that a watcher yields, up to the last one wanted."""
    seen = []
    async with asyncio.timeout(LIMIT):
        async for entry in watcher:
            seen.append(entry.version)
            if entry.version == last:
                break
    return seen


def tasks_of_the_store() -> set[str]:
    return {name for task in asyncio.all_tasks() if (name := task.get_name()).startswith("store")}


# From where


@pytest.mark.parametrize("after", [0, 1, 249, 250])
async def test_a_watcher_sees_all_that_follows_its_cursor_then_what_comes(
    store: Store, after: int
) -> None:
    game_id, cursor = await make_game(store, 250)
    history = await store.entries(game_id, after, limit=1)
    assert isinstance(history, History)
    start = history.start
    with store.watch(game_id, start) as watcher:
        if after < 250:
            assert await versions(watcher, 250) == [*range(after + 1, 251)]
        for _ in range(3):
            cursor = await committed(store, commit_of(game_id, cursor))
            assert (await next_of(watcher)).cursor == cursor == watcher.cursor


@pytest.mark.parametrize(
    "cursor", [Cursor(2, "0" * 16), Cursor(3, "0" * 16), Cursor(4, "0" * 16), Cursor(0, "0" * 16)]
)
@pytest.mark.parametrize("is_watched", [False, True])
async def test_a_cursor_that_is_no_part_of_the_history_is_told_at_once(
    store: Store, cursor: Cursor, is_watched: bool
) -> None:
    game_id, current = await make_game(store, 3)
    with store.watch(game_id, BEGINNING) as other, store.watch(game_id, cursor) as watcher:
        if is_watched:
            await versions(other, 3)
        with pytest.raises(CursorUnknown):
            await next_of(watcher)
        await committed(store, commit_of(game_id, current))
        assert await versions(other, 4) == ([4] if is_watched else [1, 2, 3, 4])


async def test_a_game_that_is_not_there_is_told_at_once(store: Store) -> None:
    with store.watch(new_game_id(), BEGINNING) as watcher, pytest.raises(GameDeleted):
        await next_of(watcher)
    with pytest.raises(ValueError, match="game id"), store.watch("x", BEGINNING):
        pass


# How news arrives


async def test_news_from_another_process_arrives(
    store: Store, valkey_url: str, stores: Stores
) -> None:
    other = stores(valkey_url)
    game_id, cursor = await make_game(store)
    with store.watch(game_id, cursor) as watcher:
        waiting = asyncio.create_task(next_of(watcher))
        await asyncio.sleep(0)
        cursor = await committed(other, commit_of(game_id, cursor))
        assert (await waiting).cursor == cursor


async def test_watchers_of_a_game_share_the_reading(store: Store, behind: redis.Redis) -> None:
    game_id, cursor = await make_game(store)
    watchers = [store.watch(game_id, cursor) for _ in range(20)]
    entered = [watch.__enter__() for watch in watchers]
    tasks = [asyncio.create_task(versions(watcher, 6)) for watcher in entered]
    await until_subscribed(behind, game_id)
    for _ in range(5):
        cursor = await committed(store, commit_of(game_id, cursor))
    assert await asyncio.gather(*tasks) == [[2, 3, 4, 5, 6]] * 20
    entries = [watcher._feed.after(2) for watcher in entered]
    assert all(entry is entries[0] for entry in entries)
    for watch in watchers:
        watch.__exit__(None, None, None)


async def test_news_arrives_without_any_wake_up(
    valkey_url: str, behind: redis.Redis, stores: Stores
) -> None:
    store = stores(valkey_url, poll_interval=0.01)
    game_id, cursor = await make_game(store)
    try:
        set_rights(behind, "-publish")
        with store.watch(game_id, cursor) as watcher:
            for version in (2, 3):
                cursor = await committed(store, commit_of(game_id, cursor))
                assert (await next_of(watcher)).version == version
    finally:
        set_rights(behind, "+publish")


async def test_news_arrives_though_the_wake_up_connection_is_killed(
    store: Store, behind: redis.Redis
) -> None:
    game_id, cursor = await make_game(store)
    with store.watch(game_id, cursor) as watcher:
        for _ in range(5):
            waiting = asyncio.create_task(next_of(watcher))
            await until_subscribed(behind, game_id)
            behind.client_kill_filter(_type="pubsub")
            cursor = await committed(store, commit_of(game_id, cursor))
            assert (await waiting).cursor == cursor


async def test_many_watchers_that_come_and_go_see_every_version_once(
    store: Store, valkey_url: str, behind: redis.Redis, stores: Stores
) -> None:
    other = stores(valkey_url, poll_interval=0.05)
    game_id, cursor = await make_game(store)
    start, last = cursor, 120
    dice = random.Random(1)

    async def watch(source: Store) -> list[int]:
        seen: list[int] = []
        place = start
        while not seen or seen[-1] < last:
            with source.watch(game_id, place) as watcher:
                for _ in range(dice.randint(1, 20)):
                    seen.append((await next_of(watcher)).version)
                    if seen[-1] == last:
                        break
                place = watcher.cursor
        return seen

    watching = [asyncio.create_task(watch((store, other)[n % 2])) for n in range(50)]
    while cursor.version < last:
        cursor = await committed(store, commit_of(game_id, cursor))
        if cursor.version % 20 == 0:
            behind.client_kill_filter(_type="pubsub")
        await asyncio.sleep(0.001)
    assert await asyncio.gather(*watching) == [[*range(2, last + 1)]] * 50


async def test_waiting_can_be_given_up_and_taken_up_again(store: Store) -> None:
    game_id, cursor = await make_game(store, 3)
    with store.watch(game_id, BEGINNING) as watcher:
        seen: list[int] = []
        while len(seen) < 30:
            try:
                async with asyncio.timeout(0.0005):
                    seen.append((await anext(watcher)).version)
            except TimeoutError:
                cursor = await committed(store, commit_of(game_id, cursor))
    assert seen == [*range(1, 31)]


# How it ends


async def test_a_deleted_game_ends_its_watchers_after_its_last_entry(store: Store) -> None:
    game_id, cursor = await make_game(store)
    with store.watch(game_id, cursor) as idle, store.watch(game_id, cursor) as busy:
        waiting = asyncio.create_task(next_of(busy))
        await asyncio.sleep(0)
        cursor = await committed(store, commit_of(game_id, cursor))
        await waiting
        await store.delete(game_id, code=game_id)
        with pytest.raises(GameDeleted):
            await next_of(busy)
        await asyncio.wait_for(idle.ended.wait(), LIMIT)
        assert (await next_of(idle)).cursor == cursor
        with pytest.raises(GameDeleted):
            await next_of(idle)


async def test_an_expired_game_ends_its_watchers(
    valkey_url: str, behind: redis.Redis, stores: Stores
) -> None:
    store = stores(valkey_url, poll_interval=0.01)
    game_id, cursor = await make_game(store)
    with store.watch(game_id, cursor) as watcher:
        waiting = asyncio.create_task(next_of(watcher))
        await until_subscribed(behind, game_id)
        behind.delete(game_keys(game_id).game)
        with pytest.raises(GameDeleted):
            await waiting


async def test_a_watcher_that_takes_nothing_is_cut_and_others_are_not(
    valkey_url: str, stores: Stores
) -> None:
    store = stores(valkey_url, watch_buffer=10)
    game_id, cursor = await make_game(store)
    with store.watch(game_id, cursor) as slow, store.watch(game_id, cursor) as brisk:
        for version in range(2, 40):
            cursor = await committed(store, commit_of(game_id, cursor))
            assert (await next_of(brisk)).version == version
            if version == 3:
                await versions(slow, 3)
        assert slow.ended.is_set()
        assert not brisk.ended.is_set()
        with pytest.raises(SlowWatcher):
            await next_of(slow)
    with store.watch(game_id, slow.cursor) as resumed:
        assert await versions(resumed, 39) == [*range(4, 40)]


@pytest.mark.parametrize("is_drain", [True, False])
async def test_a_process_that_leaves_tells_its_watchers(
    valkey_url: str, is_drain: bool, stores: Stores
) -> None:
    store = stores(valkey_url)
    game_id, cursor = await make_game(store)
    with store.watch(game_id, cursor) as watcher:
        waiting = asyncio.create_task(next_of(watcher))
        await asyncio.sleep(0)
        if is_drain:
            store.end_watches()
            # Commits still go through.
            await committed(store, commit_of(game_id, cursor))
        else:
            await store.close()
        with pytest.raises(WatchClosed):
            await waiting
        assert watcher.cursor == cursor
    with store.watch(game_id, cursor) as late, pytest.raises(WatchClosed):
        await next_of(late)
    await store.close()
    assert tasks_of_the_store() == set()


async def test_a_history_rewritten_by_a_failover_is_told_not_spliced(
    store: Store, behind: redis.Redis
) -> None:
    game_id, cursor = await make_game(store, 2)
    replica = contents(behind)
    old = cursor
    for _ in range(3):
        cursor = await committed(store, commit_of(game_id, cursor))
    with store.watch(game_id, cursor) as watcher:
        waiting = asyncio.create_task(next_of(watcher))
        await until_subscribed(behind, game_id)
        # A replica that lacks the last three versions is promoted, and the game goes on there.
        for key, value in replica.items():
            behind.restore(key, 0, value, replace=True)
        new = old
        for _ in range(4):
            new = await committed(store, commit_of(game_id, new))
        with pytest.raises(CursorUnknown):
            await waiting
        # Whoever read the game again can watch it, beside the one who has not yet left.
        with store.watch(game_id, new) as fresh:
            new = await committed(store, commit_of(game_id, new))
            assert (await next_of(fresh)).cursor == new
    with store.watch(game_id, old) as survivor:
        assert await versions(survivor, 7) == [3, 4, 5, 6, 7]
    # Nor does a commit follow the lost history.
    outcome = await store.commit(commit_of(game_id, Cursor(7, cursor.mark)))
    assert isinstance(outcome, Conflict)
    assert outcome.stored.cursor == new


async def test_a_thousand_short_watches_leave_nothing(store: Store, behind: redis.Redis) -> None:
    others = {client["id"] for client in behind.client_list()}
    games = [await make_game(store) for _ in range(20)]

    async def watch(number: int) -> None:
        game_id, cursor = games[number % 20]
        with store.watch(game_id, BEGINNING) as watcher:
            assert (await next_of(watcher)).cursor == cursor

    for start in range(0, 1000, 100):
        await asyncio.gather(*map(watch, range(start, start + 100)))
    assert store._feeds._feeds == {}
    await until(lambda: not behind.pubsub_channels())
    clients = [client for client in behind.client_list() if client["id"] not in others]
    assert [client["name"] for client in clients] == ["coltexpress"] * 2
