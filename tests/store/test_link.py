from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
import redis

from coltexpress_server.store import (
    Cursor,
    Loaded,
    Store,
    StoreUnavailable,
    StoreUnfit,
)
from coltexpress_server.store.keys import game_keys
from coltexpress_server.store.url import StoreUrl, place_of
from tests.store.behind import LIMIT, until, until_subscribed
from tests.store.commits import Stores, commit_of, committed, make_game, new_game_id
from tests.store.proxy import Proxy


@pytest_asyncio.fixture
async def proxy(valkey_url: str, short_path: Path) -> AsyncIterator[Proxy]:
    proxy = Proxy(valkey_url, short_path / "proxy.sock")
    async with proxy.serving():
        yield proxy


@pytest_asyncio.fixture
async def shaky(proxy: Proxy) -> AsyncIterator[Store]:
    """A store behind the proxy."""
    store = Store(proxy.url, poll_interval=3600)
    yield store
    await store.close()


async def test_a_commit_whose_reply_is_lost_is_applied_once(
    shaky: Store, proxy: Proxy, behind: redis.Redis
) -> None:
    game_id, cursor = await make_game(shaky)
    for request_key in (b"", b"key"):
        proxy.cut_at_next_reply = True
        cursor = await committed(shaky, commit_of(game_id, cursor, request_key=request_key))
        assert not proxy.cut_at_next_reply
    assert cursor.version == behind.xlen(game_keys(game_id).entries) == 3


async def test_a_cut_connection_is_made_anew(shaky: Store, proxy: Proxy) -> None:
    game_id, cursor = await make_game(shaky)
    for _ in range(3):
        proxy.cut()
        cursor = await committed(shaky, commit_of(game_id, cursor))
    assert proxy.connections == 4


async def test_calls_under_way_when_the_connection_is_cut_end_well(
    shaky: Store, proxy: Proxy
) -> None:
    games = [await make_game(shaky) for _ in range(20)]
    proxy.delay = 0.005
    calls = [asyncio.create_task(shaky.load(game_id)) for game_id, _ in games]
    await asyncio.sleep(0)
    proxy.cut()
    for (_, cursor), loaded in zip(games, await asyncio.gather(*calls), strict=True):
        assert isinstance(loaded, Loaded)
        assert loaded.cursor == cursor


async def test_a_cancelled_call_leaves_nothing_to_the_next(shaky: Store, proxy: Proxy) -> None:
    games: dict[str, Cursor] = dict([await make_game(shaky) for _ in range(10)])
    proxy.delay = 0.002
    dice = random.Random(1)
    applied = cut_short = 0

    async def play(game_id: str) -> None:
        nonlocal applied, cut_short
        for _ in range(30):
            commit = commit_of(game_id, games[game_id], summary=game_id.encode())
            try:
                async with asyncio.timeout(dice.uniform(0, 0.005)):
                    await shaky.commit(commit)
            except TimeoutError:
                cut_short += 1
            # Whatever became of it, each game reads as itself, and as far as it has come.
            loaded = await shaky.load(game_id)
            assert isinstance(loaded, Loaded)
            assert loaded.stored is not None
            after = Cursor(commit.expected.version + 1, commit.mark)
            assert loaded.cursor in (commit.expected, after)
            if loaded.cursor == after:
                assert loaded.stored.summary == game_id.encode()
                applied += 1
            games[game_id] = loaded.cursor

    await asyncio.gather(*map(play, games))
    assert cut_short > 30
    assert applied > 30
    assert proxy.connections == 1


async def test_a_first_call_that_is_cancelled_leaves_the_connection_to_others(
    shaky: Store, proxy: Proxy
) -> None:
    proxy.delay = 0.01
    first = asyncio.create_task(shaky.ping())
    second = asyncio.create_task(shaky.ping())
    await asyncio.sleep(0)
    first.cancel()
    await second
    with contextlib.suppress(asyncio.CancelledError):
        await first
    assert proxy.connections == 1


async def test_a_server_that_is_not_there_is_unavailable(short_path: Path, stores: Stores) -> None:
    for url in (f"unix://{short_path}/none.sock", "redis://127.0.0.1:1"):
        store = stores(url)
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                await store.load(new_game_id())


async def test_a_silent_server_is_unavailable_until_it_speaks(proxy: Proxy, stores: Stores) -> None:
    store = stores(proxy.url, timeout=0.2)
    game_id, cursor = await make_game(store)
    proxy.delay = 3600
    commit = commit_of(game_id, cursor)
    outcomes = await asyncio.gather(
        *(store.commit(commit) for _ in range(5)), return_exceptions=True
    )
    assert all(isinstance(outcome, StoreUnavailable) for outcome in outcomes)
    proxy.delay = 0
    # It had been carried out, all the same.
    loaded = await store.load(game_id)
    assert isinstance(loaded, Loaded)
    assert loaded.cursor == await committed(store, commit) == Cursor(2, commit.mark)


async def test_a_closed_store_is_unavailable(valkey_url: str, stores: Stores) -> None:
    store = stores(valkey_url)
    await store.ping()
    await store.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.ping()


async def test_a_wrong_password_is_refused_and_not_repeated(
    valkey_url: str, stores: Stores
) -> None:
    store = stores(valkey_url + "?username=belle&password=hunter2")
    with pytest.raises(StoreUnfit) as caught:
        await store.ping()
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        *("", "localhost:6379", "http://localhost", "redis", "unix://", "redis+unix://x"),
        *("unix+cluster:///x", "redis://:hunter2@x:port", "redis+sentinel://x", "redis://[x"),
        "redis://x?db=hunter2",
    ],
)
def test_a_url_of_another_form_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(StoreUnfit, match="none of the forms") as caught:
        Store(url)
    assert "hunter2" not in str(caught.value)


def test_an_option_that_is_none_is_named() -> None:
    with pytest.raises(StoreUnfit, match="colour"):
        Store("redis://localhost?colour=red")


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("redis://belle:hunter2@store.example:6380/1?x=y", "redis://store.example:6380/1"),
        ("rediss://:hunter2@store.example", "rediss://store.example"),
        ("unix://belle@/run/s.sock?password=hunter2", "unix:///run/s.sock"),
        ("redis+sentinel://:hunter2@a:1,b/games/2", "redis+sentinel://a:1,b/games/2"),
        ("redis+cluster://:hunter2@a,[::1]:7", "redis+cluster://a,[::1]:7"),
    ],
)
def test_what_is_said_of_a_url_has_no_secrets(url: str, place: str) -> None:
    assert place_of(url) == place


def test_a_url_of_many_addresses_is_taken_apart() -> None:
    url = StoreUrl("rediss+sentinel://belle:p%40ss@a,b:7,[::1]:8/games/2?ssl_check_hostname=no")
    assert (url.kind, url.service) == ("sentinel", "games")
    assert url.addresses == (("a", 26379), ("b", 7), ("::1", 8))
    assert url.options["username"] == "belle"
    assert url.options["password"] == "p@ss"
    assert url.options["db"] == 2
    assert url.options["ssl_check_hostname"] is False
    assert StoreUrl("redis+cluster://a,b").addresses == (("a", 6379), ("b", 6379))


async def test_a_wake_up_connection_that_falls_silent_is_replaced(
    proxy: Proxy, stores: Stores, behind: redis.Redis
) -> None:
    store = stores(proxy.url, timeout=LIMIT, poll_interval=0.02)
    game_id, cursor = await make_game(store)
    with store.watch(game_id, cursor):
        await until_subscribed(behind, game_id)
        assert proxy.connections == 2
        proxy.delay = 3600
        await until(lambda: proxy.connections == 3)
