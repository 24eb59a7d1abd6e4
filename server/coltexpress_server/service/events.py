"""What happens to a game outside its rules: the lobby's events, told like the rules' own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from coltexpress_server.game.codec import Reader, unpack_event
from coltexpress_server.game.events import Event


@dataclass(slots=True, eq=False)
class GameCreated(Event):
    """The game was created; seed_hash: SHA-256 of the server's seed."""

    kind: ClassVar[str] = "GAME_CREATED"
    seed_hash: bytes

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seed_hash]


@dataclass(slots=True, eq=False)
class SeatTaken(Event):
    """Somebody sits down; figures: the bandits chosen, none if they are dealt at the start."""

    kind: ClassVar[str] = "SEAT_TAKEN"
    seat: int
    display_name: str
    figures: list[str]

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, self.display_name, self.figures]


@dataclass(slots=True, eq=False)
class SeatLeft(Event):
    """A seat is free again."""

    kind: ClassVar[str] = "SEAT_LEFT"
    seat: int

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat]


def unpack(packed: object) -> Event:
    """An event of the lobby or of the rules from its stored form. Raises Unreadable."""
    row = Reader(packed)
    match row.rest()[:1]:
        case [GameCreated.kind]:
            row.text()
            return GameCreated(row.data())
        case [SeatTaken.kind]:
            row.text()
            return SeatTaken(row.number(), row.text(), row.texts())
        case [SeatLeft.kind]:
            row.text()
            return SeatLeft(row.number())
    return unpack_event(row)
