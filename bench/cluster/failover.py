"""The store's primary is killed while a crowd plays, and sentinels promote a replica."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.cluster.upheaval import REPLICAS, Stretch, stretch
from coltexpress import Client
from tests.deploy.crowd import Audit, Crowd
from tests.deploy.fleet import Fleet
from tests.store.behind import until
from tests.store.fleet import Watched, watched

_NAME: Final = "games"
_OPTIONS: Final = (
    *("appendonly yes", "appendfsync everysec", "maxmemory-policy noeviction"),
    # A primary that is cut off must not take moves that are lost later (docs/RUNBOOK.md).
    *("min-replicas-to-write 1", "min-replicas-max-lag 10"),
)
_DOWN_AFTER_MS: Final = 2000
"""Under load a server is silent for some tenths of a second: with less, sentinels go on failing
over from one to the other, and each time what is not yet replicated is lost."""


@dataclass(frozen=True)
class Failover:
    """What came of it: the stretch in which it happened, and what players were told."""

    stretch: Stretch
    audit: Audit


async def measure(games: int, think_s: float, folder: Path) -> Failover:
    """Have so many games played at once, and kill the primary of three servers meanwhile."""
    async with watched(
        folder, _NAME, servers=3, sentinels=3, options=_OPTIONS, down_after_ms=_DOWN_AFTER_MS
    ) as store:
        places = ",".join(f"127.0.0.1:{each.port}" for each in store.sentinels)
        url = f"redis+sentinel://{places}/{_NAME}"
        async with (
            Fleet(url, REPLICAS, folder) as fleet,
            Client(fleet.address) as client,
        ):
            crowd = Crowd(client, games, think_s=think_s)
            async with crowd.playing():
                await crowd.moves(2 * games)
                what = "the store's primary killed"
                happened = await stretch(what, crowd, lambda: _fail_over(store), 2 * games)
            found = Audit()
            await found.add(client, crowd.accounts)
    return Failover(happened, found)


async def _fail_over(store: Watched) -> None:
    """Kill the primary, and wait until another one is promoted."""
    primary = store.primary
    if primary is None:
        raise RuntimeError("there is no primary to be killed")
    await asyncio.to_thread(primary.close)
    await until(lambda: store.primary is not None)
