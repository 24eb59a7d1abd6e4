"""What a replica does for games that nobody asks about."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from coltexpress_server.service.games import Games
from coltexpress_server.store import StoreError

_AT_ONCE: Final = 1000


async def sweep(games: Games) -> None:
    """Attends for ever to games that fall due, every `sweep_interval_s` seconds.

    As yet that is forgetting those that have expired, wherever lists and indexes still name them.
    Any number of replicas may do so at once.
    """
    while True:
        # Calls meet the same errors, and tell them.
        with contextlib.suppress(StoreError):
            await games.store.due_games(_AT_ONCE)
        await asyncio.sleep(games.settings.sweep_interval_s)
