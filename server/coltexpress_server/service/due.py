"""When a game needs the service's attention though nobody asks about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from coltexpress_server.bots.levels import LEVELS
from coltexpress_server.game.decisions import Decision
from coltexpress_server.service.clocks import wound
from coltexpress_server.service.records import RUNNING, GameRecord, Step, StoredGame

_TAKEN_OVER_AFTER_MS: Final = 2_000
_SLOW_TAKEN_OVER_AFTER_MS: Final = 15_000
"""After how long another process plays a bot's move that the one to play it has not made."""


class DueSettings(Protocol):
    """What of the settings counts here; see GameSettings."""

    @property
    def abandoned_after_s(self) -> float:
        """See GameSettings."""

    @property
    def bot_pause_s(self) -> float:
        """See GameSettings."""


@dataclass(frozen=True, slots=True)
class Due:
    """When a game is due: at a time, and some time after the commit; the earlier one counts."""

    at_ms: int | None
    in_ms: int | None


def wind(record: GameRecord, before: GameRecord | None, step: Step) -> None:
    """Sets the clocks of a record that is to be committed with this step.

    Decisions that the step opened get a deadline, those of before keep theirs.
    """
    clocks = wound(
        record.clock,
        [seat.clock for seat in record.seats],
        [not seat.bot for seat in record.seats],
        before.state.pending if before is not None and before.state is not None else [],
        _pending(record),
    )
    for seat, clock in zip(record.seats, clocks, strict=True):
        seat.clock = clock
    step.clocks = [clocks[decision.seat] for decision in step.decisions]


def for_bots(record: GameRecord) -> list[Decision]:
    """The open decisions that a bot of the service is to answer."""
    return [decision for decision in _pending(record) if record.seats[decision.seat].played_by]


def due_after(record: GameRecord, settings: DueSettings) -> Due:
    """When a game is due for any process, once this record is committed.

    A bot's move is due some time after the process that commits this should have made it.
    """
    at, after = [], []
    if bots := for_bots(record):
        slow = any(_thinks_slowly(record.seats[each.seat].played_by) for each in bots)
        limit_ms = _SLOW_TAKEN_OVER_AFTER_MS if slow else _TAKEN_OVER_AFTER_MS
        after.append(_pause_ms(settings) + limit_ms)
    elif may_be_abandoned(record):
        after.append(_abandoned_ms(settings))
    for decision in _pending(record):
        clock = record.seats[decision.seat].clock
        if clock.due_ms is not None:
            at.append(clock.due_ms)
        if clock.due_in_ms is not None:
            after.append(clock.due_in_ms)
    return Due(min(at, default=None), min(after, default=None))


def next_ms(game: StoredGame, settings: DueSettings) -> int | None:
    """When a game is due for the process that has committed it, by the store's clock."""
    record = game.record
    times = [clock.deadline for clock in (seat.clock for seat in record.seats) if clock.deadline]
    if for_bots(record):
        times.append(game.updated_ms + _pause_ms(settings))
    elif may_be_abandoned(record):
        times.append(abandoned_ms(game, settings))
    return min(times, default=None)


def may_be_abandoned(record: GameRecord) -> bool:
    """Whether only players can take the game further, and nothing makes them."""
    return record.status == RUNNING and record.clock is None and not for_bots(record)


def abandoned_ms(game: StoredGame, settings: DueSettings) -> int:
    """When a game without a clock counts as abandoned, if nothing happens until then."""
    return game.updated_ms + _abandoned_ms(settings)


def _pending(record: GameRecord) -> list[Decision]:
    """The open decisions; there are none any more in a game that was ended before its end."""
    return record.state.pending if record.state is not None and record.status == RUNNING else []


def _thinks_slowly(level: str) -> bool:
    found = LEVELS.get(level)
    return found is not None and found.slow


def _pause_ms(settings: DueSettings) -> int:
    return round(settings.bot_pause_s * 1000)


def _abandoned_ms(settings: DueSettings) -> int:
    return round(settings.abandoned_after_s * 1000)
