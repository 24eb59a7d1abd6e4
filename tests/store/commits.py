"""Commits for tests: each argument has a default, each mark and game id is new."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from coltexpress_server.store import (
    BEGINNING,
    Commit,
    Committed,
    Cursor,
    Store,
    game_id_from,
    new_mark,
)

DAY_MS = 86_400_000

Stores = Callable[..., Store]
"""Makes a store from a URL and settings; the fixture `stores` closes them in the end."""


def new_game_id(bucket: int | None = None) -> str:
    """Make a random game id, in a given bucket or in any."""
    first = secrets.token_bytes(1) if bucket is None else bytes([bucket])
    return game_id_from(first + secrets.token_bytes(15))


def commit_of(game_id: str, expected: Cursor = BEGINNING, **fields: Any) -> Commit:
    """Make a commit that follows `expected`, with content that names the version it makes."""
    version = expected.version + 1
    content: dict[str, Any] = {
        "mark": new_mark(),
        "state": b"state %d" % version,
        "summary": b"summary %d" % version,
        "payload": b"payload %d" % version,
        "ttl_ms": DAY_MS,
        "code": game_id,
        "filed": ("listed",),
    }
    return Commit(game_id=game_id, expected=expected, **(content | fields))


async def committed(store: Store, commit: Commit) -> Cursor:
    """Commit, insist on success, and return where the game then is."""
    outcome = await store.commit(commit)
    assert isinstance(outcome, Committed)
    return outcome.cursor


async def make_game(store: Store, versions: int = 1, **fields: Any) -> tuple[str, Cursor]:
    """Make a game with a history of some length; return its id and where it is."""
    game_id, cursor = new_game_id(), BEGINNING
    for _ in range(versions):
        cursor = await committed(store, commit_of(game_id, cursor, **fields))
    return game_id, cursor
