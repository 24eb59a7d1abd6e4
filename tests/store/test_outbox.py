"""Webhooks and the outbox: what is put there, tried, taken out, given up."""

from __future__ import annotations

from typing import Any

import redis

from coltexpress_server.store import Hook, Notice, Store, Waiting
from coltexpress_server.store.keys import game_keys, outbox_key
from tests.store.commits import Stores, commit_of, committed, make_game, new_game_id

SOON: dict[str, Any] = {"request_key": b"key", "request_digest": b"digest"}


async def hooked(store: Store, holder: str = "h") -> tuple[str, Any]:
    game_id, cursor = await make_game(store)
    assert await store.outbox.set_hook(game_id, holder, b"hook", **SOON) == b"digest"
    return game_id, cursor


async def test_a_commit_puts_notices_out_for_those_with_a_hook_alone(store: Store) -> None:
    game_id, cursor = await hooked(store)
    notices = tuple(Notice(game_id, holder, "e.1") for holder in "gh")
    outcome: Any = await store.commit(commit_of(game_id, cursor, notices=notices))
    assert outcome.notices == (Notice(game_id, "h", "e.1"),)
    overdue = await store.outbox.overdue()
    assert overdue.notices == (Waiting(Notice(game_id, "h", "e.1"), 1),)


async def test_a_notice_is_left_to_whoever_committed_for_a_while(store: Store) -> None:
    game_id, cursor = await hooked(store)
    notice = Notice(game_id, "h", "e")
    commit = commit_of(game_id, cursor, notices=(notice,), notice_delay_ms=60_000)
    await committed(store, commit)
    overdue = await store.outbox.overdue()
    assert overdue.notices == ()
    assert overdue.next_ms is not None
    assert 0 < overdue.next_ms - overdue.time_ms <= 60_000
    # Sent again because its answer was lost, it puts nothing out again.
    outcome: Any = await store.commit(commit)
    assert outcome.notices == ()


async def test_of_many_who_claim_a_try_one_gets_it(store: Store, stores: Stores) -> None:
    game_id, cursor = await hooked(store)
    notice = Notice(game_id, "h", "e")
    await committed(store, commit_of(game_id, cursor, notices=(notice,)))
    claims = [await store.outbox.claim(Waiting(notice, 1), 0) for _ in range(3)]
    assert claims == [Waiting(notice, 2), None, None]
    assert (await store.outbox.overdue()).notices == (Waiting(notice, 2),)
    await store.outbox.remove(Waiting(notice, 2), delivered=True)
    assert (await store.outbox.overdue()).notices == ()


async def test_a_hook_is_disabled_by_failures_in_a_row(store: Store) -> None:
    game_id, cursor = await hooked(store)
    outbox = store.outbox
    for event, delivered in (("a", False), ("b", True), ("c", False), ("d", False)):
        notice = Notice(game_id, "h", event)
        cursor = await committed(store, commit_of(game_id, cursor, notices=(notice,)))
        if delivered:
            await outbox.remove(Waiting(notice, 1), delivered=True)
            assert await outbox.hook(game_id, "h") == Hook(b"hook", disabled=False, failures=0)
        else:
            await outbox.give_up(Waiting(notice, 1), most=2)
    assert await outbox.hook(game_id, "h") == Hook(b"hook", disabled=True, failures=2)
    outcome: Any = await store.commit(
        commit_of(game_id, cursor, notices=(Notice(game_id, "h", "e"),))
    )
    assert outcome.notices == ()
    await outbox.set_hook(game_id, "h", b"again", request_key=b"2", request_digest=b"")
    assert await outbox.hook(game_id, "h") == Hook(b"again", disabled=False, failures=0)


async def test_what_a_later_release_puts_out_is_left_alone(
    store: Store, behind: redis.Redis
) -> None:
    behind.zadd(outbox_key("00"), {"00" + "a" * 24 + ":h:e:1:more": 1, "x:h:e:1": 2})
    overdue = await store.outbox.overdue()
    assert (overdue.notices, overdue.next_ms) == ((), None)
    assert behind.zcard(outbox_key("00")) == 2


async def test_a_hook_is_set_once_a_request(store: Store) -> None:
    game_id, _ = await hooked(store)
    assert await store.outbox.set_hook(
        game_id, "h", b"", request_key=b"2", request_digest=b"removed"
    )
    assert await store.outbox.hook(game_id, "h") is None
    assert (
        await store.outbox.set_hook(
            game_id, "h", b"other", request_key=b"key", request_digest=b"other"
        )
        == b"digest"
    )
    assert await store.outbox.hook(game_id, "h") is None
    assert await store.outbox.set_hook(new_game_id(), "h", b"hook", **SOON) is None


async def test_hooks_go_with_their_game(store: Store, behind: redis.Redis) -> None:
    game_id, cursor = await hooked(store)
    assert behind.pttl(game_keys(game_id).hooks) > 0
    await committed(store, commit_of(game_id, cursor, notices=(Notice(game_id, "h", "e"),)))
    await store.delete(game_id, code=game_id)
    assert not behind.exists(game_keys(game_id).hooks)
    # What is in the outbox is taken out by whoever comes to deliver it.
    [waiting] = (await store.outbox.overdue()).notices
    await store.outbox.give_up(waiting, most=1)
    assert not behind.exists(outbox_key(game_id[:2]), game_keys(game_id).hooks)
