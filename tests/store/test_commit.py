from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest
import redis

from coltexpress_server.store import (
    BEGINNING,
    Committed,
    Conflict,
    Cursor,
    Early,
    Late,
    Loaded,
    Missing,
    Notice,
    Repeated,
    Store,
    StoreDamaged,
    StoreError,
    StoreUnavailable,
    StoreUnfit,
    Taken,
    bucket_number,
    scripts,
)
from coltexpress_server.store.keys import GameKeys, game_keys
from tests.store.behind import contents, set_rights, skip_before_7
from tests.store.commits import DAY_MS, Stores, commit_of, committed, make_game, new_game_id

_READS = ("time", "hget", "hexists", "xrange", "hmget", "xlen", "hlen", "zcard", "get")
_WRITES = ("unlink", "xadd", "hset", "zadd", "zrem", "pexpire", "set")


async def stored(store: Store, game_id: str) -> tuple[Cursor, bytes, bytes]:
    match await store.load(game_id):
        case Loaded(stored=found) if found is not None:
            return found.cursor, found.state, found.summary
    raise AssertionError("the game is missing")


# What a commit does


async def test_a_commit_creates_a_game_and_the_next_changes_it(store: Store) -> None:
    game_id = new_game_id()
    first = commit_of(game_id)
    outcome = await store.commit(first)
    assert isinstance(outcome, Committed)
    assert outcome.cursor == Cursor(1, first.mark)
    assert await stored(store, game_id) == (outcome.cursor, first.state, first.summary)

    second = commit_of(game_id, outcome.cursor)
    outcome = await store.commit(second)
    assert isinstance(outcome, Committed)
    assert outcome.cursor == Cursor(2, second.mark)
    assert await stored(store, game_id) == (outcome.cursor, second.state, second.summary)


async def test_what_is_known_is_not_sent_again(store: Store) -> None:
    game_id, cursor = await make_game(store, 2)
    for known, is_sent in [(cursor, False), (None, True), (Cursor(2, "0" * 16), True)]:
        loaded = await store.load(game_id, known=known)
        assert isinstance(loaded, Loaded)
        assert loaded.cursor == cursor
        assert (loaded.stored is not None) == is_sent


async def test_all_keys_of_a_game_expire_together(store: Store, behind: redis.Redis) -> None:
    game_id, cursor = await make_game(store, request_key=b"key")
    await committed(store, commit_of(game_id, cursor, ttl_ms=2 * DAY_MS))
    keys = game_keys(game_id)
    left = [behind.pttl(key) for key in (keys.game, keys.entries, keys.requests)]
    assert 2 * DAY_MS - 60_000 < min(left) <= max(left) <= 2 * DAY_MS


async def test_what_an_earlier_game_of_the_id_left_does_not_show(
    store: Store, behind: redis.Redis
) -> None:
    game_id, cursor = await make_game(store, request_key=b"old")
    await committed(store, commit_of(game_id, cursor))
    behind.delete(game_keys(game_id).game)
    await committed(store, commit_of(game_id))
    assert behind.xlen(game_keys(game_id).entries) == 1
    loaded = await store.load(game_id, request_key=b"old")
    assert isinstance(loaded, Loaded)
    assert loaded.repeated is None


async def test_a_server_that_forgot_the_scripts_is_given_them_again(
    store: Store, behind: redis.Redis
) -> None:
    game_id, cursor = await make_game(store)
    behind.script_flush()
    await committed(store, commit_of(game_id, cursor))
    behind.script_flush()
    assert isinstance(await store.load(game_id), Loaded)


async def test_bytes_come_back_as_they_went_in(store: Store) -> None:
    every_byte = bytes(range(256)) * 3
    game_id = new_game_id()
    commit = commit_of(
        game_id,
        state=every_byte,
        summary=every_byte,
        payload=every_byte,
        request_key=every_byte,
        request_digest=every_byte,
    )
    cursor = await committed(store, commit)
    assert await stored(store, game_id) == (cursor, every_byte, every_byte)
    again = await store.commit(commit_of(game_id, request_key=every_byte))
    assert isinstance(again, Repeated)
    assert again.digest == again.entry.payload == every_byte


# Refusals


@pytest.mark.parametrize("expected", [BEGINNING, Cursor(1, "0" * 16), Cursor(3, "0" * 16)])
async def test_a_commit_from_elsewhere_in_history_is_told_what_is(
    store: Store, behind: redis.Redis, expected: Cursor
) -> None:
    game_id, cursor = await make_game(store, 2)
    before = contents(behind)
    outcome = await store.commit(commit_of(game_id, expected))
    assert isinstance(outcome, Conflict)
    assert outcome.stored.cursor == cursor
    assert outcome.stored.state == b"state 2"
    assert outcome.stored.summary == b"summary 2"
    assert contents(behind) == before


async def test_a_version_with_another_mark_is_another_history(store: Store) -> None:
    game_id, cursor = await make_game(store, 2)
    outcome = await store.commit(commit_of(game_id, Cursor(cursor.version, "0" * 16)))
    assert isinstance(outcome, Conflict)


