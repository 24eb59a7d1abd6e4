"""What is stored of a game, and the steps of its history, with their way to bytes and back.

A record is the game's lobby and, once begun, its state. A step is what one commit adds to the
history. The layouts belong to the schema of `game.codec`: SCHEMA goes up with them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec

from coltexpress_server.game.boxes import rules_for
from coltexpress_server.game.codec import (
    RULES_REVISION,
    SCHEMA,
    check_revision,
    decode_state,
    encode_state,
    pack_decision,
    pack_event,
    pack_options,
    read,
    unpack_decision,
    unpack_options,
)
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.events import Event
from coltexpress_server.game.options import Options
from coltexpress_server.game.reader import Reader
from coltexpress_server.game.state import State
from coltexpress_server.service import events
from coltexpress_server.service.clocks import Clock, SeatClock, pack_clock, unpack_clock
from coltexpress_server.service.events import SeatShown, unpack_seat
from coltexpress_server.store import Cursor, Entry, Listed

LOBBY: Final = "LOBBY"
RUNNING: Final = "RUNNING"
FINISHED: Final = "FINISHED"

PUBLIC: Final = "PUBLIC"
UNLISTED: Final = "UNLISTED"
PRIVATE: Final = "PRIVATE"

BY_LOBBY: Final = "LOBBY"
BY_PLAYER: Final = "PLAYER"
BY_TIMEOUT: Final = "TIMEOUT"
BY_BOT: Final = "BOT"
BY_SEAT: Final = "SEAT"
BY_OPERATOR: Final = "OPERATOR"

NOBODY: Final = -1


@dataclass(slots=True)
class SeatRecord:
    """A seat.

    token_hash: of its player's token, empty where no player sits.
    meant: bandits that its player must play, as the host wished; empty for any.
    chosen: bandits that its player chose, or those meant; empty to be dealt one at the start.
    entropy: what its player brought to the shuffle.
    principal: name of who took it; empty for the anonymous, and while it is free.
    bot: the level of the bot that sits there; empty for a player.
    auto_play: the level of the bot that plays for the player, empty while he plays himself.
    misses: how many deadlines the player has missed in a row.
    clock: what is left of its time.
    reserved: whether nobody else may take it than who sat there in the game before.
    """

    token_hash: bytes
    display_name: str
    meant: list[str]
    chosen: list[str]
    entropy: bytes
    principal: str = ""
    bot: str = ""
    auto_play: str = ""
    misses: int = 0
    clock: SeatClock = field(default_factory=SeatClock)
    reserved: bool = False

    @property
    def taken(self) -> bool:
        """Whether somebody sits there."""
        return bool(self.token_hash or self.bot)

    @property
    def played_by(self) -> str:
        """The level of the bot that answers for the seat; empty where a player does."""
        return self.bot or self.auto_play


@dataclass(slots=True)
class GameRecord:
    """All that is stored of a game; changed by making a changed copy.

    principal: name of who created it.
    host_hash: of the host's token.
    code_number: which of the join codes that the game could have it has.
    seed: the server's seed, 32 bytes; a secret until the end.
    clock: how long players may think; None for all the time in the world.
    stand_in: the level of the bot that plays for whoever is absent or has left.
    state: None before the start.
    rematch: id of the game that is played after this one; empty while there is none.
    aborted: whether an operator ended it.
    opened_by: mark of the commit that opened the decisions that are open; empty while none is.
    """

    status: str
    visibility: str
    options: Options
    principal: str
    host_hash: bytes
    code_number: int
    seed: bytes
    clock: Clock | None
    stand_in: str
    seats: list[SeatRecord]
    state: State | None
    rematch: str = ""
    aborted: bool = False
    opened_by: str = ""

    @property
    def seed_hash(self) -> bytes:
        """What is published of the seed at creation."""
        return hashlib.sha256(self.seed).digest()

    @property
    def figures(self) -> list[list[str]]:
        """Who is led by each seat: before the start bandits chosen, and who goes without saying."""
        if self.state is not None:
            return [list(seat.figures) for seat in self.state.seats]
        seating = rules_for(self.options, len(self.seats)).seating
        leads = [seating.leads(number) for number in range(len(self.seats))]
        return [
            [leads[number]] if leads[number] else list(seat.chosen)
            for number, seat in enumerate(self.seats)
        ]

    def copy(self) -> GameRecord:
        """An independent copy, but for the state, which is changed on a copy of its own."""
        return replace(self, seats=[replace(seat) for seat in self.seats])

    def settle(self, time_ms: int) -> None:
        """Makes the seats' clocks plain: the record was committed at this time of the store's."""
        for seat in self.seats:
            seat.clock = seat.clock.settled(time_ms)


@dataclass(slots=True)
class StoredGame:
    """A game as the store confirmed it: its record, settled, at a point in its history."""

    game_id: str
    cursor: Cursor
    record: GameRecord
    created_ms: int
    updated_ms: int


@dataclass(slots=True)
class Step:
    """What one commit added to a game's history.

    trigger: BY_LOBBY, BY_PLAYER, ...
    seat: whose choice it was, or NOBODY.
    choice: its canonical text, or empty.
    events: whole, as recorded.
    decisions: those open after it, whole.
    seed: the server's seed, if the game is over with this step; else empty.
    clocks: for each of the decisions, what its seat then had of its time.
    opened_by: mark of the commit that opened the decisions; empty where there are none.
    """

    trigger: str
    seat: int
    choice: str
    events: list[Event]
    decisions: list[Decision]
    seed: bytes
    clocks: list[SeatClock] = field(default_factory=list)
    opened_by: str = ""


@dataclass(slots=True)
class PastStep:
    """A step at its place in history."""

    cursor: Cursor
    time_ms: int
    step: Step

    @property
    def deadlines(self) -> list[int]:
        """When each of the decisions is decided for its seat, by the store's clock; 0 for never."""
        return [clock.settled(self.time_ms).deadline for clock in self.step.clocks]


