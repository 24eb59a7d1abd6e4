"""What can go wrong between the service and its store.

No message here ever carries a URL with a password, a request key, or stored bytes.
"""

from __future__ import annotations


class StoreError(Exception):
    """Any failure of the store; the subclasses say whether trying again can help."""


class StoreUnavailable(StoreError):
    """The store did not answer, or refused to work for now: try again later.

    A commit that ended so may or may not have been applied. Sending the same commit again, or
    another one with the same request key, finds out and never applies it twice.
    """


class StoreUnfit(StoreError):
    """The server behind the URL cannot serve as the store as it is set up: trying again is vain."""


class StoreDamaged(StoreError):
    """A key of the store holds something that this program has not written."""


class EmbeddedStoreError(StoreError):
    """The embedded Valkey server could not be started or kept running."""


class DataFolderInUse(EmbeddedStoreError):
    """Another process serves the same data folder."""


class WatchEnded(Exception):
    """A watcher yields no more entries; the subclasses say why."""


class CursorUnknown(WatchEnded):
    """The game's history does not contain the cursor (never did, or was rewritten by a failover).

    What to do: read the game again and watch from there.
    """


class SlowWatcher(WatchEnded):
    """The watcher fell too far behind; it may watch again from its cursor."""


class GameDeleted(WatchEnded):
    """The game no longer exists: it was deleted or has expired."""


class WatchClosed(WatchEnded):
    """This process stops watching; another one can go on from the watcher's cursor."""
