"""Watching all seats of a principal: how each stands, then each change.

What is passed on is how things stand, never what happened: so it may be read anew at any time, a
watcher that reads slowly skips what is past, and one that comes back has missed nothing that still
waits. All watchers of a principal in this process share one feed, which does nothing until the
store says that one of the principal's games has changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Self

from coltexpress_server.game.decisions import Decision
from coltexpress_server.service.callers import Caller, require_principal
from coltexpress_server.service.decision_ids import decision_id
from coltexpress_server.service.filing import seats_word
from coltexpress_server.service.games import Games
from coltexpress_server.service.records import FINISHED, StoredGame
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.watch import End, Idle
from coltexpress_server.store import Cursor, Listener, StoreUnavailable, WatchClosed

WAITING: Final = "WAITING"
IDLE: Final = "IDLE"
OVER: Final = "OVER"
LEFT: Final = "LEFT"
DELETED: Final = "DELETED"

_TO_BE_PLAYED: Final = {WAITING, IDLE}
_LOADED_AT_ONCE: Final = 50
_RECHECK_S: Final = 60.0
_PAUSE_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """How a seat stands: WAITING, IDLE, or gone: OVER, LEFT, DELETED.

    status, cursor: of its game.
    decisions: those open for the seat, whole.
    opened_by: mark of the commit that opened the game's decisions; empty where none is open.
    deadline: when they are decided for it, by the store's clock in ms; 0 for never.
    """

    game_id: str
    seat: int
    standing: str
    status: str
    cursor: Cursor
    decisions: tuple[Decision, ...]
    opened_by: str
    deadline: int

    @property
    def decision_ids(self) -> list[str]:
        """The ids of the decisions."""
        return [decision_id(each, self.opened_by) for each in self.decisions]

    def is_like(self, other: SeatStatus) -> bool:
        """Whether both say the same to who holds the seat, though the game may have gone on."""
        return (
            self.standing == other.standing
            and self.status == other.status
            and self.decision_ids == other.decision_ids
        )


@dataclass(frozen=True, slots=True)
class Complete:
    """Every seat has been told; seats: how many there are."""

    seats: int


class Seats:
    """The watched principals of this process."""

    def __init__(self, games: Games, *, recheck_s: float = _RECHECK_S) -> None:
        """recheck_s: how often all games are looked at, since the store's word may be lost."""
        self._games: Final = games
        self._recheck_s: Final = recheck_s
        self._feeds: Final[dict[str, _Feed]] = {}

    @contextlib.contextmanager
    def watch(self, caller: Caller) -> Iterator[SeatsWatch]:
        """Watch the seats of the caller's principal.

        Raises Refused: API_KEY_MISSING for the anonymous.
        """
        name = require_principal(caller)
        feed = self._feeds.get(name)
        if feed is None or feed.ended:
            feed = self._feeds[name] = _Feed(self._games, name, self._recheck_s)
        watch = SeatsWatch(self._games.settings.heartbeat_s)
        feed.add(watch)
        try:
            yield watch
        finally:
            feed.discard(watch)
            if not feed.has_watchers and self._feeds.get(name) is feed:
                del self._feeds[name]
                feed.close()


class SeatsWatch:
    """An iterator over what a watcher gets, ending after an End.

    It raises what made it impossible to go on, StoreUnavailable for one.
    ended: set when nothing more will come, for one who is still busy passing on an earlier thing.
    """

    def __init__(self, heartbeat_s: float) -> None:
        """Made by Seats.watch."""
        self.ended: Final = asyncio.Event()
        self.has_begun = False
        self._heartbeat_s: Final = heartbeat_s
        self._untold: Final[dict[tuple[str, int], SeatStatus]] = {}
        self._complete: Complete | None = None
        self._end: End | Exception | None = None
        self._over = False
        self._news: Final = asyncio.Event()

    def __aiter__(self) -> Self:
        """Return itself."""
        return self

    async def __anext__(self) -> SeatStatus | Complete | Idle | End:
        """The next thing to pass on, waiting for it if need be."""
        while True:
            if self._over:
                raise StopAsyncIteration
            if self._end is not None:
                self._over = True
                if isinstance(self._end, Exception):
                    raise self._end
                return self._end
            if self._untold:
                return self._untold.pop(next(iter(self._untold)))
            if self._complete is not None:
                complete, self._complete = self._complete, None
                return complete
            self._news.clear()
            try:
                async with asyncio.timeout(self._heartbeat_s):
                    await self._news.wait()
            except TimeoutError:
                return Idle("")

    def begin(self, seats: list[SeatStatus]) -> None:
        """Get everything there is."""
        self.has_begun = True
        self._complete = Complete(len(seats))
        for status in seats:
            self.tell(status)
        self._news.set()

    def tell(self, status: SeatStatus) -> None:
        """Get how a seat stands now, in the place of what has not been passed on yet."""
        self._untold[status.game_id, status.seat] = status
        self._news.set()

    def end(self, why: End | Exception) -> None:
        """Get nothing more."""
        if self._end is None:
            self._end = why
        self.ended.set()
        self._news.set()


