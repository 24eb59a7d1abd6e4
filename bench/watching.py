"""Watchers: one server process, one or many games, and many who watch them.

A move is made when everybody has seen the one before. The watchers are on the same machine and in
one process, whose own work is part of what a commit takes to reach them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Final

from redis.asyncio import Redis

from bench.processes import cpu_seconds
from bench.scripts import Script, Table, begin, script
from coltexpress import Client
from coltexpress_server.server_process import ServerProcess
from coltexpress_server.store import EmbeddedValkey

WATCHED: Final = ((0, 1), (1, 1), (10, 1), (100, 1), (100, 100))
"""Watchers in all, and games they are spread over."""
IDLE: Final = (1_000, 100)
"""Likewise, for games in which nothing happens."""
IDLE_S: Final = 10.0
"""How long to look at those: twice as long as a process goes without looking at its games."""


@dataclass(frozen=True)
class Watched:
    """Moves in games that are watched, one move at a time.

    cpu_ms_per_commit: of the server process: taking the move, committing it, telling everybody; 0
        where the system does not say.
    answer_p50_ms: from sending a move to having its answer.
    p50_ms, p99_ms: from sending a move to a watcher's having its commit, over all watchers; 0 where
        there is none.
    """

    watchers: int
    games: int
    commits: int
    cpu_ms_per_commit: float
    answer_p50_ms: float
    p50_ms: float
    p99_ms: float


@dataclass(frozen=True)
class Idle:
    """Watchers of games in which nothing happens.

    cpu_percent: of one core, taken by the server process; 0 where the system does not say.
    commands_per_second: that the store carries out.
    """

    watchers: int
    games: int
    cpu_percent: float
    commands_per_second: float


@dataclass(frozen=True)
class Watching:
    """What watchers cost."""

    watched: list[Watched]
    idle: Idle


async def measure(seconds: float, folder: Path) -> Watching:
    """Measure for about so many seconds, and IDLE_S, on a store in an empty folder."""
    part = seconds / len(WATCHED)
    async with EmbeddedValkey(folder) as valkey:
        server = ServerProcess(
            *("--redis", valkey.url, "--service-key-file", str(folder / "service.key")),
            *("--allow-fixed-seed", "--log-level", "warning", "--drain-s", "0"),
            *("--games-per-minute", "0"),
            log=folder / "server.log",
        )
        with server:
            async with Client(server.address) as client, Redis.from_url(valkey.url) as redis:
                await _watched(client, server, 1, 1, part / 2)  # warms up
                watched = [
                    await _watched(client, server, watchers, games, part)
                    for watchers, games in WATCHED
                ]
                idle = await _idle(client, server, redis)
    return Watching(watched, idle)


async def _watched(
    client: Client, server: ServerProcess, watchers: int, games: int, seconds: float
) -> Watched:
    """Make moves in so many games in turn, for about so many seconds or until they are over."""
    scripts = [script(number) for number in range(games)]
    tables = [await begin(client, each) for each in scripts]
    answers: list[float] = []
    reached: list[float] = []
    async with _watch(client, tables, watchers) as audience:
        cpu, start = cpu_seconds(server.pid), perf_counter()
        for game, seat, option_id in _in_turn(scripts):
            sent = perf_counter()
            if sent - start > seconds:
                break
            commit = await tables[game].move(seat, option_id)
            answers.append(perf_counter() - sent)
            reached += [
                await watcher.saw(commit.version) - sent for watcher in audience[game::games]
            ]
        cpu = cpu_seconds(server.pid) - cpu
    p50_ms, p99_ms = _centiles(reached)
    return Watched(
        watchers=watchers,
        games=games,
        commits=len(answers),
        cpu_ms_per_commit=round(cpu * 1e3 / len(answers), 2),
        answer_p50_ms=_centiles(answers)[0],
        p50_ms=p50_ms,
        p99_ms=p99_ms,
    )


async def _idle(client: Client, server: ServerProcess, redis: Redis) -> Idle:
    watchers, games = IDLE
    tables = [await begin(client, script(number)) for number in range(games)]
    async with _watch(client, tables, watchers):
        cpu, commands = cpu_seconds(server.pid), await _commands(redis)
        await asyncio.sleep(IDLE_S)
        cpu, commands = cpu_seconds(server.pid) - cpu, await _commands(redis) - commands
    return Idle(
        watchers=watchers,
        games=games,
        cpu_percent=round(100 * cpu / IDLE_S, 1),
        commands_per_second=round((commands - 1) / IDLE_S, 1),  # but for the one that asks
    )


class _Watcher:
    """A spectator, who knows when he saw what."""

    def __init__(self, client: Client, game: str) -> None:
        self._seen_at: Final[dict[int, float]] = {}
        self._news: Final = asyncio.Event()
        self.task: Final = asyncio.create_task(self._follow(client, game))

    async def saw(self, version: int) -> float:
        """When a version was seen; waits for it."""
        while version not in self._seen_at:
            self._news.clear()
            await self._news.wait()
        return self._seen_at[version]

    async def _follow(self, client: Client, game: str) -> None:
        async for seen in client.watch(game):
            self._seen_at[seen.version] = perf_counter()
            self._news.set()


@asynccontextmanager
async def _watch(
    client: Client, tables: Sequence[Table], watchers: int
) -> AsyncIterator[list[_Watcher]]:
    """Have so many watch, spread over the tables, that is every so many one and the same."""
    games = [table.seats[0].game for table in tables]
    versions = [(await client.get(game)).version for game in games]
    audience = [_Watcher(client, games[number % len(games)]) for number in range(watchers)]
    try:
        for number, watcher in enumerate(audience):
            await watcher.saw(versions[number % len(games)])
        yield audience
    finally:
        for watcher in audience:
            watcher.task.cancel()
        await asyncio.gather(*(watcher.task for watcher in audience), return_exceptions=True)


def _in_turn(scripts: Sequence[Script]) -> list[tuple[int, int, str]]:
    """The moves of all games, the first of each, then the second of each, ..."""
    longest = max(len(each.moves) for each in scripts)
    return [
        (game, *each.moves[number])
        for number in range(longest)
        for game, each in enumerate(scripts)
        if number < len(each.moves)
    ]


def _centiles(times: Sequence[float]) -> tuple[float, float]:
    """The 50th and 99th, in ms."""
    if not times:
        return 0.0, 0.0
    centiles = quantiles(times, n=100)
    return round(centiles[49] * 1e3, 2), round(centiles[98] * 1e3, 2)


async def _commands(redis: Redis) -> int:
    """How many commands the store has carried out."""
    statistics = await redis.info("stats")
    return int(statistics["total_commands_processed"])
