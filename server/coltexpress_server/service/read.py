"""Reading: a game, by its name or join code, now or as it was, and a game's history."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.service.callers import Caller
from coltexpress_server.service.games import Games
from coltexpress_server.service.join_codes import bucket_of
from coltexpress_server.service.past import game_at
from coltexpress_server.service.records import (
    BY_LOBBY,
    LOBBY,
    PRIVATE,
    GameRecord,
    PastStep,
    StoredGame,
)
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import (
    Seen,
    SeenStep,
    Steps,
    eyes,
    not_found,
    see,
)
from coltexpress_server.store import Missing, WatchEnded

_MINUTE_MS: Final = 60_000


async def get_past_game(
    games: Games, caller: Caller, game_id: str, version: int | None, as_seat: int | None
) -> Seen:
    """A game as it was at a version, or is, through the eyes of a seat.

    version: None for the present one, the only one there is before the end of the game. as_seat:
    None for the caller's own eyes; any other seat's are open to all after the end of the game.
    Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING, WRONG_ROLE, GAME_NOT_OVER, GAME_NOT_STARTED,
    INVALID_FIELD.
    """
    game = await games.load(game_id)
    seen = see(game, caller, games.keys)
    viewer = eyes(seen, as_seat)
    if version is not None:
        game = await game_at(games, game, version)
    return Seen(game, viewer, seen.join_code)


async def get_game(
    games: Games, caller: Caller, game_id: str, wait_for_version: int, wait_s: float
) -> Seen:
    """A game as it is now, or when it has reached a version, or after `wait_s` seconds.

    A finished game is waited for until it has a rematch. Raises Refused: GAME_NOT_FOUND,
    TOKEN_MISSING.
    """
    game = await games.load(game_id)
    seen = see(game, caller, games.keys)
    if game.cursor.version >= wait_for_version or game.record.rematch or wait_s <= 0:
        return seen
    await _wait(games, game, wait_for_version, min(wait_s, games.settings.longest_wait_s))
    return see(await games.load(game_id), caller, games.keys)


async def find_game(games: Games, caller: Caller, code: str) -> Seen:
    """The game of a join code.

    A PRIVATE game is found until it begins: whoever knows the code has been invited to join.
    Raises Refused: GAME_NOT_FOUND, TOO_MANY.
    """
    await check_code_rate(games, caller, code)
    game_id = await games.store.find(bucket_of(code), games.keys.code_hash(code))
    if game_id is not None:
        with contextlib.suppress(Refused):  # it has gone since
            game = await games.load(game_id)
            if game.record.visibility != PRIVATE or game.record.status == LOBBY:
                return Seen(game, SPECTATOR)
    raise Refused("GAME_NOT_FOUND", "no game has this join code", field="join_code")


async def check_code_rate(games: Games, caller: Caller, code: str) -> None:
    """Raises Refused for one join code too many in a minute; the same one again counts once."""
    most = games.settings.join_codes_per_minute
    if most:
        counter, tried = games.keys.counter("codes", caller), games.keys.code_hash(code)
        wait_ms = await games.store.count(counter, tried, most=most, window_ms=_MINUTE_MS)
        if wait_ms:
            raise Refused(
                "TOO_MANY", f"at most {most} join codes a minute", retry_after_s=wait_ms / 1000
            )


async def list_steps(
    games: Games,
    caller: Caller,
    game_id: str,
    *,
    page_size: int,
    page_token: str,
    as_seat: int | None,
) -> Steps:
    """A page of a game's history as the caller, or a seat, saw it, first steps first.

    page_token: the version that the page before ended with. as_seat: see `get_past_game`.
    Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING, WRONG_ROLE, INVALID_FIELD.
    """
    if page_token and not (page_token.isascii() and page_token.isdigit() and len(page_token) < 10):
        raise Refused("INVALID_FIELD", "this is no page token", field="page_token")
    game = await games.load(game_id)
    viewer = eyes(see(game, caller, games.keys), as_seat)
    history = await games.store.entries(game_id, int(page_token or 0), page_size)
    if isinstance(history, Missing):
        raise not_found(game_id)
    seen = [seen_step(games.step(entry), viewer, game.record) for entry in history.entries]
    last = history.entries[-1].version if history.entries else 0
    return Steps(seen, "" if history.is_complete else str(last))


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
