"""Replicas are drained, killed and replaced while a crowd plays."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final

from bench.cluster.load import centiles_ms
from coltexpress import Client
from coltexpress_server.store import EmbeddedValkey
from tests.deploy.crowd import Audit, Crowd
from tests.deploy.fleet import Fleet

REPLICAS: Final = 3
_QUIET_S: Final = 5.0
"""How long nothing happens at first, to compare with."""


@dataclass(frozen=True)
class Stretch:
    """What happened to players while something happened to the fleet, and shortly after.

    what: in words.
    took_s: how long it took itself.
    moves, moves_per_second: answered meanwhile and until it had calmed down.
    p50_ms, p99_ms, slowest_ms: from sending a move to having its answer, repeated calls included.
    """

    what: str
    took_s: float
    moves: int
    moves_per_second: float
    p50_ms: float
    p99_ms: float
    slowest_ms: float


@dataclass(frozen=True)
class Upheaval:
    """What came of it.

    stretches: one for each upheaval.
    audit: what players were told, beside what the service has kept.
    repeated: calls that Envoy has sent to another replica.
    """

    stretches: list[Stretch]
    audit: Audit
    repeated: int


async def measure(games: int, think_s: float, folder: Path) -> Upheaval:
    """Have so many games played at once until all is over; on a store in an empty folder.

    think_s: how long each bot thinks, on average.
    """
    async with (
        EmbeddedValkey(folder / "store") as valkey,
        Fleet(valkey.url, REPLICAS, folder) as fleet,
        Client(fleet.address) as client,
    ):
        crowd = Crowd(client, games, think_s=think_s)
        async with crowd.playing():
            await crowd.moves(2 * games)
            stretches = [await stretch(what, crowd, act, games) for what, act in _upheavals(fleet)]
        found = Audit()
        await found.add(client, crowd.accounts)
        repeated = fleet.envoy.counter("cluster.grpc.upstream_rq_retry")
    return Upheaval(stretches, found, repeated)


async def stretch(
    what: str, crowd: Crowd, act: Callable[[], Awaitable[None]], calm: int
) -> Stretch:
    """Do something to the fleet and see how the crowd fares, until so many more moves are made."""
    before, began = len(crowd.answers), perf_counter()
    await act()
    took = perf_counter() - began
    await crowd.moves(calm)
    seconds = perf_counter() - began
    answers = crowd.answers[before:]
    return Stretch(
        what,
        round(took, 1),
        len(answers),
        round(len(answers) / seconds, 1),
        *centiles_ms(answers),
    )


def _upheavals(fleet: Fleet) -> list[tuple[str, Callable[[], Awaitable[None]]]]:
    async def roll() -> None:
        for number in range(REPLICAS):
            await fleet.replace(number)

    numbers = range(REPLICAS)
    return [
        ("nothing", partial(asyncio.sleep, _QUIET_S)),
        *((f"replica {n + 1} drained, then replaced", partial(fleet.drain, n)) for n in numbers),
        *((f"replica {n + 1} killed, and started", partial(fleet.kill, n)) for n in numbers),
        ("all replaced, one after the other", roll),
    ]
