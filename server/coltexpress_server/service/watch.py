"""Watching a game: first as it is, then each step as it is committed."""

from __future__ import annotations

import asyncio
import re
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from coltexpress_server.game.events import Event
from coltexpress_server.service.callers import Caller
from coltexpress_server.service.events import GameUpdated, SeatHandedOver, SeatLeft
from coltexpress_server.service.games import Games
from coltexpress_server.service.read import seen_step
from coltexpress_server.service.records import FINISHED, PRIVATE
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import Seen, SeenStep, see
from coltexpress_server.service.watch_tokens import is_watch_token, see_by_token
from coltexpress_server.store import (
    Cursor,
    CursorUnknown,
    GameDeleted,
    SlowWatcher,
    WatchClosed,
    WatchEnded,
    Watcher,
)

_END: Final = {
    CursorUnknown: "CURSOR_UNKNOWN",
    GameDeleted: "GAME_DELETED",
    SlowWatcher: "TOO_SLOW",
    WatchClosed: "DRAINING",
}

_FIRST_SIGN_S: Final = 1.0
"""How soon a watch that was resumed shows that it is alive: until then its client cannot know, and
clients whose streams break again and again give up."""

_CURSOR: Final = re.compile(r"(0|[1-9][0-9]{0,8})-[0-9a-f]{16}")


@dataclass(slots=True)
class Idle:
    """Nothing has happened for a while; cursor: where to resume."""

    cursor: str


@dataclass(slots=True)
class End:
    """Nothing more will come here.

    reason: GAME_OVER, GAME_DELETED, GAME_HIDDEN, DRAINING, TOO_SLOW, CURSOR_UNKNOWN or
        TOKEN_REVOKED.
    cursor: where to resume, empty where that is vain.
    """

    reason: str
    cursor: str


async def watch_game(games: Games, caller: Caller, game_id: str, cursor: str) -> Watch:
    """Begins to watch a game, as it is now or, with a cursor, behind that.

    Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING, TOKEN_EXPIRED for a watch token, INVALID_FIELD
    for a cursor that is none.
    """
    after = parse_cursor(cursor) if cursor else None
    game = await games.load(game_id)
    if is_watch_token(caller.token):
        return Watch(games, see_by_token(game, caller.token, games.keys), after)
    return Watch(games, see(game, caller, games.keys), after)


class Watch:
    """An iterator over what a watcher gets, ending after an End; to be used as a context manager.

    ended: set when no more steps will come, for one who is still busy passing on an earlier one.
    """

    def __init__(self, games: Games, seen: Seen, after: Cursor | None) -> None:
        """Made by `watch_game`."""
        self._games: Final = games
        self._seen: Final = seen
        self._game = game = seen.game
        self._viewer: Final = seen.viewer
        self._admitted_at: Final = game.cursor.version
        self._first = after is None
        heartbeat_s = games.settings.heartbeat_s
        self._silence_s = heartbeat_s if self._first else min(_FIRST_SIGN_S, heartbeat_s)
        self._open: Final = ExitStack()
        self._watcher: Final[Watcher] = self._open.enter_context(
            games.store.watch(game.game_id, after or game.cursor)
        )
        self._end: End | None = None
        self._over = False

    @property
    def ended(self) -> asyncio.Event:
        """See the class."""
        return self._watcher.ended

    @property
    def cursor(self) -> str:
        """Where to resume after what was passed on last."""
        return cursor_text(self._watcher.cursor)

    async def __aenter__(self) -> Self:
        """Enter."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop watching."""
        self._open.close()

    def __aiter__(self) -> Self:
        """Return itself."""
        return self

    async def __anext__(self) -> Seen | SeenStep | Idle | End:
        """The next thing to pass on, waiting for it if need be."""
        if self._over:
            raise StopAsyncIteration
        if self._first:
            self._first = False
            return self._seen
        if self._end is None and self._is_last(self._watcher.cursor):
            self._end = End("GAME_OVER", "")
        if self._end is not None:
            self._over = True
            return self._end
        try:
            async with asyncio.timeout(self._silence_s):
                entry = await anext(self._watcher)
        except TimeoutError:
            self._silence_s = self._games.settings.heartbeat_s
            return Idle(self.cursor)
        except WatchEnded as ended:
            self._over = True
            reason = _END[type(ended)]
            return End(reason, self.cursor if reason in {"DRAINING", "TOO_SLOW"} else "")
        self._silence_s = self._games.settings.heartbeat_s
        past = self._games.step(entry)
        step = past.step
        if step.decisions and self._game.record.state is None:
            self._game = await self._games.load(self._game.game_id)
        if step.seed:
            self._end = End("GAME_OVER", "")
        elif past.cursor.version > self._admitted_at:
            # What came before happened to somebody who had the seat earlier.
            for event in step.events:
                self._end = self._end or self._shuts_out(event)
        return seen_step(past, self._viewer, self._game.record)

    def _shuts_out(self, event: Event) -> End | None:
        """The end that an event means for this watcher, if it means one."""
        match event:
            case SeatLeft() | SeatHandedOver() if event.seat == self._viewer:
                return End("TOKEN_REVOKED", "")
            case GameUpdated() if event.visibility == PRIVATE and not self._seen.has_part:
                return End("GAME_HIDDEN", "")
        return None

    def _is_last(self, cursor: Cursor) -> bool:
        """Whether nothing can come after this point."""
        return self._game.record.status == FINISHED and cursor == self._game.cursor


def cursor_text(cursor: Cursor) -> str:
    """A cursor as clients see it."""
    return f"{cursor.version}-{cursor.mark}"


def parse_cursor(text: str) -> Cursor:
    """A cursor from its text. Raises Refused INVALID_FIELD."""
    if _CURSOR.fullmatch(text):
        version, _, mark = text.partition("-")
        return Cursor(int(version), mark)
    raise Refused("INVALID_FIELD", "this is no cursor", field="cursor")
