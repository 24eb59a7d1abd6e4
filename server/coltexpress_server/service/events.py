"""What happens to a game outside its rules: the lobby's events, told like the rules' own."""

from __future__ import annotations

from dataclasses import dataclass

from coltexpress_server.game.codec import unpack_event
from coltexpress_server.game.events import Event
from coltexpress_server.game.reader import Reader


@dataclass(slots=True, eq=False)
class GameCreated(Event):
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
class SeatTaken(Event):
    """Somebody sits down; figures: the bandits chosen, none if they are dealt at the start."""

    seat: int
    display_name: str
    figures: list[str]

    @property
    def kind(self) -> str:
        """Its name."""
        return "SEAT_TAKEN"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, self.display_name, self.figures]


@dataclass(slots=True, eq=False)
class SeatLeft(Event):
    """A seat is free again."""

    seat: int

    @property
    def kind(self) -> str:
        """Its name."""
        return "SEAT_LEFT"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat]


def unpack(packed: object) -> Event:
    """An event of the lobby or of the rules from its stored form. Raises Unreadable."""
    row = Reader(packed)
    match row.rest()[:1]:
        case ["GAME_CREATED"]:
            row.text()
            return GameCreated(row.data())
        case ["SEAT_TAKEN"]:
            row.text()
            return SeatTaken(row.number(), row.text(), row.texts())
        case ["SEAT_LEFT"]:
            row.text()
            return SeatLeft(row.number())
    return unpack_event(row)
