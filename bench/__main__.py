"""Measure everything, print tables, and write the figures to bench/results/bench.json."""

from __future__ import annotations

import asyncio
import json
import os
import platform
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from tqdm import tqdm

from bench import bots, engine, service, watching, web
from bench.tables import table
from coltexpress_server.game.options import STANDARD
from coltexpress_server.simulation import Report

HORSES = replace(STANDARD, expansions=("HORSES_AND_STAGECOACH",))
MARSHAL = replace(STANDARD, expansions=("MARSHAL_AND_PRISONERS",))
BOTH = replace(STANDARD, expansions=HORSES.expansions + MARSHAL.expansions)
ENGINES = (
    *((players, STANDARD) for players in (3, 4, 5, 6)),
    *((4, HORSES), (6, HORSES), (5, MARSHAL), (8, BOTH)),
)
"""What the engine alone is measured with."""

RESULTS = Path(__file__).parent / "results" / "bench.json"


@click.command()
@click.option(
    "--seconds", default=8.0, show_default=True, help="How long to measure each of the ten parts."
)
@click.option(
    "--bots",
    "levels",
    is_flag=True,
    help="Instead of all that, let levels of bots play each other.",
)
@click.option(
    "--games", default=200, show_default=True, help="With --bots: games for each number of players."
)
def main(seconds: float, games: int, *, levels: bool) -> None:
    """Measure the engine, the service and watching, or how well bots play."""
    if levels:
        measure_bots(games)
    else:
        measure(seconds)


def measure_bots(games: int) -> None:
    """Let the strongest level play RANDOM, so many games with 3 to 6 players each."""
    with tqdm(total=4 * games, desc="Playing", unit="game", disable=None, leave=False) as progress:

        def advance() -> None:
            progress.update()

        reports = [bots.measure(players, games, advance) for players in (3, 4, 5, 6)]
    click.echo(bots_table(reports))


def measure(seconds: float) -> None:
    """Measure all but the bots, each part for about so many seconds."""
    with tqdm(total=len(ENGINES) + 4, desc="Measuring", disable=None, leave=False) as progress:
        engines = []
        for players, options in ENGINES:
            engines.append(engine.measure(players, seconds, options))
            progress.update()
        services = []
        for processes in (1, 2):
            with TemporaryDirectory(prefix="colt-express-bench-") as folder:
                services.append(asyncio.run(service.measure(processes, seconds, Path(folder))))
            progress.update()
        with TemporaryDirectory(prefix="colt-express-bench-") as folder:
            watched = asyncio.run(watching.measure(seconds, Path(folder)))
        progress.update()
        with TemporaryDirectory(prefix="colt-express-bench-") as folder:
            faces = asyncio.run(web.measure(seconds, Path(folder)))
        progress.update()
    click.echo(engine_table(engines))
    click.echo()
    click.echo(service_table(services))
    click.echo()
    click.echo(watching_table(watched))
    click.echo()
    click.echo(web_table(faces))
    RESULTS.parent.mkdir(exist_ok=True)
    figures = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "engine": [asdict(figure) for figure in engines],
        "service": [asdict(figure) for figure in services],
        "watching": asdict(watched),
        "web": [asdict(face) for face in faces],
    }
    RESULTS.write_text(json.dumps(figures, indent=2) + "\n")
    click.echo(f"\nAll figures: {RESULTS}")


def bots_table(reports: list[Report]) -> str:
    """Who won how often, a row for each level and number of players."""
    return table(
        f"{bots.STRONGEST} against RANDOM: games won a seat, with the 95 % interval",
        [
            *("players", "games", "level", "seats", "won", "from", "to", "if equal"),
            *("mean score", "CPU ms a decision"),
        ],
        [
            (
                *(report.players, report.finished, one.level, one.seats),
                *(f"{share:.1%}" for share in (one.win_rate, one.low, one.high, one.equal)),
                *(f"${one.mean_score:,}", one.ms_per_decision),
            )
            for report in reports
            for one in report.standings
        ],
    )


def engine_table(figures: list[engine.Engine]) -> str:
    """The engine's figures, a row for each number of players and set of expansions."""
    return table(
        "The engine on one core: random games, and microseconds on a position",
        [
            *("players", "with", "games/s", "decisions/s"),
            *("copy", "encode", "decode", "view", "bytes"),
        ],
        [
            (
                *(one.players, ", ".join(one.expansions)),
                *(round(one.games_per_second), round(one.decisions_per_second)),
                *(one.copy_us, one.encode_us, one.decode_us, one.view_us, one.state_bytes),
            )
            for one in figures
        ],
    )


def service_table(figures: list[service.Service]) -> str:
    """The service's figures, a row for each load, compared with the first one."""
    first = figures[0]
    rows = [
        (
            *(one.processes, load.games_at_once, load.moves_per_second),
            f"x {load.moves_per_second / first.alone.moves_per_second:.2f}",
            *(load.p50_ms, load.p99_ms, one.commands_per_move, one.bytes_per_game),
        )
        for one in figures
        for load in (one.alone, one.busy)
    ]
    return table(
        "Games of four through gRPC and the store; client and store on the same machine",
        [
            *("processes", "games at once", "moves/s", "ratio", "p50 ms", "p99 ms"),
            *("commands a move", "bytes a game"),
        ],
        rows,
    )


def watching_table(figures: watching.Watching) -> str:
    """What watchers cost, a row for each crowd; below it, the one that waits in vain."""
    rows = [
        (
            *(one.watchers, one.games, one.commits, one.cpu_ms_per_commit),
            *(one.answer_p50_ms, one.p50_ms, one.p99_ms),
        )
        for one in figures.watched
    ]
    idle = figures.idle
    return table(
        "Watching through one process: one move at a time, until all have seen it",
        [
            *("watchers", "games", "commits", "server's CPU ms a commit"),
            *("answer p50 ms", "seen p50 ms", "seen p99 ms"),
        ],
        rows,
    ) + (
        f"\n{idle.watchers:,} watchers of {idle.games:,} games in which nothing happens:"
        f" {idle.cpu_percent} % of a core, {idle.commands_per_second} commands a second"
    )


def web_table(figures: list[web.Face]) -> str:
    """What each transport takes, compared with gRPC."""
    first = figures[0]
    return table(
        "Games of four over each transport: one process, one move at a time, not compressed",
        [
            *("transport", "moves/s", "ratio", "server's CPU ms a move"),
            *("bytes sent a move", "received", "ratio"),
            *("watched: CPU ms a commit", "bytes", "ratio"),
        ],
        [
            (
                one.transport,
                one.moves_per_second,
                f"x {one.moves_per_second / first.moves_per_second:.2f}",
                one.cpu_ms_per_move,
                *(one.sent_per_move, one.received_per_move),
                f"x {one.received_per_move / first.received_per_move:.2f}",
                *(one.cpu_ms_per_commit, one.received_per_commit),
                f"x {one.received_per_commit / first.received_per_commit:.2f}",
            )
            for one in figures
        ],
    )


if __name__ == "__main__":
    main()
