"""When games need attention though nobody asks about them."""

from __future__ import annotations

from dataclasses import dataclass

from coltexpress_server.game.engine import new_game
from coltexpress_server.game.options import STANDARD
from coltexpress_server.service.clocks import Clock, SeatClock
from coltexpress_server.service.due import Due, due_after, for_bots, may_be_abandoned, next_ms, wind
from coltexpress_server.service.records import (
    BY_LOBBY,
    FINISHED,
    NOBODY,
    PUBLIC,
    RUNNING,
    GameRecord,
    SeatRecord,
    Step,
    StoredGame,
)
from coltexpress_server.store import Cursor

CAST = [["DOC"], ["GHOST"], ["BELLE"]]
NOW = 1_000_000
WEEK_MS = 604_800_000


@dataclass
class Settings:
    abandoned_after_s: float = 604_800
    bot_pause_s: float = 0.5


SETTINGS = Settings()


def begun(clock: Clock | None = None) -> GameRecord:
    """A game of which the start is about to be committed."""
    state = new_game(STANDARD, CAST, bytes(32))
    seats = [SeatRecord(b"hash", "", [], names, b"", clock=SeatClock(60_000)) for names in CAST]
    return GameRecord(
        status=RUNNING,
        visibility=PUBLIC,
        options=STANDARD,
        principal="",
        host_hash=b"",
        code_number=0,
        seed=bytes(32),
        clock=clock,
        stand_in="RANDOM",
        seats=seats,
        state=state,
    )


def committed(record: GameRecord) -> StoredGame:
    record.settle(NOW)
    return StoredGame("00" + "a" * 24, Cursor(1, "0" * 16), record, NOW, NOW)


def asked(record: GameRecord) -> SeatRecord:
    """The seat that is to decide."""
    assert record.state is not None
    return record.seats[record.state.pending[0].seat]


def start(record: GameRecord) -> Step:
    assert record.state is not None
    step = Step(BY_LOBBY, NOBODY, "", [], list(record.state.pending), b"")
    wind(record, None, step)
    return step


def test_a_game_with_a_clock_is_due_at_its_deadline() -> None:
    record = begun(Clock(30, 60, 2))
    step = start(record)
    assert due_after(record, SETTINGS) == Due(None, 90_000)
    assert step.clocks == [asked(record).clock]
    game = committed(record)
    assert asked(record).clock.deadline == NOW + 90_000
    assert next_ms(game, SETTINGS) == NOW + 90_000


def test_a_game_without_a_clock_is_due_when_it_counts_as_abandoned() -> None:
    record = begun()
    start(record)
    assert may_be_abandoned(record)
    assert due_after(record, SETTINGS) == Due(None, WEEK_MS)
    assert next_ms(committed(record), SETTINGS) == NOW + WEEK_MS


def test_a_bots_move_is_due_here_before_it_is_anywhere_else() -> None:
    for put in ("bot", "auto_play"):
        record = begun()
        setattr(asked(record), put, "RANDOM")
        start(record)
        assert [decision.seat for decision in for_bots(record)] == [
            record.seats.index(asked(record))
        ]
        assert not may_be_abandoned(record)
        elsewhere = due_after(record, SETTINGS).in_ms
        here = next_ms(committed(record), SETTINGS)
        assert here == NOW + 500
        assert elsewhere is not None
        assert NOW + elsewhere > here


def test_a_game_that_is_over_is_never_due() -> None:
    """Not even one that was ended in the middle of a decision."""
    record = begun(Clock(30, 60, 2))
    asked(record).bot = "RANDOM"
    record.status = FINISHED
    wind(record, None, Step(BY_LOBBY, NOBODY, "", [], [], b""))
    assert due_after(record, SETTINGS) == Due(None, None)
    assert next_ms(committed(record), SETTINGS) is None
