from __future__ import annotations

import asyncio
from itertools import chain
from typing import Any

import pytest
import redis

from coltexpress_server.store import Cursor, Loaded, Store
from coltexpress_server.store.keys import due_key, filed_key, game_keys
from tests.store.commits import DAY_MS, commit_of, committed, make_game, new_game_id


async def all_pages(store: Store, page_size: int) -> list[list[str]]:
    pages, after = [], None
    while True:
        page = await store.list_games(["listed"], page_size, after)
        pages.append([game.game_id for game in page.games])
        if page.next is None:
            return pages
        after = page.next


async def make_games(store: Store, count: int, bucket: int | None = None) -> list[str]:
    """Make games one after the other, so that each is at least as new as the one before."""
    made = []
    for _ in range(count):
        game_id = new_game_id(bucket)
        await committed(store, commit_of(game_id))
        made.append(game_id)
    return made


def in_list_order(server: redis.Redis, game_ids: list[str]) -> list[str]:
    """Order games as lists do: by their time of creation, then by id, both downwards."""
    created = {game_id: server.hget(game_keys(game_id).game, "created") for game_id in game_ids}
    return sorted(game_ids, key=lambda game_id: (created[game_id], game_id), reverse=True)


@pytest.mark.parametrize("bucket", [None, 7], ids=["all buckets", "one bucket"])
@pytest.mark.parametrize("page_size", [1, 7, 100, 1000])
async def test_pages_hold_every_game_once_newest_first(
    store: Store, behind: redis.Redis, page_size: int, bucket: int | None
) -> None:
    made = await make_games(store, 130, bucket)
    pages = await all_pages(store, page_size)
    assert [*chain(*pages)] == in_list_order(behind, made)
    assert all(len(page) == page_size for page in pages[:-1])


async def test_a_list_shows_each_games_latest_summary(store: Store) -> None:
    game_id, _ = await make_game(store, 3)
    (game,) = (await store.list_games(["listed"], 10)).games
    assert (game.game_id, game.version, game.summary) == (game_id, 3, b"summary 3")


async def test_games_that_come_and_go_between_pages_move_no_other(
    store: Store, behind: redis.Redis
) -> None:
    made = in_list_order(behind, await make_games(store, 60))
    page = await store.list_games(["listed"], 20)
    seen = [game.game_id for game in page.games]
    await store.delete(made[19], code=made[19])  # the one at which the page ended
    await store.delete(made[25], code=made[25])
    await make_games(store, 30)
    while page.next is not None:
        page = await store.list_games(["listed"], 20, page.next)
        seen += [game.game_id for game in page.games]
    assert seen == [game_id for game_id in made if game_id != made[25]]


async def test_lists_are_merged_newest_first(store: Store, behind: redis.Redis) -> None:
    made = []
    for number in range(40):
        game_id, _ = await make_game(store, filed=("abc"[number % 3], "abc"))
        made.append(game_id)
    page = await store.list_games(["c", "a"], 15)
    seen = [game.game_id for game in page.games]
    assert page.games[-1].position == page.next
    page = await store.list_games(["a", "c"], 15, page.next)
    seen += [game.game_id for game in page.games]
    wanted = [game_id for number, game_id in enumerate(made) if number % 3 != 1]
    assert seen == in_list_order(behind, wanted)


async def test_a_game_that_goes_from_list_to_list_is_shown_once(
    store: Store, behind: redis.Redis
) -> None:
    games = dict([await make_game(store, filed=("waiting",)) for _ in range(60)])

    async def play() -> None:
        for game_id, cursor in games.items():
            await committed(store, commit_of(game_id, cursor, filed=("running",)))

    playing = asyncio.create_task(play())
    seen, after = [], None
    while True:
        page = await store.list_games(["waiting", "running"], 7, after)
        seen += [game.game_id for game in page.games]
        if page.next is None:
            break
        after = page.next
    await playing
    assert seen == in_list_order(behind, list(games))


async def test_expired_games_are_passed_over_and_forgotten(
    store: Store, behind: redis.Redis
) -> None:
    made = in_list_order(behind, await make_games(store, 30))
    for game_id in made[::2]:
        behind.delete(game_keys(game_id).game)
    page = await store.list_games(["listed"], 10)
    assert [game.game_id for game in page.games] == made[1:20:2]
    assert await all_pages(store, 100) == [made[1::2]]
    left = sum(behind.zcard(key) for key in behind.keys("*:filed"))
    assert left == 15