async def test_a_commit_to_no_game_creates_none(store: Store, behind: redis.Redis) -> None:
    outcome = await store.commit(commit_of(new_game_id(), Cursor(1, "0" * 16)))
    assert outcome == Missing(None)
    assert contents(behind) == {}


async def test_too_late_and_too_early_are_by_the_servers_clock(
    store: Store, behind: redis.Redis
) -> None:
    game_id, cursor = await make_game(store)
    before = contents(behind)
    now = (await store.due_games()).time_ms
    late = await store.commit(commit_of(game_id, cursor, not_after=now - 1))
    early = await store.commit(commit_of(game_id, cursor, not_before=now + DAY_MS))
    assert isinstance(late, Late)
    assert isinstance(early, Early)
    assert min(late.time_ms, early.time_ms) >= now
    assert contents(behind) == before
    await committed(store, commit_of(game_id, cursor, not_after=now + DAY_MS, not_before=now - 1))


async def test_of_ten_commits_at_once_one_is_applied(
    store: Store, valkey_url: str, stores: Stores
) -> None:
    game_id, cursor = await make_game(store)
    other = stores(valkey_url)
    outcomes = await asyncio.gather(
        *(
            (store, other)[number % 2].commit(
                commit_of(game_id, cursor, request_key=b"%d" % number)
            )
            for number in range(10)
        )
    )
    winners = [outcome for outcome in outcomes if isinstance(outcome, Committed)]
    losers = [outcome for outcome in outcomes if isinstance(outcome, Conflict)]
    assert (len(winners), len(losers)) == (1, 9)
    assert {loser.stored.cursor for loser in losers} == {winners[0].cursor}


# Retries


async def test_a_repeated_request_is_answered_as_the_first_time(store: Store) -> None:
    game_id = new_game_id()
    first = commit_of(game_id, request_key=b"one", request_digest=b"digest")
    cursor = await committed(store, first)
    await committed(store, commit_of(game_id, cursor, request_key=b"two"))
    # Late, and from the wrong place, but above all a repeat.
    again = commit_of(game_id, Cursor(7, "0" * 16), request_key=b"one", not_after=1)
    outcome = await store.commit(again)
    assert isinstance(outcome, Repeated)
    assert outcome.digest == b"digest"
    assert outcome.entry.cursor == cursor
    assert outcome.entry.payload == first.payload
    loaded = await store.load(game_id, request_key=b"one")
    assert isinstance(loaded, Loaded)
    assert loaded.repeated == outcome


async def test_ten_equal_requests_at_once_are_applied_once(store: Store) -> None:
    game_id = new_game_id()
    outcomes = await asyncio.gather(
        *(store.commit(commit_of(game_id, request_key=b"key")) for _ in range(10))
    )
    winners = [outcome for outcome in outcomes if isinstance(outcome, Committed)]
    repeats = [outcome for outcome in outcomes if isinstance(outcome, Repeated)]
    assert (len(winners), len(repeats)) == (1, 9)
    assert {repeat.entry.cursor for repeat in repeats} == {winners[0].cursor}


@pytest.mark.parametrize("request_key", [b"", b"key"])
async def test_the_same_commit_sent_again_is_committed_again_to_the_eye(
    store: Store, request_key: bytes
) -> None:
    game_id = new_game_id()
    commit = commit_of(game_id, request_key=request_key)
    first = await store.commit(commit)
    assert isinstance(first, Committed)
    assert await store.commit(commit) == first
    await committed(store, commit_of(game_id, first.cursor))
    assert await store.commit(commit) == first


# Failures: before the commit or after it, never between


@pytest.fixture
def restored(behind: redis.Redis) -> Iterator[redis.Redis]:
    """The server, to be mistreated by settings that are put back afterwards."""
    yield behind
    behind.config_set("maxmemory", 0)
    behind.config_set("min-replicas-to-write", 0)
    behind.replicaof("NO", "ONE")
    set_rights(behind, "+@all allkeys")


@pytest.mark.parametrize("wrong", GameKeys._fields)
@pytest.mark.parametrize("versions", [0, 2])
async def test_a_key_of_the_wrong_type_stops_a_commit_before_it_begins(
    store: Store, behind: redis.Redis, wrong: str, versions: int
) -> None:
    game_id, cursor = await make_game(store, versions) if versions else (new_game_id(), BEGINNING)
    key = getattr(game_keys(game_id, game_id), wrong)
    behind.delete(key)
    if wrong == "code":
        behind.hset(key, "not what", "it should be")
    else:
        behind.set(key, "not what it should be")
    before = contents(behind)
    with pytest.raises(StoreDamaged):
        await store.commit(commit_of(game_id, cursor, request_key=b"key", due_ms=1))
    assert contents(behind) == before


async def test_a_history_that_lacks_entries_stops_a_commit(
    store: Store, behind: redis.Redis
) -> None:
    game_id, cursor = await make_game(store, 3)
    behind.xdel(game_keys(game_id).entries, "2-0")
    before = contents(behind)
    with pytest.raises(StoreDamaged):
        await store.commit(commit_of(game_id, cursor))
    assert contents(behind) == before


