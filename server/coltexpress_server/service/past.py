"""A finished game as it was at an earlier version: played again from its seed and its choices.

A game is some two hundred choices long, which take some ten milliseconds; they are played in a
thread, so that other calls need not wait for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from coltexpress_server.game.engine import apply, new_game
from coltexpress_server.game.generator import mix
from coltexpress_server.game.vocabulary import parse
from coltexpress_server.service.clocks import SeatClock
from coltexpress_server.service.events import (
    AutoPlayStarted,
    AutoPlayStopped,
    SeatHandedOver,
)
from coltexpress_server.service.games import Games
from coltexpress_server.service.records import (
    BY_PLAYER,
    BY_TIMEOUT,
    FINISHED,
    RUNNING,
    GameRecord,
    PastStep,
    SeatRecord,
    StoredGame,
)
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import not_found
from coltexpress_server.store import Entry, Missing

_GONE: Final = b"gone"
"""No token has this hash; in a record of the past it stands for a player who has left since."""


async def history(games: Games, game_id: str) -> list[PastStep]:
    """All steps of a game. Raises Refused if there is no such game."""
    entries: list[Entry] = []
    while True:
        page = await games.store.entries(game_id, len(entries))
        if isinstance(page, Missing):
            raise not_found(game_id)
        entries += page.entries
        if page.is_complete:
            return [games.step(entry) for entry in entries]


def played(steps: Sequence[PastStep]) -> list[PastStep]:
    """The steps in which the game was played: its start, then every choice.

    Raises Refused: GAME_NOT_STARTED for a game that ended before it began.
    """
    begun = next((past for past in steps if past.step.decisions), None)
    if begun is None:
        raise Refused("GAME_NOT_STARTED", "the game ended before it had begun")
    return [begun, *(past for past in steps if past.step.choice)]


async def game_at(games: Games, game: StoredGame, version: int) -> StoredGame:
    """A finished game as it was at a version.

    Raises Refused: INVALID_FIELD for a version that it never had, GAME_NOT_OVER,
    GAME_NOT_STARTED for one before its start.
    """
    if version == game.cursor.version:
        return game
    if version > game.cursor.version:
        raise Refused(
            "INVALID_FIELD", f"the game is at version {game.cursor.version}", field="at_version"
        )
    if game.record.status != FINISHED:
        raise Refused("GAME_NOT_OVER", "a game is shown as it was when it is over")
    steps = await history(games, game.game_id)
    at = steps[version - 1]
    until = [past for past in played(steps) if past.cursor.version <= version]
    if not until:
        raise Refused("GAME_NOT_STARTED", "the game had not begun at this version")
    record = await asyncio.to_thread(_record_at, game.record, until)
    record.seats = _seats_at(record.seats, steps[until[0].cursor.version - 1 :], version)
    return StoredGame(game.game_id, at.cursor, record, game.created_ms, at.time_ms)


def _seats_at(
    seats: Sequence[SeatRecord], steps: Sequence[PastStep], version: int
) -> list[SeatRecord]:
    """The seats at a version: who played them, and what time they had.

    seats: as they are. steps: from the start of the game to its end.
    """
    then = [replace(seat, auto_play="", misses=0, clock=SeatClock()) for seat in seats]
    for seat in then:
        seat.token_hash = seat.token_hash or (b"" if seat.bot else _GONE)
    for past in steps:
        for event in past.step.events:
            if isinstance(event, SeatHandedOver):
                # A player sat there until then.
                then[event.seat].token_hash, then[event.seat].bot = _GONE, ""
    until = [past for past in steps if past.cursor.version <= version]
    for past in until:
        step = past.step
        if step.trigger in {BY_PLAYER, BY_TIMEOUT}:
            seat = then[step.seat]
            seat.misses = seat.misses + 1 if step.trigger == BY_TIMEOUT else 0
        for event in step.events:
            match event:
                case SeatHandedOver(seat=number, level=level):
                    then[number].bot, then[number].auto_play = level, ""
                case AutoPlayStarted(seat=number, level=level):
                    then[number].auto_play = level
                case AutoPlayStopped(seat=number):
                    then[number].auto_play = ""
    last = until[-1]
    for decision, clock in zip(last.step.decisions, last.step.clocks, strict=True):
        then[decision.seat].clock = clock.settled(last.time_ms)
    return then


def _record_at(record: GameRecord, until: Sequence[PastStep]) -> GameRecord:
    """The record after some steps of play, from the start on."""
    seed = mix(record.seed, [seat.entropy for seat in record.seats])
    state = new_game(record.options, [seat.chosen for seat in record.seats], seed)
    for past in until[1:]:
        choice = parse(past.step.choice)
        if choice is None:
            raise ValueError("the history of this game holds what is no choice")
        apply(state, past.step.seat, choice)
    then = record.copy()
    then.state = state
    then.opened_by = until[-1].step.opened_by
    then.status = FINISHED if state.finished else RUNNING
    return then
