"""What a process does for games that nobody asks about.

Players who do not answer in time, bots, games that are abandoned: each process attends at once to
the games that it has changed last, and looks now and then for those that another one has left
waiting, and for expired ones that indexes still name. Any number of processes may do so: whoever
comes second finds the game changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import random
from types import TracebackType
from typing import Final, Self

import structlog

from coltexpress_server import tracing
from coltexpress_server.game.reader import Unreadable
from coltexpress_server.service.absence import abandon
from coltexpress_server.service.decision_ids import decision_id
from coltexpress_server.service.due import for_bots, may_be_abandoned, next_ms
from coltexpress_server.service.games import Games, Untimely
from coltexpress_server.service.play import begun, play_for, time_out
from coltexpress_server.service.records import RUNNING, StoredGame
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.thinking import Thinking
from coltexpress_server.store import StoreError

_AT_ONCE: Final = 1000
_LOADED_AT_ONCE: Final = 50
_SOONEST_S: Final = 1.0
"""The shortest time between two looks for games that are waiting."""
_PLANNED_AHEAD_S: Final = 600.0
"""How long before it is due a game is planned for."""
_FIRST_REFUSAL_S: Final = 0.25
"""How long a game that falls due is left to the process that has changed it last."""


class Attendance:
    """Attends to games while it is entered, as a context."""

    def __init__(self, games: Games) -> None:
        """games: those of this process."""
        self._games: Final = games
        self._thinking: Final = Thinking()
        self._timers: Final[dict[str, asyncio.TimerHandle]] = {}
        self._tasks: Final[dict[str, asyncio.Task[None]]] = {}
        self._again: Final[set[str]] = set()
        self._ahead_s = 0.0  # the store's clock, less the event loop's
        self._looking: asyncio.Task[None] | None = None
        self._log: Final = structlog.get_logger(__name__)

    async def __aenter__(self) -> Self:
        """Begin."""
        self._games.on_commit = self._changed
        self._looking = asyncio.create_task(self._look_for_ever(), name="attendance")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End; what is left undone is due for others."""
        self._games.on_commit = None
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._again.clear()
        tasks = [*self._tasks.values(), *filter(None, [self._looking])]
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        await self._thinking.close()

    # Games that this process knows

    def _changed(self, game: StoredGame) -> None:
        """Takes note of a game that this process has just changed."""
        self._told(game.updated_ms)
        self._plan(game)

    def _told(self, time_ms: int) -> None:
        """Takes note of the store's time."""
        self._ahead_s = time_ms / 1000 - asyncio.get_running_loop().time()

    def _plan(self, game: StoredGame) -> None:
        """Plans to attend to a game when it is due, instead of what was planned before.

        What is far away is left to a look: by then others may have changed the game, or deleted it.
        """
        game_id = game.game_id
        planned = self._timers.pop(game_id, None)
        if planned is not None:
            planned.cancel()
        due_ms = next_ms(game, self._games.settings)
        if due_ms is not None:
            loop = asyncio.get_running_loop()
            at = due_ms / 1000 - self._ahead_s
            if at - loop.time() <= _PLANNED_AHEAD_S:
                self._timers[game_id] = loop.call_at(at, self._begin, game_id)

    def _begin(self, game_id: str) -> None:
        """Attends to a game whose time has come; when that is done, if it is being done."""
        self._timers.pop(game_id, None)
        if game_id in self._tasks:
            self._again.add(game_id)
            return
        task = asyncio.create_task(self._attend(game_id), name="attending to a game")
        self._tasks[game_id] = task
        task.add_done_callback(lambda done: self._done(game_id, done))

    def _done(self, game_id: str, task: asyncio.Task[None]) -> None:
        del self._tasks[game_id]
        again = game_id in self._again
        self._again.discard(game_id)
        if task.cancelled():
            return
        if task.exception() is None and again:
            self._begin(game_id)

    def _failed(self, game_id: str, error: BaseException) -> None:
        self._log.error("attending", game=game_id, problem=type(error).__name__)

    async def _attend(self, game_id: str) -> None:
        """Takes a game that is due one step further, in a trace of its own."""
        with tracing.work("attend", {"coltexpress.game": game_id}):
            try:
                await self._take_further(game_id)
            except _LEFT_TO_THE_NEXT_LOOK:
                raise
            except Exception as error:
                self._failed(game_id, error)
                raise

    async def _take_further(self, game_id: str) -> None:
        game = self._games.kept(game_id) or await self._games.load(game_id)
        try:
            await self._make_next_step(game)
        except Untimely as untimely:
            self._told(untimely.time_ms)
            self._plan(self._games.kept(game_id) or game)

    async def _make_next_step(self, game: StoredGame) -> None:
        record = game.record
        bots = for_bots(record)
        if bots:
            decision = bots[0]
            level = record.seats[decision.seat].played_by
            chance = self._games.keys.chance(game.game_id, decision.id)
            tracing.label("play for a bot", {"coltexpress.seat": decision.seat})
            with tracing.part("think", "INTERNAL", {"coltexpress.bot.level": level}):
                answer = await self._thinking.choose(level, begun(game), decision, chance)
            wanted = decision_id(decision, record.opened_by)
            await play_for(self._games, game.game_id, wanted, level, answer)
        elif may_be_abandoned(record):
            tracing.label("abandon a game", {})
            await abandon(self._games, game.game_id)
        elif record.clock is not None and record.status == RUNNING:
            tracing.label("enforce a deadline", {})
            await time_out(self._games, game.game_id)

    # Games that others know

    async def _look_for_ever(self) -> None:
        """Looks for games that wait for somebody, as often as it may be worth while."""
        while True:
            wait_s = self._games.settings.sweep_interval_s
            # Calls meet the same errors of the store, and tell them.
            with contextlib.suppress(StoreError):
                wait_s = min(wait_s, await self._look())
            # Processes that were started together are not to look together.
            await asyncio.sleep(wait_s * random.uniform(0.8, 1.0))

    async def _look(self) -> float:
        """Attends to the games that are overdue; returns in how many seconds another one may be."""
        due = await self._games.store.due_games(_AT_ONCE)
        self._told(due.time_ms)
        for first in range(0, len(due.game_ids), _LOADED_AT_ONCE):
            some = due.game_ids[first : first + _LOADED_AT_ONCE]
            await asyncio.gather(*(self._look_at(game_id, due.time_ms) for game_id in some))
        if len(due.game_ids) == _AT_ONCE:
            return _SOONEST_S  # there may be more
        if due.next_ms is None:
            return math.inf
        return max((due.next_ms - due.time_ms) / 1000 + _FIRST_REFUSAL_S, _SOONEST_S)

    async def _look_at(self, game_id: str, now_ms: int) -> None:
        """Attends to a game that is overdue, unless it has been attended to by now."""
        try:
            game = await self._games.load(game_id)
            due_ms = next_ms(game, self._games.settings)
            if due_ms is None or due_ms > now_ms:
                # It is not, and need not be found again before it is.
                await self._games.store.postpone(game_id, game.created_ms, game.cursor, due_ms)
            self._plan(game)
        except _LEFT_TO_THE_NEXT_LOOK:
            pass
        except Exception as error:  # one that cannot be read must not stop the others
            self._failed(game_id, error)


_LEFT_TO_THE_NEXT_LOOK: Final = (StoreError, Refused, Unreadable)
"""What happens to games that are gone, or that a later release has written, or at bad times."""
