"""What a move costs where many games are stored."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from hashlib import sha256
from itertools import count, islice
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

import msgspec
from redis.asyncio import Redis

from bench.cluster.load import Load
from bench.cluster.replicas import load_of
from coltexpress import Client
from coltexpress_server.service.filing import filing, status_word
from coltexpress_server.service.keys import Keys
from coltexpress_server.service.records import decode_record
from coltexpress_server.store import EmbeddedValkey, Exported, Imported, Store
from coltexpress_server.store.keys import game_id_from
from tests.deploy.crowd import Crowd
from tests.deploy.fleet import Fleet

REPLICAS: Final = 2
_SAMPLES: Final = 24
"""Games that are really played; the others are their copies."""
_AT_ONCE: Final = 64
"""Copies that are written at the same time."""
_WEEK_MS: Final = 7 * 24 * 3600 * 1000
_PAGES: Final = 20
"""Pages of games that are read to see how long one takes."""


@dataclass(frozen=True)
class Stored:
    """Moves beside so many stored games, half of them in play, half of them over.

    memory_bytes: of the store, in all.
    page_ms: a page of ListGames, 50 games.
    idle_commands_per_second: that the fleet sends to the store when nobody plays.
    """

    games: int
    memory_bytes: int
    load: Load
    page_ms: float
    idle_commands_per_second: float


class _Site(NamedTuple):
    """What is measured, and with what."""

    fleet: Fleet
    store_pid: int
    client: Client
    redis: Redis


async def measure(sizes: Iterable[int], seconds: float, folder: Path) -> list[Stored]:
    """Fill a store in an empty folder step by step, and measure for so long at each."""
    found = []
    async with (
        EmbeddedValkey(folder / "store", appendfsync="everysec") as valkey,
        Fleet(valkey.url, REPLICAS, folder) as fleet,
        Client(fleet.address) as client,
        Redis.from_url(valkey.url) as redis,
    ):
        site = _Site(fleet, valkey.pid, client, redis)
        store = Store(valkey.url)
        try:
            copies, stored = _copies(await _samples(client, store)), 0
            for size in sorted(sizes):
                await _put(store, list(islice(copies, size - stored)))
                stored = size
                await _settled(redis)
                found.append(await _measure_at(size, seconds, site))
        finally:
            await store.close()
    return found


async def _measure_at(size: int, seconds: float, site: _Site) -> Stored:
    redis = site.redis
    commands = await _commands(redis)
    await asyncio.sleep(seconds)
    idle = await _commands(redis) - commands - 1  # but for the one that asks
    load = await load_of(site.fleet, site.store_pid, site.client, seconds)
    began = perf_counter()
    for _ in range(_PAGES):
        # A page is 50 games; only the first one is read.
        async with aclosing(site.client.games()) as games:
            await anext(games)
    page_s = (perf_counter() - began) / _PAGES
    memory = await redis.info("memory")
    return Stored(
        size, int(memory["used_memory"]), load, round(page_s * 1e3, 1), round(idle / seconds, 1)
    )


async def _samples(client: Client, store: Store) -> list[Exported]:
    """Games in play, and as many that are over."""
    crowd = Crowd(client, _SAMPLES)
    playing = asyncio.create_task(crowd.play())
    await crowd.moves(_SAMPLES * 15)
    in_play = await _exported(crowd, store)
    await playing
    return in_play + await _exported(crowd, store)


async def _exported(crowd: Crowd, store: Store) -> list[Exported]:
    found = []
    for account in crowd.accounts:
        exported = await store.export(account.game.removeprefix("games/"))
        if not isinstance(exported, Exported):
            raise TypeError("a game that is played is not stored")
        found.append(exported)
    return found


def _copies(samples: list[Exported]) -> Iterator[tuple[str, Exported]]:
    """Ever more games like these, each with an id of its own and older than the one before."""
    for number in count(1):
        sample = samples[number % len(samples)]
        created = sample.stored.created_ms - number
        fields = sample.fields | {"created": b"%014d" % created}
        digest = sha256(f"copy {number}".encode()).digest()
        yield game_id_from(digest), msgspec.structs.replace(sample, fields=fields)


async def _put(store: Store, copies: list[tuple[str, Exported]]) -> None:
    gate = asyncio.Semaphore(_AT_ONCE)
    keys = Keys(bytes(32))  # the games have no owners, so that none is needed

    async def put(game_id: str, game: Exported) -> None:
        async with gate:
            stored = game.stored
            filed = filing(decode_record(stored.state), keys).words
            if await store.put(game_id, game, code=game_id, filed=filed) != Imported():
                raise RuntimeError("a copy of a game cannot be stored")
            # As those that were played: nobody has to look after them today.
            due = stored.created_ms + _WEEK_MS if status_word("RUNNING") in filed else None
            await store.postpone(game_id, stored.created_ms, stored.cursor, due)

    await asyncio.gather(*(put(*each) for each in copies))


async def _settled(redis: Redis) -> None:
    """Wait until the store does nothing beside."""
    while (await redis.info("persistence"))["aof_rewrite_in_progress"]:  # noqa: ASYNC110
        await asyncio.sleep(0.1)


async def _commands(redis: Redis) -> int:
    """How many commands the store has carried out."""
    return int((await redis.info("stats"))["total_commands_processed"])
