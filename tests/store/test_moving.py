"""Games read as a whole, and put into another store."""

from __future__ import annotations

import redis

from coltexpress_server.store import (
    BEGINNING,
    Exists,
    Exported,
    Imported,
    Missing,
    Repeated,
    Store,
    Taken,
    bucket_number,
)
from coltexpress_server.store.keys import game_keys
from tests.store.behind import contents
from tests.store.commits import commit_of, committed, make_game, new_game_id


async def exported(store: Store) -> tuple[str, Exported]:
    """A game of some commits, the last one of a request, read as a whole."""
    game_id, cursor = await make_game(store, 150)
    await committed(store, commit_of(game_id, cursor, request_key=b"key", request_digest=b"it"))
    found = await store.export(game_id)
    assert isinstance(found, Exported)
    return game_id, found


async def test_a_game_is_the_same_wherever_it_is_put(store: Store, behind: redis.Redis) -> None:
    game_id, game = await exported(store)
    keys = game_keys(game_id, game_id)
    before = contents(behind)
    assert 0 < game.ttl_ms <= behind.pttl(keys.game) + 1_000
    behind.flushall()
    assert await store.put(game_id, game, code=game_id, filed=("listed",)) == Imported()
    after = contents(behind)
    # It is due at once, so that whoever looks after it finds out when it really is.
    assert (await store.due_games()).game_ids == (game_id,)
    del before[keys.due.encode()], after[keys.due.encode()]
    assert after == before
    assert await store.find(bucket_number(game_id), game_id) == game_id
    assert [each.game_id for each in (await store.list_games(["listed"], 10)).games] == [game_id]
    # It goes on where it was, and remembers.
    again = await store.commit(commit_of(game_id, BEGINNING, request_key=b"key"))
    assert isinstance(again, Repeated)
    assert again.digest == b"it"
    await committed(store, commit_of(game_id, game.stored.cursor))


async def test_nothing_is_overwritten(store: Store, behind: redis.Redis) -> None:
    game_id, game = await exported(store)
    before = contents(behind)
    found = await store.put(game_id, game, code=game_id, filed=())
    assert found == Exists(game.stored.cursor)
    assert contents(behind) == before
    await store.delete(game_id, code=game_id)
    await make_game_with_code(store, game_id)
    before = contents(behind)
    assert await store.put(game_id, game, code=game_id, filed=()) == Taken()
    assert contents(behind) == before


async def make_game_with_code(store: Store, code: str) -> None:
    """Another game of the same bucket with this code."""
    await committed(store, commit_of(new_game_id(bucket_number(code)), code=code))


async def test_there_is_nothing_to_export_where_there_is_no_game(store: Store) -> None:
    assert await store.export(new_game_id()) == Missing(None)
