"""What happens to a game outside its rules, told like the rules' own events: who plays where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from coltexpress_server.game.codec import unpack_event
from coltexpress_server.game.events import Event
from coltexpress_server.game.reader import Reader

REQUESTED: Final = "REQUESTED"
MISSED_DEADLINES: Final = "MISSED_DEADLINES"
ABANDONED: Final = "ABANDONED"


class TableEvent(Event):
    """Base of what happens to a game outside its rules."""

    __slots__ = ()


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
    """A seat is free again."""

    seat: int

    @property
    def kind(self) -> str:
        """Its name."""
        return "SEAT_LEFT"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat]


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
            return SeatLeft(row.number())
        case ["AUTO_PLAY_STARTED"]:
            row.text()
            return AutoPlayStarted(row.number(), row.text(), row.text())
        case ["AUTO_PLAY_STOPPED"]:
            row.text()
            return AutoPlayStopped(row.number())
        case ["SEAT_HANDED_OVER"]:
            row.text()
            return SeatHandedOver(row.number(), row.text())
    return unpack_event(row)
