"""Listening for changes of the games filed under a word."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from functools import partial
from typing import Final

from coltexpress_server.store.errors import WatchClosed
from coltexpress_server.store.keys import news_channel
from coltexpress_server.store.wakeups import Wakeups


class Listener:
    """Gathers which games may have changed until somebody asks.

    What it says is a hint: now and then it says that any game may have changed, the first thing it
    says included, and then one has to look at all.
    """

    def __init__(self) -> None:
        """Made by News.listen."""
        self.standing: Final = asyncio.Event()
        """Set when messages begin to come; what has changed before may not have been told."""
        self._changed: set[str] = set()
        self._any = True
        self._news: Final = asyncio.Event()
        self._news.set()
        self._closed = False

    async def changed(self) -> set[str] | None:
        """Return the ids of the games that changed since last asked, waiting for one if need be.

        None stands for any game. Waiting may be cancelled and taken up again; nothing is lost.
        Raises WatchClosed when this process stops watching.
        """
        await self._news.wait()
        if self._closed:
            raise WatchClosed("this process stops watching")
        changed, some = self._changed, not self._any
        self._changed, self._any = set(), False
        self._news.clear()
        return changed if some else None

    def hear(self, data: bytes) -> None:
        """Take a message: a game's id, or nothing where messages may have been lost."""
        if data:
            self._changed.add(data.decode())
        else:
            self._any = True
            self.standing.set()
        self._news.set()

    def close(self) -> None:
        """Stop listening."""
        self._closed = True
        self.standing.set()
        self._news.set()


class News:
    """The listeners of this process."""

    def __init__(self, wakeups: Wakeups) -> None:
        """`wakeups` brings the messages."""
        self._wakeups: Final = wakeups
        self._listeners: Final[dict[str, set[Listener]]] = defaultdict(set)
        self._ended = False

    def listen(self, word: str) -> Listener:
        """Begin to listen."""
        listener = Listener()
        if self._ended:
            listener.close()
        elif word not in self._listeners:
            self._wakeups.add(news_channel(word), partial(self._on_message, word))
        self._listeners[word].add(listener)
        return listener

    def leave(self, word: str, listener: Listener) -> None:
        """Listen no longer."""
        self._listeners[word].discard(listener)
        if not self._listeners[word]:
            del self._listeners[word]
            self._wakeups.discard(news_channel(word))

    def end(self) -> None:
        """Close all listeners, and every later one."""
        self._ended = True
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.close()

    def _on_message(self, word: str, data: bytes) -> None:
        for listener in self._listeners[word]:
            listener.hear(data)
