"""Every transport: one server process, its embedded store, one client that moves, then watches.

The transports take turns, a game each, so that whatever else the machine does is fair to all.
What the client's library takes is part of the moves a second, and of nothing else: compare
transports by the processor time of the server and by what passes on the wire.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

from bench.processes import cpu_seconds
from bench.scripts import Script, Table, begin, script
from bench.transports import Transport, transports
from bench.wire import Wire
from coltexpress import Client
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.server_process import ServerProcess

WATCHES: Final = 5
"""How often each game is watched; a system counts processor time in hundredths of a second."""


@dataclass(frozen=True)
class Face:
    """What a transport takes.

    cpu_ms_per_move, cpu_ms_per_commit: of the server process, for a move and for a commit that a
        spectator is told, by a stream of all that has happened; 0 where the system does not say.
    sent_per_move, received_per_move: bytes on the wire, with headers.
    received_per_commit: of a spectator's stream, likewise.
    """

    transport: str
    moves_per_second: float
    cpu_ms_per_move: float
    cpu_ms_per_commit: float
    sent_per_move: int
    received_per_move: int
    received_per_commit: int


@dataclass
class Spent:
    """What games over a transport have taken of time so far, in seconds."""

    moves: int = 0
    moving: float = 0.0
    cpu_moving: float = 0.0
    cpu_watching: float = 0.0


@dataclass(frozen=True)
class Carried:
    """What a game over a transport has taken of the wire, in bytes."""

    moves: int
    sent_moving: int
    received_moving: int
    received_watching: int


async def measure(seconds: float, folder: Path) -> list[Face]:
    """Measure every transport, for about so many seconds together, and a game each at least."""
    with ServerProcess(
        *("--data-dir", str(folder / "data"), "--appendfsync", "no"),
        *("--allow-fixed-seed", "--log-level", "warning", "--drain-s", "0"),
        *("--games-per-minute", "0"),
        log=folder / "server.log",
    ) as server:
        grpc, http = Wire(server.address), Wire(server.http.removeprefix("http://"))
        async with (
            grpc.passing(),
            http.passing(),
            Client(server.address) as client,
            transports(server.address, server.http) as direct,
            transports(grpc.address, f"http://{http.address}") as counted,
        ):
            spent = [Spent() for _ in direct]
            number = 0
            until = perf_counter() + seconds
            while perf_counter() < until:
                for transport, so_far in zip(direct, spent, strict=True):
                    await _time(transport, client, server.pid, script(number), so_far)
                number += 1
            carried = [
                await _count(transport, client, [grpc, http], script(0)) for transport in counted
            ]
            return [
                _face(transport.name, timed, wired)
                for transport, timed, wired in zip(direct, spent, carried, strict=True)
            ]


def _face(transport: str, spent: Spent, carried: Carried) -> Face:
    return Face(
        transport,
        moves_per_second=round(spent.moves / spent.moving, 1),
        cpu_ms_per_move=round(spent.cpu_moving * 1e3 / spent.moves, 2),
        cpu_ms_per_commit=round(spent.cpu_watching * 1e3 / spent.moves / WATCHES, 3),
        sent_per_move=round(carried.sent_moving / carried.moves),
        received_per_move=round(carried.received_moving / carried.moves),
        received_per_commit=round(carried.received_watching / carried.moves),
    )


async def _time(transport: Transport, client: Client, pid: int, game: Script, spent: Spent) -> None:
    """Play a game and watch it."""
    table = await begin(client, game)
    cursor = (await table.seats[0].get()).cursor
    started, cpu = perf_counter(), cpu_seconds(pid)
    await _play(transport, game, table)
    spent.moving += perf_counter() - started
    spent.cpu_moving += cpu_seconds(pid) - cpu
    spent.moves += len(game.moves)
    cpu = cpu_seconds(pid)
    for _ in range(WATCHES):
        await transport.watch(table.seats[0].game, cursor)
    spent.cpu_watching += cpu_seconds(pid) - cpu


async def _count(transport: Transport, client: Client, wires: list[Wire], game: Script) -> Carried:
    """Play a game over the wires, of which the transport uses one, and watch it."""
    table = await begin(client, game)
    cursor = (await table.seats[0].get()).cursor
    sent, received = _counts(wires)
    await _play(transport, game, table)
    sent_moving, received_moving = _counts(wires)
    await transport.watch(table.seats[0].game, cursor)
    _, received_watching = _counts(wires)
    return Carried(
        len(game.moves),
        sent_moving - sent,
        received_moving - received,
        received_watching - received_moving,
    )


def _counts(wires: list[Wire]) -> tuple[int, int]:
    return sum(wire.sent for wire in wires), sum(wire.received for wire in wires)


async def _play(transport: Transport, game: Script, table: Table) -> None:
    seats, asked = table.seats, table.asked
    for seat, option_id in game.moves:
        request = pb.SubmitActionRequest(
            name=seats[seat].game,
            decision_id=asked[seat],
            option_id=option_id,
            request_id=str(uuid.uuid4()),
        )
        asked = await transport.submit(request, seats[seat].token)
