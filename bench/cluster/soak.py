"""Many games, one after the other: does anything grow that should not?"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

from redis.asyncio import Redis

from bench.processes import memory_bytes, open_sockets
from coltexpress import Client
from coltexpress_server.store import EmbeddedValkey
from tests.deploy.crowd import Audit, Crowd
from tests.deploy.fleet import Fleet

REPLICAS: Final = 2
_TABLES: Final = 24
_KEPT_S: Final = 60
"""How long a finished game is kept, so that in the end as many go as come."""
_CACHED: Final = 100
"""How many games a process keeps at hand, so that this too is soon full."""
_ROUNDS: Final = 10


@dataclass(frozen=True)
class Sample:
    """How things stand after so many games; sizes in MB.

    replica_mb, replica_sockets: of the first replica.
    envoy_mb: of Envoy.
    store_mb, store_keys, store_connections: of the store, its data alone.
    """

    games: int
    seconds: float
    replica_mb: float
    replica_sockets: int
    envoy_mb: float
    store_mb: float
    store_keys: int
    store_connections: int


@dataclass(frozen=True)
class Soak:
    """How things stood at the beginning, after each tenth of the games, and when all were gone."""

    samples: list[Sample]
    audit: Audit


async def measure(games: int, folder: Path) -> Soak:
    """Have so many games played, on a store in an empty folder."""
    async with (
        EmbeddedValkey(folder / "store", appendfsync="everysec") as valkey,
        Fleet(
            valkey.url,
            REPLICAS,
            folder,
            *("--finished-ttl-s", str(_KEPT_S), "--sweep-interval-s", "1"),
            *("--games-cached", str(_CACHED)),
        ) as fleet,
        Client(fleet.address) as client,
        Redis.from_url(valkey.url) as redis,
    ):
        began, found = perf_counter(), Audit()

        async def sample() -> Sample:
            return await _sample(found.games, perf_counter() - began, fleet, redis)

        samples = [await sample()]
        for number in range(_ROUNDS):
            crowd = Crowd(client, _TABLES, seed=number)
            await _play(crowd, games // _ROUNDS)
            await found.add(client, crowd.accounts)
            samples.append(await sample())
        # What is left then belongs to no game.
        while await _games(redis):  # noqa: ASYNC110 (nobody tells of a game that is forgotten)
            await asyncio.sleep(1)
        samples.append(await sample())
    return Soak(samples, found)


async def _play(crowd: Crowd, games: int) -> None:
    """Play at least so many games."""
    async with crowd.playing():
        while len(crowd.accounts) < games:
            await crowd.moves(1)


async def _sample(games: int, seconds: float, fleet: Fleet, redis: Redis) -> Sample:
    replica = fleet.replicas[0].process.pid
    memory, clients = await redis.info("memory"), await redis.info("clients")
    return Sample(
        games,
        round(seconds),
        _mb(memory_bytes(replica)),
        open_sockets(replica),
        _mb(memory_bytes(fleet.envoy.pid)),
        _mb(int(memory["used_memory_dataset"])),
        await redis.dbsize(),
        int(clients["connected_clients"]),
    )


async def _games(redis: Redis) -> int:
    """How many games are stored."""
    return sum([b":game:" in key async for key in redis.scan_iter(count=1000)])


def _mb(size: int) -> float:
    return round(size / 1e6, 1)