@pytest.mark.parametrize("versions", [0, 2])
@pytest.mark.parametrize("fault", ["full", "without replicas", "demoted"])
async def test_a_server_that_takes_no_writes_takes_no_part_of_a_commit(
    store: Store, restored: redis.Redis, fault: str, versions: int
) -> None:
    game_id, cursor = await make_game(store, versions) if versions else (new_game_id(), BEGINNING)
    before = contents(restored)
    commit = commit_of(game_id, cursor, request_key=b"key")
    match fault:
        case "full":
            restored.config_set("maxmemory", 1)
        case "without replicas":
            skip_before_7(restored, "scripts are not asked whether replicas are there")
            restored.config_set("min-replicas-to-write", 1)
        case "demoted":
            restored.replicaof("127.0.0.1", "1")
    with pytest.raises(StoreUnavailable):
        await store.commit(commit)
    assert contents(restored) == before
    restored.config_set("maxmemory", 0)
    restored.config_set("min-replicas-to-write", 0)
    restored.replicaof("NO", "ONE")
    await committed(store, commit)


def test_no_command_of_a_commit_is_left_out_below() -> None:
    called = re.findall(r"redis\.call\('(\w+)'", scripts.COMMIT.text)
    assert {command.lower() for command in called} == {*_READS, *_WRITES}


@pytest.mark.parametrize("command", [*_READS, *_WRITES])
@pytest.mark.parametrize("versions", [0, 2])
async def test_a_command_that_the_user_may_not_run_stops_a_commit_before_it_begins(
    store: Store, restored: redis.Redis, command: str, versions: int
) -> None:
    game_id, cursor = await make_game(store, versions) if versions else (new_game_id(), BEGINNING)
    if command in _WRITES:
        skip_before_7(restored, "a script cannot ask what it may do (see Store.check_server)")
    # Leave something behind, so that a commit that creates the game has to remove it.
    restored.hset(game_keys(game_id).requests, "left", "1:behind")
    before = contents(restored)
    set_rights(restored, f"-{command}")
    # Only a repeated request is looked up in the history.
    request_key = b"left" if command == "xrange" else b"new"
    commit = commit_of(
        game_id, cursor, request_key=request_key, due_ms=1, notices=(Notice(game_id, "a", "b"),)
    )
    with pytest.raises(StoreUnfit):
        await store.commit(commit)
    set_rights(restored, "+@all")
    assert contents(restored) == before


@pytest.mark.parametrize("hidden", GameKeys._fields)
async def test_a_key_that_the_user_may_not_touch_stops_a_commit_before_it_begins(
    store: Store, restored: redis.Redis, hidden: str
) -> None:
    game_id, cursor = await make_game(store)
    before = contents(restored)
    allowed = [
        f"~{key}" for name, key in game_keys(game_id, game_id)._asdict().items() if name != hidden
    ]
    set_rights(restored, " ".join(["resetkeys", *allowed]))
    with pytest.raises(StoreUnfit):
        await store.commit(commit_of(game_id, cursor, request_key=b"key"))
    set_rights(restored, "allkeys")
    assert contents(restored) == before


async def test_a_wake_up_that_the_user_may_not_send_does_not_stop_a_commit(
    store: Store, restored: redis.Redis
) -> None:
    set_rights(restored, "-publish")
    await make_game(store, 2)


@pytest.mark.parametrize("field", ["ttl_ms", "due_ms", "due_in_ms", "not_after", "not_before"])
@pytest.mark.parametrize("value", [-1, 10**15, "1e3", "nan", " 1"])
async def test_a_number_that_is_none_stops_a_commit(
    store: Store, behind: redis.Redis, field: str, value: object
) -> None:
    wrong: dict[str, Any] = {field: value}
    with pytest.raises(StoreError, match=field):
        await store.commit(commit_of(new_game_id(), **wrong))
    assert contents(behind) == {}


def test_nothing_printed_shows_what_is_stored() -> None:
    commit = commit_of(new_game_id(), request_key=b"key", state=b"the sheriff's hand")
    assert "sheriff" not in repr(commit)
    assert "key=b" not in repr(commit)


async def test_a_new_game_needs_a_code_of_its_own(store: Store, behind: redis.Redis) -> None:
    game_id, cursor = await make_game(store, code="abc")
    other = new_game_id(bucket_number(game_id))
    before = contents(behind)
    assert await store.commit(commit_of(other, code="abc")) == Taken()
    assert contents(behind) == before
    assert await store.find(bucket_number(game_id), "abc") == game_id
    await committed(store, commit_of(new_game_id(bucket_number(game_id) ^ 1), code="abc"))
    await committed(store, commit_of(game_id, cursor, code="abc", ttl_ms=5 * DAY_MS))
    assert behind.pttl(game_keys(game_id, "abc").code) > 4 * DAY_MS
    await store.delete(game_id, code="abc")
    assert await store.find(bucket_number(game_id), "abc") is None
    await committed(store, commit_of(other, code="abc"))
