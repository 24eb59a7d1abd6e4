"""Under which words the store files a game, so that those it concerns find it.

Every game is filed under its status, a PUBLIC one besides under a word for lists; for each
principal with an API key that has a part in it also under a word of the principal's: one for games
in which a seat of his is still to be played, another one for all the rest, which are over, or
hosted by him without a seat.
"""

from __future__ import annotations

from dataclasses import dataclass

from coltexpress_server.service.keys import Keys
from coltexpress_server.service.records import FINISHED, PUBLIC, GameRecord


@dataclass(frozen=True, slots=True)
class Filing:
    """The words of a game, and those of them whose listeners are to hear of its changes."""

    words: tuple[str, ...]
    told: tuple[str, ...]


def filing(record: GameRecord, keys: Keys) -> Filing:
    """How a game is filed."""
    seated = {seat.principal for seat in record.seats if seat.taken and seat.principal}
    playing = seated if record.status != FINISHED else set()
    others = (seated | {record.principal}) - playing - {""}
    told = tuple(sorted(seats_word(name, keys) for name in playing))
    rest = sorted(games_word(name, keys) for name in others)
    public = (public_word(record.status),) if record.visibility == PUBLIC else ()
    return Filing((status_word(record.status), *public, *told, *rest), told)


def status_word(status: str) -> str:
    """The word of all games of a status."""
    return f"status.{status}"


def public_word(status: str) -> str:
    """The word of the PUBLIC games of a status."""
    return f"public.{status}"


def seats_word(principal: str, keys: Keys) -> str:
    """The word of the games in which a seat of this principal is still to be played."""
    return f"seats.{keys.principal(principal)}"


def games_word(principal: str, keys: Keys) -> str:
    """The word of the other games in which this principal has, or had, a part."""
    return f"games.{keys.principal(principal)}"
