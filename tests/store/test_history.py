from __future__ import annotations

from coltexpress_server.store import BEGINNING, History, Missing, Store
from tests.store.commits import make_game, new_game_id


async def test_a_history_is_read_in_stretches_that_join(store: Store) -> None:
    game_id, cursor = await make_game(store, 7)
    after, versions = BEGINNING, []
    while True:
        history = await store.entries(game_id, after.version, limit=3)
        assert isinstance(history, History)
        assert history.cursor == cursor
        for entry in history.entries:
            assert entry.before == after
            assert entry.payload == b"payload %d" % entry.version
            after = entry.cursor
            versions.append(entry.version)
        if history.is_complete:
            break
    assert versions == [1, 2, 3, 4, 5, 6, 7]
    assert after == cursor


async def test_times_in_a_history_never_run_backwards(store: Store) -> None:
    game_id, _ = await make_game(store, 5)
    history = await store.entries(game_id)
    assert isinstance(history, History)
    times = [entry.time_ms for entry in history.entries]
    assert times == sorted(times)
    assert abs(times[-1] - (await store.due_games()).time_ms) < 60_000


async def test_the_end_of_a_history_is_empty_and_no_game_has_none(store: Store) -> None:
    game_id, cursor = await make_game(store, 2)
    assert await store.entries(game_id, 2) == History(cursor, ())
    assert await store.entries(new_game_id()) == Missing(None)
