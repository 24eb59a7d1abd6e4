"""Tokens that are good for watching one game for a while, and for nothing else.

They stand in URLs, where the tokens of seats and hosts must not be. Nothing is stored of them: what
they say is signed with the service's key, together with the hash of the token that they stand for,
so that they end with it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from time import time
from typing import Final

from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.service.callers import Caller
from coltexpress_server.service.games import Games
from coltexpress_server.service.keys import Keys, same
from coltexpress_server.service.records import PRIVATE, GameRecord, StoredGame
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import Seen, not_found, see, see_as

_PREFIX: Final = "watch_"
_TOKEN: Final = re.compile(r"watch_(?P<role>[0-9]{1,2}|host|spectator)\.(?P<until>[0-9]{1,12})\..*")
_HOST: Final = "host"
_SPECTATOR: Final = "spectator"


@dataclass(frozen=True, slots=True)
class WatchToken:
    """A token; until: in seconds since 1970."""

    token: str
    until: int


def is_watch_token(token: str) -> bool:
    """Whether a token is meant for watching, good or not."""
    return token.startswith(_PREFIX)


async def create_watch_token(games: Games, caller: Caller, game_id: str) -> WatchToken:
    """Makes a token for watching a game through the caller's eyes.

    Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING.
    """
    game = await games.load(game_id)
    seen = see(game, caller, games.keys)
    role = str(seen.viewer)
    if seen.viewer == SPECTATOR:
        role = _HOST if caller.token else _SPECTATOR
    until = int(time() + games.settings.watch_token_ttl_s)
    return WatchToken(_token(game, role, until, games.keys), until)


def see_by_token(game: StoredGame, token: str, keys: Keys) -> Seen:
    """The game as the bearer of a watch token sees it.

    Raises Refused: TOKEN_EXPIRED; TOKEN_MISSING for a token of another game, and for one of a seat
    that was given up since, or GAME_NOT_FOUND where the game is PRIVATE.
    """
    found = _TOKEN.fullmatch(token)
    if found is None:
        raise _not_good(game)
    role, until = found["role"], int(found["until"])
    if not same(_token(game, role, until, keys).encode(), token.encode()):
        raise _not_good(game)
    if until < time():
        raise Refused("TOKEN_EXPIRED", "the watch token has expired; make another one")
    return see_as(
        game, int(role) if role.isdigit() else SPECTATOR, keys, takes_part=role != _SPECTATOR
    )


def _token(game: StoredGame, role: str, until: int, keys: Keys) -> str:
    stands_for = _stands_for(game.record, role)
    if stands_for is None:
        raise _not_good(game)
    return f"{_PREFIX}{role}.{until}.{keys.watch_signature(game.game_id, role, until, stands_for)}"


def _stands_for(record: GameRecord, role: str) -> bytes | None:
    """The hash of the token that a role is shown by; None where nobody has the role."""
    if role == _SPECTATOR:
        # A game may have become PRIVATE since.
        return b"" if record.visibility != PRIVATE else None
    if role == _HOST:
        return record.host_hash
    seat = int(role)
    if seat >= len(record.seats) or not record.seats[seat].taken:
        return None
    return record.seats[seat].token_hash


def _not_good(game: StoredGame) -> Refused:
    if game.record.visibility == PRIVATE:
        return not_found(game.game_id)
    return Refused("TOKEN_MISSING", "the watch token is not good for this game, or not any more")
