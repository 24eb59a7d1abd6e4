"""Measure a fleet, print tables, and write the figures to bench/results/cluster.json."""

from __future__ import annotations

import asyncio
import json
import os
import platform
from collections.abc import Callable, Coroutine
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import click
from tqdm import tqdm

from bench.cluster import failover, replicas, soak, stored, upheaval
from bench.cluster.load import Load
from bench.cluster.upheaval import Stretch
from bench.tables import table
from tests.deploy.crowd import Audit

T = TypeVar("T")

RESULTS = Path(__file__).parents[1] / "results" / "cluster.json"
PARTS = ("upheaval", "failover", "replicas", "stored", "soak")


@click.command()
@click.option(
    "--part",
    "parts",
    multiple=True,
    type=click.Choice(PARTS),
    help="What to measure, any number of times; everything by default.",
)
@click.option(
    "--games", default=200, show_default=True, help="Games at once in upheaval and failover."
)
@click.option(
    "--think-s",
    default=1.0,
    show_default=True,
    help="How long a bot there thinks, on average: with 200 games, so many moves a second in 200.",
)
@click.option(
    "--seconds", default=20.0, show_default=True, help="How long to measure each load elsewhere."
)
@click.option(
    "--stored",
    "sizes",
    multiple=True,
    default=(1_000, 10_000, 100_000),
    show_default=True,
    help="How many games are stored.",
)
@click.option(
    "--soak-games",
    default=1_000,
    show_default=True,
    help="Games of the soak: what 10,000 a day have in their busiest hour.",
)
def main(
    *,
    parts: tuple[str, ...],
    games: int,
    think_s: float,
    seconds: float,
    sizes: tuple[int, ...],
    soak_games: int,
) -> None:
    """Measure replicas behind Envoy on one store, with clients and all on this machine."""
    figures: dict[str, Any] = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
    }
    measures: dict[str, Callable[[], tuple[object, str]]] = {
        "upheaval": partial(measure_upheaval, games, think_s),
        "failover": partial(measure_failover, games, think_s),
        "replicas": partial(measure_replicas, seconds),
        "stored": partial(measure_stored, sizes, seconds),
        "soak": partial(measure_soak, soak_games),
    }
    chosen = [part for part in PARTS if part in (parts or PARTS)]
    for part in tqdm(chosen, desc="Measuring", disable=None, leave=False):
        found, text = measures[part]()
        figures[part] = found
        click.echo(f"{text}\n")
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(figures, indent=2) + "\n")
    click.echo(f"All figures: {RESULTS}")


def measure_upheaval(games: int, think_s: float) -> tuple[object, str]:
    """Measure it, and say it in a table."""
    found = run(partial(upheaval.measure, games, think_s))
    title = f"{games} games of three at once on {upheaval.REPLICAS} replicas: what players notice"
    repeated = f"{found.repeated} calls were repeated by Envoy"
    text = "\n".join([stretches(title, found.stretches), *audited(found.audit), repeated])
    return asdict(found), text


def measure_failover(games: int, think_s: float) -> tuple[object, str]:
    """Measure it, and say it in a table."""
    found = run(partial(failover.measure, games, think_s))
    title = f"{games} games of three at once, their store behind sentinels"
    return asdict(found), "\n".join([stretches(title, [found.stretch]), *audited(found.audit)])


def measure_replicas(seconds: float) -> tuple[object, str]:
    """Measure it, and say it in a table."""
    found = [run(partial(replicas.measure, number, seconds)) for number in (1, 2, 3)]
    text = table(
        f"{replicas.TABLES} games of three at once, nobody thinks; CPU in ms a move",
        ["replicas", *LOAD],
        [(one.replicas, *load(one.load, found[0].load)) for one in found],
    )
    return [asdict(one) for one in found], text


def measure_stored(sizes: tuple[int, ...], seconds: float) -> tuple[object, str]:
    """Measure it, and say it in a table."""
    found = run(partial(stored.measure, sizes, seconds))
    text = table(
        f"The same on {stored.REPLICAS} replicas, beside games that are stored",
        ["stored", "store MB", *LOAD, "a page of the list ms", "idle: commands/s"],
        [
            (
                *(one.games, round(one.memory_bytes / 1e6)),
                *load(one.load, found[0].load),
                *(one.page_ms, one.idle_commands_per_second),
            )
            for one in found
        ],
    )
    return [asdict(one) for one in found], text


def measure_soak(games: int) -> tuple[object, str]:
    """Measure it, and say it in a table."""
    found = run(partial(soak.measure, games))
    text = table(
        "One game after the other, each forgotten soon after its end",
        [
            *("games", "after s", "replica MB", "replica's sockets", "Envoy MB"),
            *("store MB", "keys", "connections"),
        ],
        [tuple(asdict(one).values()) for one in found.samples],
    )
    return asdict(found), "\n".join([text, *audited(found.audit)])


def run(measure: Callable[[Path], Coroutine[Any, Any, T]]) -> T:
    """Measure something in a folder of its own."""
    with TemporaryDirectory(prefix="colt-express-bench-") as folder:
        return asyncio.run(measure(Path(folder)))


def stretches(title: str, found: list[Stretch]) -> str:
    """What happened, a row each, compared with the first one."""
    return table(
        title,
        ["", "took s", "moves", "moves/s", "ratio", "p50 ms", "p99 ms", "slowest ms"],
        [
            (
                *(one.what, one.took_s, one.moves, one.moves_per_second),
                f"x {one.moves_per_second / found[0].moves_per_second:.2f}",
                *(one.p50_ms, one.p99_ms, one.slowest_ms),
            )
            for one in found
        ],
    )


def audited(found: Audit) -> list[str]:
    """What players were told, beside what is stored."""
    games = f"{found.finished:,} of {found.games:,} games were finished"
    rules = f"{found.refuted} of them went otherwise than by the rules"
    moves = f"{found.moves:,} moves were answered"
    kept = f"{found.lost} of these are not stored, {found.closed} others came too late"
    watched = f"{found.interrupted} spectators were not shown every commit once"
    anew = f"{found.snapshots} times one began anew"
    lines = [f"{games}; {rules}", f"{moves}; {kept}", f"{watched}; {anew}"]
    errors = [f"{count} times: {error}" for error, count in found.errors.items()]
    return [*lines, *(errors or ["no client met an error that it does not handle"])]


LOAD = ("moves/s", "ratio", "p50 ms", "p99 ms", "replicas", "ratio", "Envoy", "store", "clients")


def load(found: Load, first: Load) -> tuple[object, ...]:
    """The cells of a load, compared with the first one."""
    return (
        found.moves_per_second,
        f"x {found.moves_per_second / first.moves_per_second:.2f}",
        *(found.p50_ms, found.p99_ms, found.replicas_ms),
        f"x {found.replicas_ms / first.replicas_ms:.2f}",
        *(found.envoy_ms, found.store_ms, found.clients_ms),
    )


if __name__ == "__main__":
    main()
