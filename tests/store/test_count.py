"""Counting against a limit within a time."""

from __future__ import annotations

import asyncio

from coltexpress_server.store import Store

LONG_MS = 60_000


async def test_no_more_than_the_limit_are_counted(store: Store) -> None:
    assert [await store.count("who", str(n), most=3, window_ms=LONG_MS) for n in range(3)] == [
        0
    ] * 3
    for thing in ("3", "4"):
        wait_ms = await store.count("who", thing, most=3, window_ms=LONG_MS)
        assert 0 < wait_ms <= LONG_MS
    assert await store.count("somebody else", "3", most=3, window_ms=LONG_MS) == 0


async def test_the_same_thing_counts_once(store: Store) -> None:
    for _ in range(5):
        assert await store.count("who", "thing", most=2, window_ms=LONG_MS) == 0
    assert await store.count("who", "other", most=2, window_ms=LONG_MS) == 0
    assert await store.count("who", "one more", most=2, window_ms=LONG_MS) > 0
    assert await store.count("who", "thing", most=2, window_ms=LONG_MS) == 0


async def test_what_is_long_ago_does_not_count(store: Store) -> None:
    assert await store.count("who", "first", most=1, window_ms=50) == 0
    async with asyncio.timeout(20):
        while await store.count("who", "second", most=1, window_ms=50):
            pass
    assert await store.count("who", "third", most=1, window_ms=LONG_MS) > 0


async def test_a_limit_that_was_lowered_tells_when_there_is_room(store: Store) -> None:
    for thing in "abc":
        assert await store.count("who", thing, most=3, window_ms=LONG_MS) == 0
    last_ms = await store.count("who", "d", most=1, window_ms=LONG_MS)
    first_ms = await store.count("who", "d", most=3, window_ms=LONG_MS)
    assert 0 < first_ms <= last_ms <= LONG_MS
