"""Bots with faults, in a module of their own, so that other processes can import them."""

from __future__ import annotations

import os
import time
from pathlib import Path
from random import Random

from coltexpress_server.game.choices import Choice, MoveTo
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.state import State

PIPE = "COLTEXPRESS_TEST_PIPE"


class LastOption:
    """Takes the last option, and tells in which process it does so."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def choose(self, decision: Decision, seen: State) -> Choice:
        if path := os.environ.get(PIPE):
            Path(path).write_text(str(os.getpid()))
        return decision.options[-1]


class Busy(LastOption):
    """Computes for half a second."""

    def choose(self, decision: Decision, seen: State) -> Choice:
        end = time.perf_counter() + 0.5
        while time.perf_counter() < end:
            pass
        return super().choose(decision, seen)


class Endless(LastOption):
    """Never comes to an end."""

    def choose(self, decision: Decision, seen: State) -> Choice:
        super().choose(decision, seen)
        while True:
            time.sleep(1)


class Failing(LastOption):
    """Fails."""

    def choose(self, decision: Decision, seen: State) -> Choice:
        raise RuntimeError("the DOC holds FIRE")


class Cheating(LastOption):
    """Chooses what it may not."""

    def choose(self, decision: Decision, seen: State) -> Choice:
        return MoveTo("99.roof")


class Dying(LastOption):
    """Takes its process with it."""

    def choose(self, decision: Decision, seen: State) -> Choice:
        os._exit(1)
