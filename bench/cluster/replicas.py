"""How much one, two and three replicas do, and at what cost."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.cluster.load import Load, Meter
from coltexpress import Client
from coltexpress_server.store import EmbeddedValkey
from tests.deploy.crowd import Crowd
from tests.deploy.fleet import Fleet

TABLES: Final = 24
"""At which the crowd plays, without thinking."""
_WARM_UP: Final = 20
"""Moves a table before anything is measured."""


@dataclass(frozen=True)
class Sized:
    """What a fleet of so many replicas does."""

    replicas: int
    load: Load


async def measure(replicas: int, seconds: float, folder: Path) -> Sized:
    """Let a crowd play on so many replicas for so long; on a store in an empty folder."""
    async with (
        EmbeddedValkey(folder / "store") as valkey,
        Fleet(valkey.url, replicas, folder) as fleet,
        Client(fleet.address) as client,
    ):
        return Sized(replicas, await load_of(fleet, valkey.pid, client, seconds))


async def load_of(fleet: Fleet, store_pid: int, client: Client, seconds: float) -> Load:
    """Let a crowd play on a fleet for so long."""
    crowd = Crowd(client, TABLES)
    async with crowd.playing():
        await crowd.moves(_WARM_UP * TABLES)
        meter = Meter(fleet, store_pid, crowd)
        await asyncio.sleep(seconds)
        return meter.read()
