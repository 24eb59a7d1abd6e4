"""What happens in this box alone: typed events, and how they are read back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from coltexpress_server.game.cards import HIDDEN_CARD, Card
from coltexpress_server.game.events import Event, card_fields
from coltexpress_server.game.reader import Reader


@dataclass(slots=True, eq=False)
class HostagesDisplayed(Event):
    """These hostages lie face up beside the stagecoach (3.1.2), in the order of 3.5."""

    hostages: list[str]

    @property
    def kind(self) -> str:
        """Its name."""
        return "HOSTAGES_DISPLAYED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.hostages]


@dataclass(slots=True, eq=False)
class CarBoarded(Event):
    """The choices about a car are revealed (3.1.4).

    figures: who boards it; the horse of each stays beside it. Everybody else rides on.
    """

    car: int
    figures: list[str]

    @property
    def kind(self) -> str:
        """Its name."""
        return "CAR_BOARDED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.car, self.figures]


@dataclass(slots=True, eq=False)
class FirstPlayerChosen(Event):
    """Everybody is aboard, and a first player has been drawn (3.1.5)."""

    seat: int

    @property
    def kind(self) -> str:
        """Its name."""
        return "FIRST_PLAYER_CHOSEN"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat]


@dataclass(slots=True, eq=False)
class HorseMoved(Event):
    """A horse runs from beside one car to beside another; cause: RIDE or HIGH_SPEED."""

    source: int
    car: int
    cause: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "HORSE_MOVED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.source, self.car, self.cause]


@dataclass(slots=True, eq=False)
class HorseLeft(Event):
    """A horse leaves the game, tired or with its rider; cause: TIRED_HORSES or RIDE.

    car: beside which it was.
    """

    car: int
    cause: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "HORSE_LEFT"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.car, self.cause]


@dataclass(slots=True, eq=False)
class StagecoachMoved(Event):
    """The stagecoach drops back, with all in and on it; cause: STAGECOACH or HIGH_SPEED.

    source, car: the cars beside which it was and is.
    """

    source: int
    car: int
    cause: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "STAGECOACH_MOVED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.source, self.car, self.cause]


@dataclass(slots=True, eq=False)
class HostageTaken(Event):
    """A bandit takes a hostage, for good (3.3.3)."""

    figure: str
    hostage: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "HOSTAGE_TAKEN"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.hostage]


@dataclass(slots=True, eq=False)
class WhiskeyDrunk(Event):
    """A flask is drunk from instead of a normal turn (3.6.2); its sort is known from then on.

    figure: whose flask it is.
    flask: what it was, e.g. FLASK or HALF_OLD_FLASK.
    old: whether it is old whiskey.
    """

    seat: int
    figure: str
    flask: str
    old: bool

    @property
    def kind(self) -> str:
        """Its name."""
        return "WHISKEY_DRUNK"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, self.figure, self.flask, self.old]


@dataclass(slots=True, eq=False)
class CardsKept(Event):
    """Cards stay in a hand for the next round (3.7.2); which ones is their owner's secret."""

    seat: int
    cards: list[Card]

    @property
    def kind(self) -> str:
        """Its name."""
        return "CARDS_KEPT"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, [card_fields(card) for card in self.cards]]

    def seen_by(self, seat: int) -> Event:
        """Hides the cards from all but their owner."""
        return self if seat == self.seat else CardsKept(self.seat, [HIDDEN_CARD] * len(self.cards))


@dataclass(slots=True, eq=False)
class DrawnInSecret(Event):
    """A seat draws in a TURMOIL turn (3.7.1); the others are told when all have chosen."""

    seat: int
    cards: list[Card]

    @property
    def kind(self) -> str:
        """Its name."""
        return "DRAWN_IN_SECRET"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, [card_fields(card) for card in self.cards]]

    def hidden_from(self, seat: int) -> bool:
        """From all but who draws."""
        return seat != self.seat


UNPACK: Final[dict[str, Callable[[Reader], Event]]] = {
    "HOSTAGES_DISPLAYED": lambda row: HostagesDisplayed(row.texts()),
    "CAR_BOARDED": lambda row: CarBoarded(row.number(), row.texts()),
    "FIRST_PLAYER_CHOSEN": lambda row: FirstPlayerChosen(row.number()),
    "HORSE_MOVED": lambda row: HorseMoved(row.number(), row.number(), row.text()),
    "HORSE_LEFT": lambda row: HorseLeft(row.number(), row.text()),
    "STAGECOACH_MOVED": lambda row: StagecoachMoved(row.number(), row.number(), row.text()),
    "HOSTAGE_TAKEN": lambda row: HostageTaken(row.text(), row.text()),
    "WHISKEY_DRUNK": lambda row: WhiskeyDrunk(row.number(), row.text(), row.text(), row.flag()),
    "DRAWN_IN_SECRET": lambda row: DrawnInSecret(row.number(), row.cards()),
    "CARDS_KEPT": lambda row: CardsKept(row.number(), row.cards()),
}
"""How each kind of event is read, by its name."""
