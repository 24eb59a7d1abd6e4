"""The store: all games of all processes in Redis or Valkey, changed by one script a commit.

It knows no rules, no messages and no clock of its own: ids and bytes go in, ids and bytes come out.
"""

from __future__ import annotations

from coltexpress_server.store.embedded import EmbeddedValkey
from coltexpress_server.store.errors import (
    CursorUnknown,
    DataFolderInUse,
    EmbeddedStoreError,
    GameDeleted,
    SlowWatcher,
    StoreDamaged,
    StoreError,
    StoreUnavailable,
    StoreUnfit,
    WatchClosed,
    WatchEnded,
)
from coltexpress_server.store.feed import Watcher
from coltexpress_server.store.keys import BUCKETS, bucket_number, game_id_from, is_game_id
from coltexpress_server.store.news import Listener
from coltexpress_server.store.outbox import Hook, Waiting
from coltexpress_server.store.records import (
    BEGINNING,
    Commit,
    Committed,
    Conflict,
    Cursor,
    Deleted,
    Due,
    Early,
    Entry,
    Exists,
    Exported,
    History,
    Imported,
    Late,
    Listed,
    Loaded,
    Missing,
    Notice,
    Page,
    Repeated,
    Stored,
    Taken,
)
from coltexpress_server.store.server import ServerInfo
from coltexpress_server.store.store import Store, new_mark
from coltexpress_server.store.url import place_of

__all__ = [
    "BEGINNING",
    "BUCKETS",
    "Commit",
    "Committed",
    "Conflict",
    "Cursor",
    "CursorUnknown",
    "DataFolderInUse",
    "Deleted",
    "Due",
    "Early",
    "EmbeddedStoreError",
    "EmbeddedValkey",
    "Entry",
    "Exists",
    "Exported",
    "GameDeleted",
    "History",
    "Hook",
    "Imported",
    "Late",
    "Listed",
    "Listener",
    "Loaded",
    "Missing",
    "Notice",
    "Page",
    "Repeated",
    "ServerInfo",
    "SlowWatcher",
    "Store",
    "StoreDamaged",
    "StoreError",
    "StoreUnavailable",
    "StoreUnfit",
    "Stored",
    "Taken",
    "Waiting",
    "WatchClosed",
    "WatchEnded",
    "Watcher",
    "bucket_number",
    "game_id_from",
    "is_game_id",
    "new_mark",
    "place_of",
]
