"""Reading: a game, the list of games, a game's history."""

from __future__ import annotations

import asyncio
import contextlib

from coltexpress_server.service.callers import Caller
from coltexpress_server.service.games import Games
from coltexpress_server.service.records import (
    BY_LOBBY,
    FINISHED,
    GameRecord,
    PastStep,
    StoredGame,
    decode_summary,
)
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import (
    Listing,
    Seen,
    SeenStep,
    Steps,
    not_found,
    viewer_of,
)
from coltexpress_server.store import Entry, Missing, WatchEnded


async def get_game(
    games: Games, caller: Caller, game_id: str, wait_for_version: int, wait_s: float
) -> Seen:
    """A game as it is now, or when it has reached a version, or after `wait_s` seconds.

    A finished game is not waited for. Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING.
    """
    game = await games.load(game_id)
    viewer = viewer_of(game, caller, games.keys)
    if game.cursor.version >= wait_for_version or game.record.status == FINISHED or wait_s <= 0:
        return Seen(game, viewer)
    await _wait(games, game, wait_for_version, min(wait_s, games.settings.longest_wait_s))
    game = await games.load(game_id)
    return Seen(game, viewer_of(game, caller, games.keys))


async def list_games(games: Games, page_size: int, page_token: str, statuses: set[str]) -> Listing:
    """A page of the PUBLIC games, newest first; statuses: only these, empty for all.

    Raises Refused: INVALID_FIELD for a page token that is none.
    """
    try:
        page = await games.store.list_games(page_size, page_token or None)
    except ValueError as error:
        raise Refused("INVALID_FIELD", "this is no page token", field="page_token") from error
    summaries = [decode_summary(listed) for listed in page.games]
    return Listing(
        [summary for summary in summaries if not statuses or summary.status in statuses],
        page.next or "",
    )


async def list_steps(
    games: Games, caller: Caller, game_id: str, page_size: int, page_token: str
) -> Steps:
    """A page of a game's history as the caller saw it, first steps first.

    page_token: the version that the page before ended with.
    Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING, INVALID_FIELD.
    """
    if page_token and not (page_token.isascii() and page_token.isdigit() and len(page_token) < 10):
        raise Refused("INVALID_FIELD", "this is no page token", field="page_token")
    game = await games.load(game_id)
    viewer = viewer_of(game, caller, games.keys)
    history = await games.store.entries(game_id, int(page_token or 0), page_size)
    if isinstance(history, Missing):
        raise not_found(game_id)
    seen = [seen_step(games.step(entry), viewer, game.record) for entry in history.entries]
    last = history.entries[-1].version if history.entries else 0
    return Steps(seen, "" if history.is_complete else str(last))


async def finished_game(
    games: Games, caller: Caller, game_id: str
) -> tuple[StoredGame, list[PastStep]]:
    """A finished game with its whole history, for its replay.

    Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING, GAME_NOT_OVER.
    """
    game = await games.load(game_id)
    viewer_of(game, caller, games.keys)
    if game.record.status != FINISHED:
        raise Refused("GAME_NOT_OVER", "a game can be replayed when it is over")
    entries: list[Entry] = []
    while True:
        history = await games.store.entries(game_id, len(entries))
        if isinstance(history, Missing):
            raise not_found(game_id)
        entries += history.entries
        if history.is_complete:
            return game, [games.step(entry) for entry in entries]


def seen_step(past: PastStep, viewer: int, record: GameRecord) -> SeenStep:
    """A step with the bandits known when it was taken: those of the lobby's steps are not."""
    in_lobby = past.step.trigger == BY_LOBBY and not past.step.decisions
    return SeenStep(past, viewer, [] if in_lobby else record.figures)


async def _wait(games: Games, game: StoredGame, version: int, seconds: float) -> None:
    """Waits until the game has reached a version, or changed so that waiting is over."""
    with (
        games.store.watch(game.game_id, game.cursor) as watcher,
        contextlib.suppress(TimeoutError, WatchEnded),
    ):
        async with asyncio.timeout(seconds):
            async for entry in watcher:
                if entry.version >= version or games.step(entry).step.seed:
                    return
