"""Watching games: one feed for each watched game, shared by all its watchers in this process.

The stream in the store is the truth. A feed reads what is new there when it is woken: by a message,
which is a hint and may be lost, or by a look at all watched games every few seconds. It keeps the
latest entries; a watcher is no more than a place among them, and reads from the store by itself
until it has caught up with the feed. A game that nobody watches takes up nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextvars import Context
from functools import partial
from typing import Final, Self

from coltexpress_server.store.errors import (
    CursorUnknown,
    GameDeleted,
    SlowWatcher,
    StoreError,
    StoreUnavailable,
    WatchClosed,
)
from coltexpress_server.store.keys import game_keys, wake_channel
from coltexpress_server.store.link import Link
from coltexpress_server.store.records import Cursor, Entry, History, Missing
from coltexpress_server.store.wakeups import Wakeups

Read = Callable[[str, int], Awaitable[History | Missing]]
"""Reads the history of the game with this id, after this version."""

_POLLED_AT_ONCE: Final = 500


class Watcher:
    """An asynchronous iterator over a game's entries after a cursor, each once and in order.

    Waiting for the next entry can be cancelled, by a timeout for one, and taken up again; nothing
    is lost by that. The iteration ends by an exception only:

    - CursorUnknown: the game's history does not contain the cursor, or no longer does;
    - SlowWatcher: more entries than are kept have come since the watcher last asked for one;
    - GameDeleted: the game is no more (what came before has been yielded);
    - WatchClosed: this process stops watching;
    - another StoreError: reading failed; after StoreUnavailable, asking again is allowed.
    """

    def __init__(self, feed: Feed, after: Cursor) -> None:
        """Made by Store.watch."""
        self.cursor = after
        """The point after the entry yielded last: where to resume."""
        self.ended: Final = asyncio.Event()
        """Set when no more entries will come, for one who is busy passing on an earlier one."""
        self._feed: Final = feed
        self._page: Final[deque[Entry]] = deque()
        self._caught_up = False
        self._news: Final = asyncio.Event()
        self._error: Callable[[], Exception] | None = None

    def __aiter__(self) -> Self:
        """Return the watcher itself."""
        return self

    async def __anext__(self) -> Entry:
        """Return the next entry, waiting for it if need be."""
        while True:
            entry = self._page.popleft() if self._page else self._feed.after(self.cursor.version)
            if self._error is not None and (entry is None or self._error is not _game_deleted):
                raise self._error()
            if entry is not None:
                if entry.before != self.cursor:
                    raise _cursor_unknown()
                self.cursor = entry.cursor
                return entry
            if self._caught_up or self.cursor == self._feed.tail:
                self._caught_up = True
                self._news.clear()
                await self._news.wait()
            else:
                await self._turn_page()

    def notify(self) -> None:
        """Learn that the feed has changed."""
        place = self._page[-1].version if self._page else self.cursor.version
        if self._caught_up and not self._feed.reaches_back_to(place):
            self.end(_slow_watcher)
        self._news.set()

    def end(self, error: Callable[[], Exception]) -> None:
        """Learn that no more entries will come."""
        if self._error is None:
            self._error = error
        self.ended.set()
        self._news.set()

    async def _turn_page(self) -> None:
        """Read on from the store, where the feed does not reach back to the cursor."""
        try:
            history = await self._feed.read(self.cursor)
        except StoreError:
            if self._error is not None:
                raise self._error() from None
            raise
        self._page.extend(history.entries)
        if history.is_complete:
            self._feed.begin(history.cursor)
            self._caught_up = self._feed.reaches_back_to(history.cursor.version)


class Feed:
    """The latest entries of one game, kept up to date while it has watchers."""

    def __init__(self, game_id: str, read: Read, *, buffer: int) -> None:
        """Made by Feeds; keeps the latest `buffer` entries."""
        self.game_id: Final = game_id
        self.watchers: Final[set[Watcher]] = set()
        self.ended = False
        self._read: Final = read
        self._buffer: Final = buffer
        self._start: Cursor | None = None  # the point before the oldest entry kept
        self._kept: Final[deque[Entry]] = deque()
        self._stale = False
        self._task: asyncio.Task[None] | None = None

    @property
    def tail(self) -> Cursor | None:
        """The point up to which the feed knows the game; None until a watcher has found it."""
        return self._kept[-1].cursor if self._kept else self._start

    def begin(self, cursor: Cursor) -> None:
        """Start at a point that was just read as the game's latest, unless already started."""
        if self._start is None:
            self._start = cursor
            if self._stale:
                self.wake()

    def reaches_back_to(self, version: int) -> bool:
        """Say whether all entries after a version are kept, or yet to come."""
        return self._start is not None and self._start.version <= version

    def after(self, version: int) -> Entry | None:
        """Return the kept entry that follows a version, if there is one."""
        if self._start is None or not 0 <= version - self._start.version < len(self._kept):
            return None
        return self._kept[version - self._start.version]

    async def read(self, cursor: Cursor) -> History:
        """Read what follows a point in the game's history, of which it must be a part."""
        history = await self._read(self.game_id, cursor.version)
        if isinstance(history, Missing):
            raise _game_deleted()
        if history.start != cursor:
            raise _cursor_unknown()
        return history

    def wake(self) -> None:
        """Look for new entries."""
        self._stale = True
        if self._task is None and self._start is not None and not self.ended:
            self._task = asyncio.create_task(
                # It works for all watchers, not for the one whose call happens to begin it.
                self._pull(),
                name="store feed",
                context=Context(),
            )

    def end(self, error: Callable[[], Exception]) -> None:
        """End all watchers; whoever comes later needs a new feed."""
        self.ended = True
        for watcher in self.watchers:
            watcher.end(error)

    def close(self) -> None:
        """Stop reading."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _pull(self) -> None:
        try:
            while self._stale and (tail := self.tail) is not None:
                self._stale = False
                history = await self.read(tail)
                self._keep(history.entries)
                self._stale |= not history.is_complete
        except StoreUnavailable:
            self._stale = True  # The next look at all watched games wakes this feed again.
        except GameDeleted:
            self.end(_game_deleted)
        except CursorUnknown:
            self.end(_cursor_unknown)
        except StoreError as failure:
            self.end(partial(type(failure), str(failure)))
        finally:
            self._task = None

    def _keep(self, entries: Sequence[Entry]) -> None:
        self._kept.extend(entries)
        while len(self._kept) > self._buffer:
            self._start = self._kept.popleft().cursor
        if entries:
            for watcher in self.watchers:
                watcher.notify()


class Feeds:
    """The feeds of this process."""

    def __init__(
        self, link: Link, wakeups: Wakeups, read: Read, *, poll_interval: float, buffer: int
    ) -> None:
        """`buffer` is how many entries of a game are kept for its watchers."""
        self._link: Final = link
        self._wakeups: Final = wakeups
        self._read: Final = read
        self._poll_interval: Final = poll_interval
        self._buffer: Final = buffer
        self._feeds: Final[dict[str, Feed]] = {}  # by channel
        self._poller: asyncio.Task[None] | None = None
        self._ended = False

    @contextlib.contextmanager
    def watch(self, game_id: str, after: Cursor) -> Iterator[Watcher]:
        """Watch a game; raises ValueError where `game_id` is none."""
        channel = wake_channel(game_id)
        feed = self._feeds.get(channel)
        if feed is None or feed.ended:
            feed = self._open(channel, game_id)
        watcher = Watcher(feed, after)
        feed.watchers.add(watcher)
        if self._ended:
            watcher.end(_watch_closed)
        try:
            yield watcher
        finally:
            feed.watchers.discard(watcher)
            if not feed.watchers:
                self._close(channel, feed)

    def end(self) -> None:
        """End all watchers, and every later one."""
        self._ended = True
        for feed in self._feeds.values():
            feed.end(_watch_closed)

    async def close(self) -> None:
        """End all watchers and stop all work."""
        self.end()
        for feed in self._feeds.values():
            feed.close()
        if self._poller is not None:
            self._poller.cancel()
            await asyncio.wait([self._poller])

    def _open(self, channel: str, game_id: str) -> Feed:
        feed = self._feeds[channel] = Feed(game_id, self._read, buffer=self._buffer)
        if not self._ended:
            self._wakeups.add(channel, partial(self._on_message, channel))
            if self._poller is None:
                self._poller = asyncio.create_task(
                    self._poll(), name="store poll", context=Context()
                )
        return feed

    def _close(self, channel: str, feed: Feed) -> None:
        feed.close()
        if self._feeds.get(channel) is feed:
            del self._feeds[channel]
            self._wakeups.discard(channel)

    def _on_message(self, channel: str, data: bytes) -> None:
        feed = self._feeds.get(channel)
        if feed is not None and (feed.tail is None or data != _announcement(feed.tail)):
            feed.wake()

    async def _poll(self) -> None:
        """Look at all watched games every now and then, for what no message told."""
        while self._feeds:
            await asyncio.sleep(self._poll_interval)
            feeds = iter(list(self._feeds.values()))
            with contextlib.suppress(StoreError):
                while some := list(itertools.islice(feeds, _POLLED_AT_ONCE)):
                    places = await self._link.batch(
                        [
                            ("HMGET", game_keys(feed.game_id).game, "version", "mark")
                            for feed in some
                        ]
                    )
                    for feed, (version, mark) in zip(some, places, strict=True):
                        if feed.tail is not None and (
                            version is None or feed.tail != Cursor(int(version), mark.decode())
                        ):
                            feed.wake()
        self._poller = None


def _announcement(cursor: Cursor) -> bytes:
    """What a commit's message says: where the game then is."""
    return f"{cursor.version}-{cursor.mark}".encode()


def _cursor_unknown() -> CursorUnknown:
    return CursorUnknown("the game's history does not contain this cursor")


def _game_deleted() -> GameDeleted:
    return GameDeleted("the game no longer exists")


def _slow_watcher() -> SlowWatcher:
    return SlowWatcher("the watcher fell too far behind")


def _watch_closed() -> WatchClosed:
    return WatchClosed("this process stops watching")
