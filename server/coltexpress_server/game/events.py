"""What happened: typed events in the order of happening, each with what a viewer may see of it.

An event is recorded whole; `seen_by` gives what one viewer may know of it, and that never changes
later: what is revealed afterwards is an event of its own (DESIGN.md, WatchGame).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from coltexpress_server.game.cards import HIDDEN_CARD, Card
from coltexpress_server.game.loot import UNKNOWN_VALUE, Token


class Event:
    """Base of all events; never changed once made."""

    __slots__ = ()
    kind: ClassVar[str] = ""

    def fields(self) -> list[object]:
        """Its fields in order, as plain values: the stored form of the event."""
        raise NotImplementedError

    def seen_by(self, seat: int) -> Event:
        """The event as this seat, or SPECTATOR, may know it."""
        return self


@dataclass(slots=True, eq=False)
class GameStarted(Event):
    """The train stands, the bandits are aboard (1.4).

    cars: letters of the cars behind the locomotive, in order.
    figures: names of the bandits, in seat order.
    first_seat: the first player of round 1.
    """

    kind: ClassVar[str] = "GAME_STARTED"
    cars: list[str]
    figures: list[str]
    first_seat: int

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.cars, self.figures, self.first_seat]


@dataclass(slots=True, eq=False)
class RoundStarted(Event):
    """A round card is revealed (1.5.1): its name, its turns, the event at its end."""

    kind: ClassVar[str] = "ROUND_STARTED"
    number: int
    card: str
    turns: list[str]
    event: str
    first_seat: int

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.number, self.card, self.turns, self.event, self.first_seat]


@dataclass(slots=True, eq=False)
class CardsDrawn(Event):
    """Cards go from a deck into a hand; their number is public, the cards are the seat's alone."""

    kind: ClassVar[str] = "CARDS_DRAWN"
    seat: int
    cards: list[Card]

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, [_card(card) for card in self.cards]]

    def seen_by(self, seat: int) -> Event:
        """Hides the cards from all but their owner."""
        return self if seat == self.seat else CardsDrawn(self.seat, [HIDDEN_CARD] * len(self.cards))


@dataclass(slots=True, eq=False)
class TurnStarted(Event):
    """A turn of Schemin' begins (1.5.3); index counts from 0 within the round."""

    kind: ClassVar[str] = "TURN_STARTED"
    index: int
    turn: str

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.index, self.turn]


@dataclass(slots=True, eq=False)
class CardPlayed(Event):
    """A card is laid on the common pile; a face-down one is known to its player alone (1.5.4)."""

    kind: ClassVar[str] = "CARD_PLAYED"
    seat: int
    card: Card
    face_down: bool

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, _card(self.card), self.face_down]

    def seen_by(self, seat: int) -> Event:
        """Hides a face-down card from all but its player."""
        if seat == self.seat or not self.face_down:
            return self
        return CardPlayed(self.seat, HIDDEN_CARD, face_down=True)


@dataclass(slots=True, eq=False)
class HandReturned(Event):
    """The cards left in a hand go back to the deck (1.5.5); count: how many."""

    kind: ClassVar[str] = "HAND_RETURNED"
    seat: int
    count: int

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, self.count]


@dataclass(slots=True, eq=False)
class CardTurnedUp(Event):
    """The next card of the pile resolves (1.5.6)."""

    kind: ClassVar[str] = "CARD_TURNED_UP"
    seat: int
    card: Card

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, _card(self.card)]


@dataclass(slots=True, eq=False)
class NoEffect(Event):
    """An action was impossible (1.5.6); rule: the paragraph that says so."""

    kind: ClassVar[str] = "NO_EFFECT"
    figure: str
    action: str
    rule: str

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.action, self.rule]


@dataclass(slots=True, eq=False)
class FigureMoved(Event):
    """A figure changes space; cause: the action, event or meeting that moved it."""

    kind: ClassVar[str] = "FIGURE_MOVED"
    figure: str
    source: str
    space: str
    cause: str

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.source, self.space, self.cause]


@dataclass(slots=True, eq=False)
class BulletGiven(Event):
    """A bullet goes into a deck; giver: a figure, or NEUTRAL."""

    kind: ClassVar[str] = "BULLET_GIVEN"
    giver: str
    figure: str
    cause: str

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.giver, self.figure, self.cause]


@dataclass(slots=True, eq=False)
class NeutralBulletsGone(Event):
    """The neutral pile could not serve everybody and leaves the game (1.6.8)."""

    kind: ClassVar[str] = "NEUTRAL_BULLETS_GONE"
    count: int

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.count]


@dataclass(slots=True, eq=False)
class Punched(Event):
    """A figure punches another (1.6.6)."""

    kind: ClassVar[str] = "PUNCHED"
    figure: str
    target: str

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.target]


@dataclass(slots=True, eq=False)
class LootMoved(Event):
    """A loot token changes place; its value is seen by those who know it (1.2.3).

    source, target: a space, a figure, or empty for the box.
    token: as known right after the move.
    """

    kind: ClassVar[str] = "LOOT_MOVED"
    token: Token
    source: str
    target: str
    cause: str

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        token = self.token
        return [token.kind, token.value, token.known, self.source, self.target, self.cause]

    def seen_by(self, seat: int) -> Event:
        """Hides the value from those who do not know it, and from all who else knows it."""
        known = self.token.known_to(seat)
        value = self.token.value if known else UNKNOWN_VALUE
        token = Token(self.token.kind, value, 1 << seat if known else 0)
        return LootMoved(token, self.source, self.target, self.cause)


@dataclass(slots=True, eq=False)
class Declined(Event):
    """A seat refused what it may refuse (1.8.5)."""

    kind: ClassVar[str] = "DECLINED"
    figure: str
    cause: str

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.cause]


@dataclass(slots=True, eq=False)
class RoundEventStarted(Event):
    """The event at the end of a round begins (1.5.7)."""

    kind: ClassVar[str] = "ROUND_EVENT_STARTED"
    event: str

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.event]


@dataclass(slots=True, eq=False)
class RoundEnded(Event):
    """A round is over; first_seat: who is first player from now on."""

    kind: ClassVar[str] = "ROUND_ENDED"
    number: int
    first_seat: int

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.number, self.first_seat]


@dataclass(slots=True, eq=False)
class GameEnded(Event):
    """The game is over (1.9); scores and winners by seat."""

    kind: ClassVar[str] = "GAME_ENDED"
    scores: list[int]
    winners: list[int]

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.scores, self.winners]


def _card(card: Card) -> list[object]:
    return [card.figure, card.action, card.rank]


EVENTS: tuple[type[Event], ...] = (
    GameStarted,
    RoundStarted,
    CardsDrawn,
    TurnStarted,
    CardPlayed,
    HandReturned,
    CardTurnedUp,
    NoEffect,
    FigureMoved,
    BulletGiven,
    NeutralBulletsGone,
    Punched,
    LootMoved,
    Declined,
    RoundEventStarted,
    RoundEnded,
    GameEnded,
)
"""All kinds of event."""
