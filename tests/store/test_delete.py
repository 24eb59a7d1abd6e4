from __future__ import annotations

from functools import partial

import pytest
import redis

from coltexpress_server.store import (
    BEGINNING,
    Conflict,
    Cursor,
    Deleted,
    Missing,
    Store,
    StoreDamaged,
    StoreUnfit,
)
from coltexpress_server.store.keys import game_keys
from tests.store.behind import contents, set_rights, skip_before_7
from tests.store.commits import commit_of, make_game, new_game_id


async def test_a_deleted_game_is_in_no_list(store: Store, behind: redis.Redis) -> None:
    game_id, _ = await make_game(store, 2, due_ms=1)
    assert await store.delete(game_id, code=game_id) == Deleted()
    assert await store.load(game_id) == Missing(None)
    assert (await store.list_games(["listed"], 10)).games == ()
    assert (await store.due_games()).game_ids == ()
    assert behind.keys("*") == []


async def test_a_game_that_has_moved_on_is_not_deleted(store: Store) -> None:
    game_id, cursor = await make_game(store, 2)
    for elsewhere in (Cursor(1, cursor.mark), Cursor(2, "0" * 16)):
        outcome = await store.delete(game_id, code=game_id, expected=elsewhere)
        assert isinstance(outcome, Conflict)
        assert outcome.stored.cursor == cursor
        assert outcome.stored.state == b"state 2"
    assert await store.delete(game_id, code=game_id, expected=cursor) == Deleted()


async def test_requests_of_a_deleted_game_are_remembered_for_a_while(
    store: Store, behind: redis.Redis
) -> None:
    game_id, _ = await make_game(store, request_key=b"create", request_digest=b"created")
    delete = partial(
        store.delete, game_id, code=game_id, request_key=b"delete", request_digest=b"deleted"
    )
    assert await delete() == Deleted()
    assert await delete() == Missing(b"deleted")
    assert await store.load(game_id, request_key=b"delete") == Missing(b"deleted")
    again = commit_of(game_id, BEGINNING, request_key=b"create")
    assert await store.commit(again) == Missing(b"created")
    assert await store.delete(game_id, code=game_id, request_key=b"other") == Missing(None)
    assert 0 < behind.pttl(game_keys(game_id).requests) <= 3_600_000


async def test_there_is_nothing_to_delete_where_there_is_no_game(store: Store) -> None:
    assert await store.delete(new_game_id(), code="none") == Missing(None)


@pytest.mark.parametrize("wrong", ["requests", "code", "due", "filed", "words"])
async def test_a_key_of_the_wrong_type_stops_a_deletion_before_it_begins(
    store: Store, behind: redis.Redis, wrong: str
) -> None:
    game_id, cursor = await make_game(store)
    key = getattr(game_keys(game_id, game_id), wrong)
    behind.delete(key)
    behind.xadd(key, {"not what": "it should be"})
    with pytest.raises(StoreDamaged):
        await store.delete(game_id, code=game_id, request_key=b"delete")
    assert behind.hget(game_keys(game_id).game, "mark") == cursor.mark.encode()
    assert behind.xlen(game_keys(game_id).entries) == 1


@pytest.mark.parametrize("command", ["hmget", "hset", "unlink", "pexpire", "zrem", "hdel"])
async def test_a_command_that_the_user_may_not_run_stops_a_deletion_before_it_begins(
    store: Store, behind: redis.Redis, command: str
) -> None:
    skip_before_7(behind, "a script cannot ask what it may do (see Store.check_server)")
    game_id, _ = await make_game(store)
    before = contents(behind)
    set_rights(behind, f"-{command}")
    try:
        with pytest.raises(StoreUnfit):
            await store.delete(game_id, code=game_id, request_key=b"delete")
    finally:
        set_rights(behind, "+@all")
    assert contents(behind) == before
