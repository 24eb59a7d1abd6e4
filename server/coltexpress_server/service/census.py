"""How many games there are, for metrics."""

from __future__ import annotations

import time
from typing import Final

from coltexpress_server.service.filing import status_word
from coltexpress_server.service.games import Games
from coltexpress_server.service.records import FINISHED, LOBBY, RUNNING
from coltexpress_server.store import StoreError

_STATUSES: Final = (LOBBY, RUNNING, FINISHED)


class Census:
    """Counts the games of each status, at most every so many seconds."""

    def __init__(self, games: Games, *, max_age_s: float) -> None:
        """max_age_s: how old a count may become before it is made anew."""
        self._games: Final = games
        self._max_age_s: Final = max_age_s
        self._taken_at = -float("inf")

    async def take(self) -> None:
        """Have the metrics tell how many games of each status there are; nothing if unknown."""
        if time.monotonic() - self._taken_at < self._max_age_s:
            return
        self._taken_at = time.monotonic()
        try:
            counts = await self._games.store.count_filed([status_word(each) for each in _STATUSES])
        except StoreError:
            # Counted among the store's errors; the page as a whole is to be had even then.
            counts = []
        self._games.metrics.games_counted(dict(zip(_STATUSES, counts, strict=False)))
