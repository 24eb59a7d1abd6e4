"""Whether a process should get calls: its store answers, and it is not going down."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from coltexpress_server.store import Store, StoreError

_INTERVAL_S: Final = 1.0

Tell = Callable[[bool], Awaitable[None]]


class Readiness:
    """Follows the store, once a second, however often it is asked for."""

    def __init__(self, store: Store) -> None:
        """store: that of the process; it must have answered."""
        self._store: Final = store
        self._answers = True
        self._leaving = False

    @property
    def ready(self) -> bool:
        """Whether the process should get calls."""
        return self._answers and not self._leaving

    async def follow(self, tell: Tell) -> None:
        """Look after the store until cancelled; tell: gets every change of its state."""
        while True:
            await asyncio.sleep(_INTERVAL_S)
            answers = await self._ask()
            if answers != self._answers:
                self._answers = answers
                if not self._leaving:
                    await tell(answers)

    def leave(self) -> None:
        """The process is going down."""
        self._leaving = True

    async def _ask(self) -> bool:
        try:
            await self._store.ping()
        except StoreError:
            return False
        return True
