"""Games filed under words: finding, counting, hearing of their changes."""

from __future__ import annotations

import asyncio

import pytest
import redis

from coltexpress_server.store import Store, WatchClosed
from coltexpress_server.store.keys import filed_key, game_keys, news_channel
from tests.store.behind import LIMIT, until
from tests.store.commits import Stores, commit_of, committed, make_game


async def test_a_game_is_found_under_its_words_alone(store: Store) -> None:
    first, at = await make_game(store, filed=("a", "a.b"))
    second, there = await make_game(store, filed=("a",))
    await make_game(store)
    assert await store.filed_games("a") == {first: at, second: there}
    assert await store.filed_games("a.b") == {first: at}
    assert await store.filed_games("a.") == {}
    assert await store.count_filed(["a", "a.b", "b"]) == [2, 1, 0]


async def test_each_commit_says_anew_where_a_game_is_filed(
    store: Store, behind: redis.Redis
) -> None:
    game_id, cursor = await make_game(store, filed=("a", "b"))
    cursor = await committed(store, commit_of(game_id, cursor, filed=("b", "c")))
    assert await store.count_filed(["a", "b", "c"]) == [0, 1, 1]
    assert await store.filed_games("c") == {game_id: cursor}
    await committed(store, commit_of(game_id, cursor, filed=()))
    assert await store.count_filed(["a", "b", "c"]) == [0, 0, 0]
    assert not behind.exists(filed_key(game_id[:2]))


async def test_what_is_deleted_or_has_expired_is_filed_no_more(
    store: Store, behind: redis.Redis
) -> None:
    deleted, _ = await make_game(store, filed=("a",))
    expired, _ = await make_game(store, filed=("a", "b"))
    there, cursor = await make_game(store, filed=("a",))
    await store.delete(deleted, code=deleted)
    behind.delete(game_keys(expired).game)
    assert await store.filed_games("a") == {there: cursor}
    assert await store.count_filed(["a", "b"]) == [1, 0]
    for gone in (deleted, expired):
        assert not behind.hexists(game_keys(gone).words, gone)


@pytest.mark.parametrize("word", ["", "a:b", "a b", "[", "a\n"])
async def test_what_is_no_word_finds_nothing(store: Store, word: str) -> None:
    with pytest.raises(ValueError, match="letters"):
        await store.filed_games(word)


async def test_a_listener_hears_of_what_another_process_does(
    store: Store, stores: Stores, valkey_url: str, behind: redis.Redis
) -> None:
    other = stores(valkey_url)
    game_id, cursor = await make_game(other, filed=("a",), told=("a",))
    with store.listen("a") as listener:
        async with asyncio.timeout(LIMIT):
            assert await listener.changed() is None
            await until(lambda: behind.pubsub_numsub(news_channel("a"))[0][1] > 0)
            assert await listener.changed() is None  # the subscription stands now
            cursor = await committed(other, commit_of(game_id, cursor, filed=("a",), told=("a",)))
            assert await listener.changed() == {game_id}
            # Not worth telling, and then no longer its game.
            cursor = await committed(other, commit_of(game_id, cursor, filed=("a",)))
            cursor = await committed(other, commit_of(game_id, cursor, filed=("b",)))
            assert await listener.changed() == {game_id}
            second, _ = await make_game(other, filed=("a",))
            await other.delete(second, code=second)
            assert await listener.changed() == {second}


async def test_a_listener_ends_with_its_process(store: Store) -> None:
    with store.listen("a") as listener:
        await listener.changed()
        store.end_watches()
        with pytest.raises(WatchClosed):
            await listener.changed()
    with store.listen("a") as late, pytest.raises(WatchClosed):
        await late.changed()
