"""How fast moves are answered, and what each part of a fleet spends on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import getpid
from statistics import quantiles
from time import perf_counter
from typing import Final

from bench.processes import cpu_seconds
from tests.deploy.crowd import Answer, Crowd
from tests.deploy.fleet import Fleet


@dataclass(frozen=True)
class Load:
    """A stretch of time in which a crowd plays.

    seconds: how long it was.
    moves: that were answered; those of the service's own bots come on top.
    moves_per_second: likewise.
    p50_ms, p99_ms, slowest_ms: from sending a move to having its answer.
    replicas_ms, envoy_ms, store_ms, clients_ms: CPU time for each of these moves, of all replicas
        together, of Envoy, of the store, and of the clients, which are one process.
    """

    seconds: float
    moves: int
    moves_per_second: float
    p50_ms: float
    p99_ms: float
    slowest_ms: float
    replicas_ms: float
    envoy_ms: float
    store_ms: float
    clients_ms: float


class Meter:
    """Measures from when it is made to when it is read; no replica may go meanwhile."""

    def __init__(self, fleet: Fleet, store_pid: int, crowd: Crowd) -> None:
        self._fleet: Final = fleet
        self._store_pid: Final = store_pid
        self._crowd: Final = crowd
        self._answers: Final = len(crowd.answers)
        self._spent: Final = self._cpu()
        self._began: Final = perf_counter()

    def read(self) -> Load:
        """What it was since then."""
        seconds = perf_counter() - self._began
        answers = self._crowd.answers[self._answers :]
        spent = [now - then for now, then in zip(self._cpu(), self._spent, strict=True)]
        p50, p99, slowest = centiles_ms(answers)
        return Load(
            round(seconds, 1),
            len(answers),
            round(len(answers) / seconds, 1),
            p50,
            p99,
            slowest,
            *(round(each * 1e3 / len(answers), 3) for each in spent),
        )

    def _cpu(self) -> tuple[float, float, float, float]:
        return (
            sum(cpu_seconds(each.process.pid) for each in self._fleet.replicas),
            cpu_seconds(self._fleet.envoy.pid),
            cpu_seconds(self._store_pid),
            cpu_seconds(getpid()),
        )


def centiles_ms(answers: Sequence[Answer]) -> tuple[float, float, float]:
    """How long answers took: the 50th and the 99th centile, and the slowest, in ms."""
    took = [each.took for each in answers]
    centiles = quantiles(took, n=100, method="inclusive")
    return _ms(centiles[49]), _ms(centiles[98]), _ms(max(took))


def _ms(seconds: float) -> float:
    return round(seconds * 1e3, 1)
