"""What happens to a game outside its rules: the lobby's events, told like the rules' own."""

from __future__ import annotations

from dataclasses import dataclass

from coltexpress_server.game.codec import pack_options, unpack_event, unpack_options
from coltexpress_server.game.events import Event
from coltexpress_server.game.options import Options
from coltexpress_server.game.reader import Reader


@dataclass(slots=True)
class SeatShown:
    """A seat before the start, as everybody sees it; reserved: for who sat there before."""

    taken: bool
    display_name: str
    figures: list[str]
    reserved: bool = False


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
class GameUpdated(Event):
    """The host changed what is to be played; all is told as it is from then on."""

    visibility: str
    options: Options
    seats: list[SeatShown]

    @property
    def kind(self) -> str:
        """Its name."""
        return "GAME_UPDATED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        seats = [
            [seat.taken, seat.display_name, seat.figures, seat.reserved] for seat in self.seats
        ]
        return [self.visibility, pack_options(self.options), seats]


@dataclass(slots=True, eq=False)
class RematchCreated(Event):
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
class GameAborted(Event):
    """An operator ended the game; reason: for the players to read, may be empty."""

    reason: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "GAME_ABORTED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.reason]


def read_seat(row: Reader) -> SeatShown:
    """A seat before the start from its stored form. Raises Unreadable."""
    return SeatShown(row.flag(), row.text(), row.texts(), row.flag())


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
            return SeatLeft(row.number(), row.flag())
        case ["GAME_UPDATED"]:
            row.text()
            return GameUpdated(
                row.text(),
                unpack_options(row.row()),
                [read_seat(seat) for seat in row.rows()],
            )
        case ["REMATCH_CREATED"]:
            row.text()
            return RematchCreated(row.text())
        case ["GAME_ABORTED"]:
            row.text()
            return GameAborted(row.text())
    return unpack_event(row)