@dataclass(slots=True)
class Summary:
    """What lists show of a game."""

    game_id: str
    version: int
    status: str
    visibility: str
    options: Options
    clock: Clock | None
    seats: list[SeatShown]
    created_ms: int
    updated_ms: int
    aborted: bool = False


def encode_record(record: GameRecord) -> bytes:
    """The stored form of a record."""
    return msgspec.msgpack.encode(
        [
            SCHEMA,
            RULES_REVISION,
            record.status,
            record.visibility,
            pack_options(record.options),
            record.principal,
            record.host_hash,
            record.code_number,
            record.seed,
            pack_clock(record.clock),
            record.stand_in,
            [
                [
                    *(seat.token_hash, seat.display_name, seat.meant, seat.chosen, seat.entropy),
                    *(seat.principal, seat.bot, seat.auto_play, seat.misses),
                    _pack_seat_clock(seat.clock),
                    seat.reserved,
                ]
                for seat in record.seats
            ],
            record.rematch,
            record.aborted,
            record.opened_by,
            encode_state(record.state) if record.state is not None else b"",
        ]
    )


def decode_record(data: bytes) -> GameRecord:
    """A record from its stored form. Raises Unreadable."""
    row = _read_checked(data)
    record = GameRecord(
        status=row.text(),
        visibility=row.text(),
        options=unpack_options(row.row()),
        principal=row.text(),
        host_hash=row.data(),
        code_number=row.number(),
        seed=row.data(),
        clock=unpack_clock(row.row()),
        stand_in=row.text(),
        seats=[
            SeatRecord(
                *(seat.data(), seat.text(), seat.texts(), seat.texts(), seat.data()),
                *(seat.text(), seat.text(), seat.text(), seat.number()),
                _unpack_seat_clock(seat.row()),
                seat.flag(),
            )
            for seat in row.rows()
        ],
        state=None,
        rematch=row.text(),
        aborted=row.flag(),
        opened_by=row.text(),
    )
    state = row.data()
    if state:
        record.state = decode_state(state)
        if record.aborted:
            # The state by itself would go on.
            record.state.pending = []
    return record


def encode_step(step: Step) -> bytes:
    """The stored form of a step."""
    return msgspec.msgpack.encode(
        [
            SCHEMA,
            RULES_REVISION,
            step.trigger,
            step.seat,
            step.choice,
            [pack_event(event) for event in step.events],
            [pack_decision(decision) for decision in step.decisions],
            step.seed,
            [_pack_seat_clock(clock) for clock in step.clocks],
            step.opened_by,
        ]
    )


def decode_step(entry: Entry) -> PastStep:
    """The step that an entry of the history holds. Raises Unreadable."""
    row = _read_checked(entry.payload)
    step = Step(
        trigger=row.text(),
        seat=row.number(),
        choice=row.text(),
        events=[events.unpack(packed) for packed in row.row().rest()],
        decisions=[unpack_decision(packed) for packed in row.rows()],
        seed=row.data(),
        clocks=[_unpack_seat_clock(clock) for clock in row.rows()],
        opened_by=row.text(),
    )
    return PastStep(entry.cursor, entry.time_ms, step)


def encode_summary(record: GameRecord) -> bytes:
    """The stored form of what lists show."""
    return msgspec.msgpack.encode(
        [
            SCHEMA,
            RULES_REVISION,
            record.status,
            record.visibility,
            pack_options(record.options),
            pack_clock(record.clock),
            [
                SeatShown(
                    *(seat.taken, seat.display_name, figures, seat.bot, seat.auto_play),
                    seat.reserved,
                ).fields()
                for seat, figures in zip(record.seats, record.figures, strict=True)
            ],
            record.aborted,
        ]
    )


def decode_summary(listed: Listed) -> Summary:
    """A summary from its stored form. Raises Unreadable."""
    row = _read_checked(listed.summary)
    return Summary(
        listed.game_id,
        listed.version,
        row.text(),
        row.text(),
        unpack_options(row.row()),
        unpack_clock(row.row()),
        [unpack_seat(seat) for seat in row.rows()],
        listed.created_ms,
        listed.updated_ms,
        aborted=row.flag(),
    )


def _pack_seat_clock(clock: SeatClock) -> list[int]:
    return [clock.reserve_ms, clock.deadline, clock.given_ms, clock.closed]


def _unpack_seat_clock(row: Reader) -> SeatClock:
    return SeatClock(row.number(), row.number(), row.number(), row.number())


def _read_checked(data: bytes) -> Reader:
    row = read(data)
    check_revision(row.number(), row.number())
    return row
