"""Results of use cases, with through whose eyes they are to be seen."""

from __future__ import annotations

from dataclasses import dataclass

from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.service.callers import Caller
from coltexpress_server.service.keys import Keys, same
from coltexpress_server.service.records import (
    FINISHED,
    PRIVATE,
    GameRecord,
    PastStep,
    StoredGame,
    Summary,
)
from coltexpress_server.service.refusals import Refused


@dataclass(slots=True)
class Seen:
    """A game and its viewer: a seat's number, or SPECTATOR.

    join_code: of the game, for those who may pass it on; else empty.
    """

    game: StoredGame
    viewer: int
    join_code: str = ""

    @property
    def has_part(self) -> bool:
        """Whether this is for the host or a player."""
        return bool(self.join_code)


@dataclass(slots=True)
class SeenStep:
    """A step of a game's history and its viewer.

    figures: the bandits of each seat as far as known then, for telling the story.
    """

    past: PastStep
    viewer: int
    figures: list[list[str]]


@dataclass(slots=True)
class Steps:
    """A page of a game's history; next_page_token is empty on the last page."""

    steps: list[SeenStep]
    next_page_token: str


@dataclass(slots=True)
class Listing:
    """A page of the list of games; next_page_token is empty on the last page."""

    summaries: list[Summary]
    next_page_token: str


def is_host(record: GameRecord, caller: Caller, keys: Keys) -> bool:
    """Whether the caller showed the host's token."""
    return bool(caller.token) and same(record.host_hash, keys.hash(caller.token))


def seat_of(record: GameRecord, caller: Caller, keys: Keys) -> int | None:
    """The seat whose token the caller showed."""
    if not caller.token:
        return None
    shown = keys.hash(caller.token)
    for number, seat in enumerate(record.seats):
        if seat.taken and same(seat.token_hash, shown):
            return number
    return None


def viewer_of(game: StoredGame, caller: Caller, keys: Keys) -> int:
    """Through whose eyes the caller sees the game.

    Raises Refused: GAME_NOT_FOUND for a PRIVATE game he has no part in, TOKEN_MISSING for a token
    that is none of this game.
    """
    seat = seat_of(game.record, caller, keys)
    if seat is not None:
        return seat
    if is_host(game.record, caller, keys):
        return SPECTATOR
    if game.record.visibility == PRIVATE:
        raise not_found(game.game_id)
    if caller.token:
        raise Refused("TOKEN_MISSING", "the token belongs to no seat of this game")
    return SPECTATOR


def see(game: StoredGame, caller: Caller, keys: Keys) -> Seen:
    """The game as the caller sees it; host and players see its join code.

    Raises Refused like `viewer_of`.
    """
    return see_as(game, viewer_of(game, caller, keys), keys, takes_part=bool(caller.token))


def see_as(game: StoredGame, viewer: int, keys: Keys, *, takes_part: bool) -> Seen:
    """The game as a viewer sees it; takes_part: whether he is its host or sits there."""
    return Seen(game, viewer, _join_code(game, keys) if takes_part else "")


def check_seat(record: GameRecord, seat: int, field: str) -> None:
    """Raises Refused for a seat that there is not."""
    if not 0 <= seat < len(record.seats):
        raise Refused("INVALID_FIELD", f"there are {len(record.seats)} seats, from 0", field=field)


def eyes(seen: Seen, as_seat: int | None) -> int:
    """Through whose eyes a caller sees a game who asks to see it as a seat does; None for his own.

    Raises Refused: INVALID_FIELD, and WRONG_ROLE where that is another's seat and the game is not
    over.
    """
    record = seen.game.record
    if as_seat is None or as_seat == seen.viewer:
        return seen.viewer
    check_seat(record, as_seat, "as_seat")
    if record.status != FINISHED:
        raise Refused(
            "WRONG_ROLE", "until the end of the game only its player sees what a seat sees"
        )
    return as_seat


def for_host(game: StoredGame, keys: Keys) -> Seen:
    """The game as its host sees it."""
    return Seen(game, SPECTATOR, _join_code(game, keys))


def require_seat(game: StoredGame, caller: Caller, keys: Keys) -> int:
    """The caller's seat. Raises Refused where he has none."""
    seat = seat_of(game.record, caller, keys)
    if seat is not None:
        return seat
    raise _wrong_role(game, caller, keys, "a seat's")


def require_part(game: StoredGame, caller: Caller, keys: Keys) -> int | None:
    """The caller's seat, or None where he is the host. Raises Refused where he is neither."""
    seat = seat_of(game.record, caller, keys)
    if seat is None and not is_host(game.record, caller, keys):
        raise _wrong_role(game, caller, keys, "a seat's or the host's")
    return seat


def require_host(game: StoredGame, caller: Caller, keys: Keys) -> None:
    """Raises Refused where the caller is not the host."""
    if not is_host(game.record, caller, keys):
        raise _wrong_role(game, caller, keys, "the host's")


def not_found(game_id: str) -> Refused:
    """Refuses a game that does not exist, or that the caller may not know to exist."""
    return Refused("GAME_NOT_FOUND", "there is no such game", game=f"games/{game_id}")


def _join_code(game: StoredGame, keys: Keys) -> str:
    return keys.join_code(game.game_id, game.record.code_number)


def _wrong_role(game: StoredGame, caller: Caller, keys: Keys, whose: str) -> Refused:
    try:
        viewer_of(game, caller, keys)
    except Refused as refused:
        return refused
    if not caller.token:
        return Refused("TOKEN_MISSING", f"this takes {whose} token")
    return Refused("WRONG_ROLE", f"this takes {whose} token")
