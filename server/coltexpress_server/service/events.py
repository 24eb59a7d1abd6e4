"""What happens to a game outside its rules, told like the rules' own events: who plays where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from coltexpress_server.game.codec import pack_options, unpack_event, unpack_options
from coltexpress_server.game.events import Event
from coltexpress_server.game.options import Options
from coltexpress_server.game.reader import Reader
from coltexpress_server.service.clocks import Clock, pack_clock, unpack_clock

REQUESTED: Final = "REQUESTED"
MISSED_DEADLINES: Final = "MISSED_DEADLINES"
ABANDONED: Final = "ABANDONED"


class TableEvent(Event):
    """Base of what happens to a game outside its rules."""

    __slots__ = ()


@dataclass(slots=True)
class SeatShown:
    """A seat as everybody sees it.

    bot, auto_play, reserved: see `records.SeatRecord`.
    """

    taken: bool
    display_name: str
    figures: list[str]
    bot: str = ""
    auto_play: str = ""
    reserved: bool = False

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [
            *(self.taken, self.display_name, self.figures, self.bot, self.auto_play),
            self.reserved,
        ]


def unpack_seat(row: Reader) -> SeatShown:
    """A seat from its fields. Raises Unreadable."""
    return SeatShown(*(row.flag(), row.text(), row.texts(), row.text(), row.text(), row.flag()))


@dataclass(slots=True, eq=False)
class GameCreated(TableEvent):
    """The game was created; seed_hash: SHA-256 of the server's seed."""

    seed_hash: bytes

    @property
    def kind(self) -> str:
        """Its name."""
        return "GAME_CREATED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seed_hash]


@dataclass(slots=True, eq=False)
class SeatTaken(TableEvent):
    """Somebody sits down.

    figures: the bandits chosen, none if they are dealt at the start.
    bot: the level of a bot, empty for a player.
    """

    seat: int
    display_name: str
    figures: list[str]
    bot: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "SEAT_TAKEN"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, self.display_name, self.figures, self.bot]


@dataclass(slots=True, eq=False)
class SeatLeft(TableEvent):
    """A seat is free again; removed: whether the host removed its player."""

    seat: int
    removed: bool = False

    @property
    def kind(self) -> str:
        """Its name."""
        return "SEAT_LEFT"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, self.removed]


@dataclass(slots=True, eq=False)
class GameUpdated(TableEvent):
    """The host changed what is to be played; all is told as it is from then on."""

    visibility: str
    options: Options
    seats: list[SeatShown]
    clock: Clock | None
    stand_in: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "GAME_UPDATED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        seats = [seat.fields() for seat in self.seats]
        clock = pack_clock(self.clock)
        return [self.visibility, pack_options(self.options), seats, clock, self.stand_in]


@dataclass(slots=True, eq=False)
class AutoPlayStarted(TableEvent):
    """A bot of this level plays for a player; reason: REQUESTED, MISSED_DEADLINES or ABANDONED."""

    seat: int
    level: str
    reason: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "AUTO_PLAY_STARTED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, self.level, self.reason]


@dataclass(slots=True, eq=False)
class AutoPlayStopped(TableEvent):
    """A player is back."""

    seat: int

    @property
    def kind(self) -> str:
        """Its name."""
        return "AUTO_PLAY_STOPPED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat]


@dataclass(slots=True, eq=False)
class SeatHandedOver(TableEvent):
    """A player leaves a game that has begun; a bot of this level plays the seat to the end."""

    seat: int
    level: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "SEAT_HANDED_OVER"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, self.level]


@dataclass(slots=True, eq=False)
class RematchCreated(TableEvent):
    """The game is over, and the same players may play the next one; game: its id."""

    game: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "REMATCH_CREATED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.game]


@dataclass(slots=True, eq=False)
class GameAborted(TableEvent):
    """An operator ended the game; reason: for the players to read, may be empty."""

    reason: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "GAME_ABORTED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.reason]


def of_the_rules(events: list[Event]) -> list[Event]:
    """The events that belong to the game itself."""
    return [event for event in events if not isinstance(event, TableEvent)]


def unpack(packed: object) -> Event:
    """An event of the lobby or of the rules from its stored form. Raises Unreadable."""
    row = Reader(packed)
    match row.rest()[:1]:
        case ["GAME_CREATED"]:
            row.text()
            return GameCreated(row.data())
        case ["SEAT_TAKEN"]:
            row.text()
            return SeatTaken(row.number(), row.text(), row.texts(), row.text())
        case ["SEAT_LEFT"]:
            row.text()
            return SeatLeft(row.number(), row.flag())
        case ["AUTO_PLAY_STARTED"]:
            row.text()
            return AutoPlayStarted(row.number(), row.text(), row.text())
        case ["AUTO_PLAY_STOPPED"]:
            row.text()
            return AutoPlayStopped(row.number())
        case ["SEAT_HANDED_OVER"]:
            row.text()
            return SeatHandedOver(row.number(), row.text())
        case ["GAME_UPDATED"]:
            row.text()
            return GameUpdated(
                row.text(),
                unpack_options(row.row()),
                [unpack_seat(seat) for seat in row.rows()],
                unpack_clock(row.row()),
                row.text(),
            )
        case ["REMATCH_CREATED"]:
            row.text()
            return RematchCreated(row.text())
        case ["GAME_ABORTED"]:
            row.text()
            return GameAborted(row.text())
    return unpack_event(row)
