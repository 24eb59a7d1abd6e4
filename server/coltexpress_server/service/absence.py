"""Players who are away, for a while or for good, and the bots that play for them."""

from __future__ import annotations

from coltexpress_server.bots.levels import LEVELS
from coltexpress_server.game.events import Event
from coltexpress_server.service.callers import Caller
from coltexpress_server.service.due import abandoned_ms, may_be_abandoned
from coltexpress_server.service.events import (
    ABANDONED,
    REQUESTED,
    AutoPlayStarted,
    AutoPlayStopped,
    SeatHandedOver,
)
from coltexpress_server.service.games import NO_REQUEST, Change, Games, Request
from coltexpress_server.service.keys import digest
from coltexpress_server.service.records import (
    BY_SEAT,
    FINISHED,
    LOBBY,
    NOBODY,
    GameRecord,
    Step,
    StoredGame,
)
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import Seen, require_seat, see


def check_level(level: str, field: str) -> None:
    """Raises Refused INVALID_FIELD for a level of bots that there is not."""
    if level not in LEVELS:
        raise Refused(
            "INVALID_FIELD", f"the levels of bots here are {', '.join(LEVELS)}", field=field
        )


def usual_stand_in() -> str:
    """The level that plays for absent players unless the host says otherwise: the strongest."""
    return list(LEVELS)[-1]


async def set_auto_play(
    games: Games, caller: Caller, game_id: str, request_id: str, level: str
) -> Seen:
    """Has a bot of this level play for the caller; with an empty level the caller plays again.

    Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING, WRONG_ROLE, GAME_NOT_STARTED, GAME_OVER,
    INVALID_FIELD.
    """
    if level:
        check_level(level, "level")

    def decide(game: StoredGame) -> Change:
        number = require_seat(game, caller, games.keys)
        _check_in_play(game)
        record = game.record.copy()
        seat = record.seats[number]
        events: list[Event] = []
        if level and level != seat.auto_play:
            events.append(AutoPlayStarted(number, level, REQUESTED))
        elif seat.auto_play and not level:
            events.append(AutoPlayStopped(number))
        seat.auto_play = level
        seat.misses = 0
        return Change(record, _step(record, number, events))

    request = Request(
        games.keys.request_key(game_id, caller.token, request_id), digest("auto-play", level)
    )
    changed = await games.change(game_id, request, decide)
    return see(await games.after(changed, game_id), caller, games.keys)


def handed_over(game: StoredGame, seat: int) -> Change:
    """A change by which a player leaves his seat to a bot for good; his token ends.

    Raises Refused: GAME_NOT_STARTED, GAME_OVER.
    """
    _check_in_play(game)
    record = game.record.copy()
    left = record.seats[seat]
    left.token_hash = b""
    left.principal = ""
    left.bot = record.stand_in
    left.auto_play = ""
    left.misses = 0
    return Change(record, _step(record, seat, [SeatHandedOver(seat, left.bot)]))


async def abandon(games: Games, game_id: str) -> None:
    """Has bots play a game to its end in which nobody has answered anything for very long.

    Only a game without a clock comes to that: in others decisions time out. Raises Refused for a
    game that is none, Untimely where the game has not waited long enough.
    """

    def decide(game: StoredGame) -> Change:
        if not may_be_abandoned(game.record):
            raise Refused("DECISION_CLOSED", "the game goes on by itself")
        record = game.record.copy()
        events: list[Event] = []
        for number, seat in enumerate(record.seats):
            if not seat.played_by:
                seat.auto_play = record.stand_in
                events.append(AutoPlayStarted(number, seat.auto_play, ABANDONED))
        change = Change(record, _step(record, NOBODY, events))
        change.not_before = abandoned_ms(game, games.settings)
        return change

    await games.change(game_id, NO_REQUEST, decide)


def _check_in_play(game: StoredGame) -> None:
    if game.record.status == LOBBY:
        raise Refused("GAME_NOT_STARTED", "the game has not begun")
    if game.record.status == FINISHED:
        raise Refused("GAME_OVER", "the game is over")


def _step(record: GameRecord, seat: int, events: list[Event]) -> Step:
    pending = record.state.pending if record.state is not None else []
    return Step(BY_SEAT, seat, "", events, list(pending), b"")