class _Feed:
    """How the seats of one principal stand, kept up to date while somebody watches."""

    def __init__(self, games: Games, principal: str, recheck_s: float) -> None:
        self.ended = False
        self._games: Final = games
        self._principal: Final = principal
        self._recheck_s: Final = recheck_s
        self._watches: Final[set[SeatsWatch]] = set()
        self._seen: Final[dict[str, Cursor]] = {}  # where each game was when it was looked at
        self._seats: Final[dict[str, dict[int, SeatStatus]]] = {}  # to be played, of each game
        self._new: Final = asyncio.Event()
        self._task: Final = asyncio.create_task(self._run(), name="seats of a principal")

    @property
    def has_watchers(self) -> bool:
        """Whether anybody watches."""
        return bool(self._watches)

    def add(self, watch: SeatsWatch) -> None:
        """Have somebody watch: from the next look at all games on, which is soon."""
        self._watches.add(watch)
        self._new.set()

    def discard(self, watch: SeatsWatch) -> None:
        """Have him watch no longer."""
        self._watches.discard(watch)

    def close(self) -> None:
        """Stop all work."""
        self.ended = True
        self._task.cancel()

    async def _run(self) -> None:
        try:
            with self._games.store.listen(seats_word(self._principal, self._games.keys)) as news:
                # What is seen then is all; before, one would have to look again.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_PAUSE_S):
                        await news.standing.wait()
                while True:
                    await self._look(await self._changed(news), news)
        except WatchClosed:
            self._end(End("DRAINING", ""))
        except Exception as error:
            self._end(error)

    async def _changed(self, news: Listener) -> set[str] | None:
        """Wait until there is something to look at: some games, or all (None)."""
        waiting = asyncio.ensure_future(news.changed())
        coming = asyncio.ensure_future(self._new.wait())
        try:
            # Not all processes at the same time.
            limit = self._recheck_s * random.uniform(0.75, 1.25)
            await asyncio.wait(
                (waiting, coming), timeout=limit, return_when=asyncio.FIRST_COMPLETED
            )
            changed = waiting.result() if waiting.done() else None
            return None if coming.done() else changed
        finally:
            waiting.cancel()
            coming.cancel()

    async def _look(self, changed: set[str] | None, news: Listener) -> None:
        """Look at the games that changed, or at all, and tell the watchers."""
        beginners: list[SeatsWatch] = []
        try:
            if changed is None:
                self._new.clear()
                beginners = [watch for watch in self._watches if not watch.has_begun]
                word = seats_word(self._principal, self._games.keys)
                there = await self._games.store.filed_games(word)
                changed = {id_ for id_, at in there.items() if self._seen.get(id_) != at}
                changed |= self._seen.keys() - there.keys()
            ids = iter(changed)
            while some := list(itertools.islice(ids, _LOADED_AT_ONCE)):
                games = await asyncio.gather(*(self._load(game_id) for game_id in some))
                for game_id, game in zip(some, games, strict=True):
                    self._take(game_id, game)
        except StoreUnavailable as error:
            # Who has begun learns more when the store is back; who has not may go elsewhere.
            for watch in self._watches:
                if not watch.has_begun:
                    watch.end(error)
            news.hear(b"")
            await asyncio.sleep(_PAUSE_S)
            return
        standing = [status for seats in self._seats.values() for status in seats.values()]
        for watch in beginners:
            watch.begin(standing)

    async def _load(self, game_id: str) -> StoredGame | None:
        try:
            return await self._games.load(game_id)
        except Refused:
            return None

    def _take(self, game_id: str, game: StoredGame | None) -> None:
        """Take note of how a game's seats stand, and tell what has changed."""
        before = self._seats.pop(game_id, {})
        self._seen.pop(game_id, None)
        now = {} if game is None else _standing(game, self._principal)
        for number, status in before.items():
            if number not in now:
                self._tell(replace(status, standing=LEFT if game else DELETED, decisions=()))
        for number, status in now.items():
            if number not in before or not status.is_like(before[number]):
                self._tell(status)
        playing = {
            number: status for number, status in now.items() if status.standing in _TO_BE_PLAYED
        }
        if game is not None and playing:
            self._seats[game_id] = playing
            self._seen[game_id] = game.cursor

    def _tell(self, status: SeatStatus) -> None:
        for watch in self._watches:
            if watch.has_begun:
                watch.tell(status)

    def _end(self, why: End | Exception) -> None:
        self.ended = True
        for watch in self._watches:
            watch.end(why)


def _standing(game: StoredGame, principal: str) -> dict[int, SeatStatus]:
    """How the seats of a principal in a game stand, by number."""
    record = game.record
    pending = record.state.pending if record.state is not None else []
    found = {}
    for number, seat in enumerate(record.seats):
        if seat.taken and seat.principal == principal:
            decisions = tuple(each for each in pending if each.seat == number)
            standing = OVER if record.status == FINISHED else WAITING if decisions else IDLE
            found[number] = SeatStatus(
                *(game.game_id, number, standing, record.status, game.cursor),
                *(decisions, record.opened_by, seat.clock.deadline),
            )
    return found
