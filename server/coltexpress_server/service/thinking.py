"""Bots that think: quick ones where they are asked, slow ones in a process of their own.

A bot gets what its seat may see of the game and no more, and its chance is derived from the
service's key, so that all processes that let it decide the same come to the same choice.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from random import Random
from typing import Final

import structlog

from coltexpress_server.bots.bot import Bot
from coltexpress_server.bots.levels import LEVELS
from coltexpress_server.game import timeouts
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.codec import decode_state, encode_state
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.state import State
from coltexpress_server.game.views import view
from coltexpress_server.game.vocabulary import parse
from coltexpress_server.store import die_with_parent

_LONGEST_THOUGHT_S: Final = 30.0
"""After how many seconds a slow bot is given up."""


class Thinking:
    """The bots of a process; `close` ends the process of the slow ones."""

    def __init__(self, *, longest_thought_s: float = _LONGEST_THOUGHT_S) -> None:
        """Starts nothing: the process of slow bots comes with the first of them.

        longest_thought_s: after how many seconds a slow bot is given up.
        """
        self._longest_thought_s: Final = longest_thought_s
        self._pool: ProcessPoolExecutor | None = None
        self._turn: Final = asyncio.Lock()
        self._log: Final = structlog.get_logger(__name__)

    async def choose(self, level: str, state: State, decision: Decision, chance: bytes) -> Choice:
        """What a bot of this level answers to an open decision of this state.

        A bot that fails, or is not known here, answers as for a player whose time is up: a game
        never stands still for a bot.
        """
        try:
            found = LEVELS[level]
            choice: Choice | None
            if found.slow:
                text = await self._elsewhere(found.bot, chance, encode_state(state), decision.seat)
                choice = parse(text)
            else:
                choice = think(found.bot, chance, state, decision.seat)
            if choice is not None and decision.allows(choice):
                return decision.canonical(choice)
            self._log.error("bot", level=level, kind=decision.kind, problem="no legal choice")
        except Exception as error:
            self._log.error("bot", level=level, kind=decision.kind, problem=type(error).__name__)
        return timeouts.answer(decision)

    async def close(self) -> None:
        """Ends the process of the slow bots, if there is one, when it has thought to the end."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)

    async def _elsewhere(
        self, make: Callable[[Random], Bot], chance: bytes, state: bytes, seat: int
    ) -> str:
        """Has a bot think in the process of the slow ones, when it is its turn.

        A process that has died is started anew; one that does not come to an end is ended.
        """
        loop = asyncio.get_running_loop()
        async with self._turn:
            for _ in range(2):
                if self._pool is None:
                    self._pool = ProcessPoolExecutor(
                        1,
                        # A fork would take threads and sockets along.
                        multiprocessing.get_context("spawn"),
                        _begin,
                        (os.getpid(),),
                    )
                pool = self._pool
                pid = 0
                try:
                    async with asyncio.timeout(self._longest_thought_s):
                        pid = await loop.run_in_executor(pool, os.getpid)
                        return await loop.run_in_executor(pool, _think, make, chance, state, seat)
                except BrokenProcessPool:
                    self._pool = None
                except TimeoutError:
                    self._pool = None
                    if pid:
                        os.kill(pid, signal.SIGKILL)
                    raise
        raise RuntimeError("the process of the slow bots dies over this")


def think(make: Callable[[Random], Bot], chance: bytes, state: State, seat: int) -> Choice:
    """What a bot answers to the open decision of a seat."""
    seen = view(state, seat)
    decision = next(decision for decision in seen.pending if decision.seat == seat)
    return make(Random(chance)).choose(decision, seen)


def _think(make: Callable[[Random], Bot], chance: bytes, state: bytes, seat: int) -> str:
    """The same in another process, in what can be sent there and back."""
    return think(make, chance, decode_state(state), seat).text


def _begin(parent: int) -> None:
    """Prepares the process of the slow bots: it ends with its parent, whatever ends that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is the parent's
    die_with_parent.die_with(parent)
