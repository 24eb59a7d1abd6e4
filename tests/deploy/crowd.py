"""Many who play at once, with the client for Python, and an account of what they were told."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Final, NamedTuple

from coltexpress import Client, Commit, DecisionClosed, Game, Seat, random_bot
from coltexpress_server.replay.document import read
from coltexpress_server.replay.verifier import verify
from tests.client.games import contiguous

PLAYERS: Final = 3
_AT_ONCE: Final = 16
"""Games whose account is checked at the same time."""


class Answer(NamedTuple):
    """A move that was answered: when, and after how long, in seconds."""

    at: float
    took: float


@dataclass
class Account:
    """What those at one table were told.

    game: its name.
    answered: the commits with which moves were answered: version to cursor.
    closed: answers to decisions that were not open any more.
    seen: what a spectator was shown, from before the first commit of the players on.
    errors: what the client did not bear with.
    """

    game: str
    answered: dict[int, str] = field(default_factory=dict)
    closed: int = 0
    seen: list[Game | Commit] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@dataclass
class Audit:
    """What accounts come to, beside what the service has kept.

    games, finished: played, and how many of them to their end.
    moves: that were answered.
    lost: of these, not to be found in the game's history.
    closed: answers that came too late.
    interrupted: spectators who were not shown every commit once.
    snapshots: times that spectators had to begin anew.
    refuted: finished games whose replay the verifier does not agree with.
    errors: what clients did not bear with, and how often.
    """

    games: int = 0
    finished: int = 0
    moves: int = 0
    lost: int = 0
    closed: int = 0
    interrupted: int = 0
    snapshots: int = 0
    refuted: int = 0
    errors: Counter[str] = field(default_factory=Counter)

    async def add(self, client: Client, accounts: Iterable[Account]) -> None:
        """Compare accounts with what the service says now."""
        gate = asyncio.Semaphore(_AT_ONCE)

        async def add(account: Account) -> None:
            async with gate:
                await self._add(client, account)

        await asyncio.gather(*(add(account) for account in accounts))

    async def _add(self, client: Client, account: Account) -> None:
        game = await client.get(account.game)
        history = {commit.version: commit.cursor async for commit in client.commits(account.game)}
        self.games += 1
        self.moves += len(account.answered)
        self.lost += sum(history.get(at) != cursor for at, cursor in account.answered.items())
        self.closed += account.closed
        self.snapshots += sum(isinstance(step, Game) for step in account.seen[1:])
        self.interrupted += not _saw_all(account.seen, history)
        self.errors.update(account.errors)
        if game.state == Game.STATE_FINISHED:
            self.finished += 1
            replay = read((await client.replay(account.game)).encode())
            self.refuted += not verify(replay).verified


class Crowd:
    """Tables of bots that play at random, and a spectator at each.

    At every other table the service itself plays the last seat.
    accounts: one for each game.
    answers: of all moves, in the order of answers.
    """

    def __init__(self, client: Client, tables: int, *, think_s: float = 0.0, seed: int = 1) -> None:
        """tables: games at once. think_s: how long a bot thinks, on average."""
        self._client: Final = client
        self._tables: Final = tables
        self._think_s: Final = think_s
        self._seed: Final = seed
        self._news: Final = asyncio.Event()
        self.accounts: Final[list[Account]] = []
        self.answers: Final[list[Answer]] = []

    async def play(self) -> None:
        """Play one game at every table."""
        await self._play_until(None)

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Have games played one after the other inside the block, and those begun to their end."""
        over = asyncio.Event()
        playing = asyncio.create_task(self._play_until(over))
        try:
            yield
            over.set()
            await playing
        finally:
            playing.cancel()
            await asyncio.wait([playing])

    async def moves(self, more: int) -> None:
        """Wait for so many more answers."""
        wanted = len(self.answers) + more
        while len(self.answers) < wanted:
            self._news.clear()
            await self._news.wait()

    async def _play_until(self, over: asyncio.Event | None) -> None:
        await asyncio.gather(*(self._sit(number, over) for number in range(self._tables)))

    async def _sit(self, number: int, over: asyncio.Event | None) -> None:
        chance = Random(f"{self._seed} {number}")
        while True:
            await self._play_one(chance, with_bot=number % 2 == 1)
            if over is None or over.is_set():
                return

    async def _play_one(self, chance: Random, *, with_bot: bool) -> None:
        host = await self._client.create(PLAYERS)
        account = Account(host.game)
        self.accounts.append(account)
        guests = PLAYERS - with_bot
        seats = [await self._client.join(host.game) for _ in range(guests)]
        if with_bot:
            await host.add_bot("RANDOM")
        await host.start()
        try:
            async with asyncio.TaskGroup() as table:
                table.create_task(self._watch(account))
                for seat in seats:
                    table.create_task(self._play_seat(seat, account, chance))
        except* Exception as errors:
            account.errors += [f"{type(each).__name__}: {each}" for each in errors.exceptions]

    async def _watch(self, account: Account) -> None:
        async for step in self._client.watch(account.game):
            account.seen.append(step)

    async def _play_seat(self, seat: Seat, account: Account, chance: Random) -> None:
        choose = random_bot(chance)
        async for decision in seat.decisions():
            if self._think_s:
                await asyncio.sleep(chance.expovariate(1 / self._think_s))
            began = perf_counter()
            outcome = await seat.submit(decision, choose(decision))
            now = perf_counter()
            self.answers.append(Answer(now, now - began))
            self._news.set()
            if isinstance(outcome, DecisionClosed):
                account.closed += 1
            else:
                account.answered[outcome.version] = outcome.cursor


def _saw_all(seen: Sequence[Game | Commit], history: dict[int, str]) -> bool:
    return (
        bool(seen)
        and contiguous(list(seen))
        and seen[-1].version == len(history)
        and all(history[step.version] == step.cursor for step in seen)
    )
