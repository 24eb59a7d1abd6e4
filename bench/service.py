"""Moves through gRPC and the store: a client, one or two server processes, one embedded store.

The client runs on the same machine as all the rest, and does nothing but submit.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Final

from redis.asyncio import Redis

from bench.scripts import Script, Table, begin, script
from coltexpress import Client, Commit
from coltexpress_server.server_process import ServerProcess
from coltexpress_server.store import EmbeddedValkey

AT_ONCE: Final = 16
"""Games that are played at the same time to see what the service can take."""


@dataclass(frozen=True)
class Load:
    """Moves of so many games at once.

    moves_per_second: of all games together, with what creating and joining them takes.
    p50_ms, p99_ms: milliseconds from sending a move to having its answer.
    """

    games_at_once: int
    moves_per_second: float
    p50_ms: float
    p99_ms: float


@dataclass(frozen=True)
class Service:
    """What so many processes do with games of four.

    alone, busy: one game at a time, and many.
    commands_per_move: that reach the store from outside; a script is one.
    bytes_per_game: that a finished game takes in the store's memory.
    """

    processes: int
    alone: Load
    busy: Load
    commands_per_move: float
    bytes_per_game: int


async def measure(processes: int, seconds: float, folder: Path) -> Service:
    """Measure so many processes, for about so many seconds, on a store in an empty folder."""
    async with EmbeddedValkey(folder) as valkey:
        with ExitStack() as stack:
            servers = [
                stack.enter_context(
                    ServerProcess(
                        *("--redis", valkey.url),
                        *("--service-key-file", str(folder / "service.key")),
                        *("--allow-fixed-seed", "--log-level", "warning", "--drain-s", "0"),
                        *("--games-per-minute", "0"),
                        log=folder / f"server-{number}.log",
                    )
                )
                for number in range(processes)
            ]
            # One call goes to the one process, the next to the other.
            target = "ipv4:" + ",".join(server.address for server in servers)
            async with Client(target) as client, Redis.from_url(valkey.url) as redis:
                await _load(client, 1, seconds / 8)  # warms up
                await redis.flushall()
                alone = await _load(client, 1, seconds / 2)
                bytes_per_game = await _bytes_per_game(redis)
                commands = await _commands_per_move(client, redis)
                busy = await _load(client, AT_ONCE, seconds / 2)
    return Service(processes, alone, busy, commands, bytes_per_game)


async def _load(client: Client, games_at_once: int, seconds: float) -> Load:
    """Play games for about so many seconds; each is played to its end."""
    latencies: list[float] = []

    async def play_on(game: Script) -> None:
        while perf_counter() < end:
            latencies.extend(await _move(await begin(client, game), game))

    scripts = [script(number) for number in range(games_at_once)]
    start = perf_counter()
    end = start + seconds
    await asyncio.gather(*(play_on(each) for each in scripts))
    passed = perf_counter() - start
    centiles = quantiles(latencies, n=100)
    return Load(
        games_at_once=games_at_once,
        moves_per_second=round(len(latencies) / passed, 1),
        p50_ms=round(centiles[49] * 1e3, 2),
        p99_ms=round(centiles[98] * 1e3, 2),
    )


async def _move(table: Table, game: Script) -> list[float]:
    """Make the script's moves; returns how long each took, in seconds."""
    latencies = []
    commit = Commit()
    for seat, option_id in game.moves:
        start = perf_counter()
        commit = await table.move(seat, option_id)
        latencies.append(perf_counter() - start)
    assert commit.events[-1].HasField("game_ended"), "the game went otherwise than worked out"
    return latencies


async def _commands_per_move(client: Client, redis: Redis) -> float:
    """Commands that processes send to the store while a game is played, by move."""
    game = script(0)
    table = await begin(client, game)
    async with redis.monitor() as monitor:
        await _move(table, game)
        await redis.echo("over")
        commands = 0
        async for command in monitor.listen():
            if command["command"] == "ECHO over":
                return round(commands / len(game.moves), 2)
            commands += command["client_type"] != "lua"  # what a script calls stays in the store
    raise AssertionError("the store went away")


async def _bytes_per_game(redis: Redis) -> int:
    """What a game takes in the store's memory when it is over, on average over those there are."""
    games = size = 0
    async for key in redis.scan_iter():
        games += b":game:" in key
        size += await redis.memory_usage(key, samples=0) or 0
    return round(size / games)
