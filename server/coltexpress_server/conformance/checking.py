"""Runs a client through situations, each at a table of its own, and says how it did."""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Any, Final

from coltexpress import Client as Service
from coltexpress import Game, Visibility
from coltexpress_server.conformance.command import Client
from coltexpress_server.conformance.interposer import Interposer
from coltexpress_server.conformance.proxy import Proxy
from coltexpress_server.conformance.situation import Situation
from coltexpress_server.conformance.table import OWN, SEATS, Table
from coltexpress_server.game.generator import SEED_BYTES
from coltexpress_server.server_process import ServerProcess, temporary_server

LIMIT_S: Final = 60.0
"""How long a situation takes at most, by default."""
LEAVING_S: Final = 10.0
"""How long a client may take to end after the game."""

_GAP_S: Final = 1.0  # for which a service that is restarted is not there
_LAST_WORDS: Final = 20  # lines


class Outcome(StrEnum):
    """How a client did.

    NOT_MET: it did well, without doing what the situation takes.
    """

    PASSED = "PASSED"
    NOT_MET = "NOT_MET"
    FAILED = "FAILED"


@dataclass(frozen=True)
class Verdict:
    """How a client did in one situation.

    fault: what it did wrong; empty unless it failed. said: its last lines on standard error.
    """

    situation: type[Situation]
    outcome: Outcome
    fault: str
    said: list[str]
    seconds: float


@dataclass(frozen=True)
class Checker:
    """A service of our own, and a place from which it is restarted."""

    _server: ServerProcess
    _admin_key: str
    _thread: ThreadPoolExecutor

    async def check(
        self, client: Client, situations: Iterable[type[Situation]], limit_s: float = LIMIT_S
    ) -> AsyncIterator[Verdict]:
        """How a client does in situations, one after the other.

        limit_s: how long each may take.
        """
        proxy = Proxy(self._server.address)
        async with proxy.serving(), Service(proxy.address, admin_key=self._admin_key) as service:
            for situation in situations:
                yield await self._check_one(client, situation, service, proxy, limit_s)

    async def _check_one(
        self,
        client: Client,
        kind: type[Situation],
        service: Service,
        proxy: Proxy,
        limit_s: float,
    ) -> Verdict:
        began = asyncio.get_running_loop().time()
        network = Interposer()

        async def restart() -> None:
            await self._restart(network, proxy)

        private, public = Visibility.VISIBILITY_PRIVATE, Visibility.VISIBILITY_PUBLIC
        host = await service.create(
            SEATS,
            seed=Random(kind.NAME).randbytes(SEED_BYTES),
            visibility=private if kind.PRIVATE else public,
        )
        for seat in set(range(SEATS)) - {OWN}:
            await host.add_bot("RANDOM", seat=seat)
        situation = kind(Table(service, host, network, restart))
        said: list[str] = []
        async with network.serving(proxy.address, situation, listening=kind.LISTENING):
            told = {
                "COLTEXPRESS_TARGET": network.grpc.address,
                "COLTEXPRESS_HTTP": f"http://{network.http.address}",
                "COLTEXPRESS_GAME": host.game,
                "COLTEXPRESS_JOIN_CODE": host.join_code if kind.PRIVATE else "",
                "COLTEXPRESS_SEAT": str(OWN) if kind.PRIVATE else "",
            }
            fault = await _watched(situation, client(told, said), limit_s)
        outcome = Outcome.PASSED if situation.met else Outcome.NOT_MET
        return Verdict(
            kind,
            Outcome.FAILED if fault else outcome,
            fault,
            said[-_LAST_WORDS:],
            asyncio.get_running_loop().time() - began,
        )

    async def _restart(self, network: Interposer, proxy: Proxy) -> None:
        # Not from a thread that ends before the server shall: it would take the server along.
        run = asyncio.get_running_loop().run_in_executor
        await run(self._thread, self._server.stop)
        network.refuse()
        await asyncio.sleep(_GAP_S)
        await run(self._thread, self._server.start)
        proxy.service = self._server.address
        await network.listen()


@contextmanager
def checker() -> Iterator[Checker]:
    """What checks clients, with a service that lasts as long as the block. Raises NotStarted."""
    key = secrets.token_hex()
    keys = json.dumps({"kit": hashlib.sha256(key.encode()).hexdigest()})
    with (
        ThreadPoolExecutor(max_workers=1) as thread,
        temporary_server("--admin-keys", keys) as server,
    ):
        yield Checker(server, key, thread)


async def _watched(situation: Situation, play: Coroutine[Any, Any, int], limit_s: float) -> str:
    """What a client does wrong, from its start to its end; empty for nothing."""
    playing = asyncio.create_task(play, name="the client")
    following = asyncio.create_task(_follow(situation.table), name="the game")
    acting = asyncio.create_task(situation.act(), name="the situation")
    tasks = {playing, following, acting}
    try:
        fault = await _fault(situation, playing, following, limit_s)
        if acting.done():
            acting.result()  # if it is we who have failed, that is to be known
        return fault
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def _fault(
    situation: Situation, playing: asyncio.Task[int], following: asyncio.Task[None], limit_s: float
) -> str:
    """What is wrong first: what the situation notices, that the client does not end, or how."""
    await _first(limit_s, playing, following, situation.fault)
    if situation.fault.done():
        return situation.fault.result()
    if not playing.done():
        if not following.done():
            return f"the game is not over after {limit_s:g} seconds"
        following.result()
        await _first(LEAVING_S, playing, situation.fault)
        if not playing.done():
            return f"it has not ended {LEAVING_S:g} seconds after the game"
    status = playing.result()
    if status:
        return f"it ended with status {status}" + (
            "" if following.done() else " before the game was over"
        )
    # We may still be waiting to watch on, after a restart.
    if not following.done() and not await situation.table.is_over():
        return "it ended, with status 0, before the game was over"
    situation.finish()
    return situation.fault.result() if situation.fault.done() else ""


async def _first(limit_s: float, *these: asyncio.Future[Any]) -> None:
    """Wait until one of them is done, or the time is up."""
    await asyncio.wait(these, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)


async def _follow(table: Table) -> None:
    """Begin the game when the client has sat down, and return when it is over."""
    begun = False
    async for step in table.host.watch():
        if isinstance(step, Game):
            there = step.seats[OWN].taken
        else:
            there = any(event.HasField("seat_taken") for event in step.events)
        if there and not begun:
            begun = True
            await table.host.start()