async def test_expired_games_fall_due_and_are_forgotten(store: Store, behind: redis.Redis) -> None:
    gone, _ = await make_game(store, ttl_ms=DAY_MS)
    there, _ = await make_game(store, ttl_ms=2 * DAY_MS)
    due = await store.due_games()
    assert due.game_ids == ()
    assert due.next_ms is not None
    assert due.time_ms < due.next_ms <= due.time_ms + DAY_MS
    behind.delete(game_keys(gone).game)
    for game_id in (gone, there):  # as if that long had passed
        waiting: Any = behind.zrange(due_key(game_id[:2]), 0, -1)
        behind.zadd(due_key(game_id[:2]), dict.fromkeys(waiting, 1))
    assert (await store.due_games()).game_ids == (there,)
    assert behind.exists(due_key(gone[:2]), filed_key(gone[:2])) == 0
    assert behind.exists(due_key(there[:2]), filed_key(there[:2])) == 2


@pytest.mark.parametrize("position", ["", "x", "1" * 14, "+", "1" * 14 + ":00" + "a" * 24 + "\n"])
async def test_a_position_that_no_page_gave_is_refused(store: Store, position: str) -> None:
    with pytest.raises(ValueError, match="position"):
        await store.list_games(["listed"], 10, position)


async def test_overdue_games_come_most_overdue_first(store: Store) -> None:
    now = (await store.due_games()).time_ms
    games = {}
    for due_ms in (now - 10, now - 30, now + DAY_MS // 2, now - 20, now + 2 * DAY_MS, None):
        games[due_ms], _ = await make_game(store, due_ms=due_ms)
    due = await store.due_games()
    assert due.game_ids == (games[now - 30], games[now - 20], games[now - 10])
    assert due.next_ms == now + DAY_MS // 2
    assert (await store.due_games(limit=2)).game_ids == (games[now - 30], games[now - 20])


async def test_each_commit_says_anew_when_a_game_is_due(store: Store) -> None:
    game_id, cursor = await make_game(store, due_ms=5)
    due = await store.due_games()
    assert due.game_ids == (game_id,)
    soon = due.time_ms + DAY_MS // 2
    cursor = await committed(store, commit_of(game_id, cursor, due_ms=soon))
    due = await store.due_games()
    assert (due.game_ids, due.next_ms) == ((), soon)
    await committed(store, commit_of(game_id, cursor))
    due = await store.due_games()
    assert due.game_ids == ()
    assert due.next_ms is not None
    assert due.next_ms > soon


async def test_pages_are_right_while_games_come_and_go(store: Store, behind: redis.Redis) -> None:
    stay = in_list_order(behind, await make_games(store, 80))
    go = await make_games(store, 80)

    async def churn() -> None:
        for game_id in go:
            await store.delete(game_id, code=game_id)
            await make_games(store, 1)

    churning = asyncio.create_task(churn())
    seen = [*chain(*await all_pages(store, 9))]
    await churning
    assert len(set(seen)) == len(seen)
    assert [game_id for game_id in seen if game_id in set(stay)] == stay


async def test_a_game_that_was_found_too_early_is_postponed(store: Store) -> None:
    game_id, cursor = await make_game(store, due_ms=5)
    found = await store.load(game_id)
    assert isinstance(found, Loaded)
    assert found.stored is not None
    created_ms, soon = found.stored.created_ms, found.time_ms + DAY_MS // 2
    # Not for one who has seen it at another point.
    await store.postpone(game_id, created_ms, Cursor(cursor.version, "0" * 16), soon)
    assert (await store.due_games()).game_ids == (game_id,)
    await store.postpone(game_id, created_ms, cursor, soon)
    due = await store.due_games()
    assert (due.game_ids, due.next_ms) == ((), soon)
    # One that needs nothing is looked at once more when it has expired.
    await store.postpone(game_id, created_ms, cursor, None)
    due = await store.due_games()
    assert due.game_ids == ()
    assert due.next_ms is not None
    assert soon < due.next_ms <= due.time_ms + DAY_MS
