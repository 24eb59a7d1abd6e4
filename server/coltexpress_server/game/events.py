"""What happened: typed events in the order of happening, each with what a viewer may see of it.

An event is recorded whole; `seen_by` gives what one viewer may know of it, and that never changes
later: what is revealed afterwards is an event of its own (DESIGN.md, WatchGame).
"""

from __future__ import annotations

from dataclasses import dataclass

from coltexpress_server.game.cards import HIDDEN_CARD, Card
from coltexpress_server.game.loot import UNKNOWN_VALUE, Token


class Event:
    """Base of all events; never changed once made."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """Its name, e.g. `CARD_PLAYED`; what `codec` stores it under."""
        raise NotImplementedError

    def fields(self) -> list[object]:
        """Its fields in order, as plain values: the stored form of the event."""
        raise NotImplementedError

    def seen_by(self, seat: int) -> Event:
        """The event as this seat, or SPECTATOR, may know it."""
        return self

    def hidden_from(self, seat: int) -> bool:
        """Whether this seat, or SPECTATOR, is not even told that something happened."""
        return False


@dataclass(slots=True, eq=False)
class GameStarted(Event):
    """The train stands, the bandits are aboard (1.4).

    cars: letters of the cars behind the locomotive, in order.
    figures: names of the bandits, in seat order.
    first_seat: the first player of round 1; -1 where that is not settled yet.
    """

    cars: list[str]
    figures: list[str]
    first_seat: int

    @property
    def kind(self) -> str:
        """Its name."""
        return "GAME_STARTED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.cars, self.figures, self.first_seat]


@dataclass(slots=True, eq=False)
class RoundStarted(Event):
    """A round card is revealed (1.5.1): its name, its turns, the event at its end.

    keep: how many cards may be kept for the next round (3.7.2).
    """

    number: int
    card: str
    turns: list[str]
    event: str
    first_seat: int
    keep: int = 0

    @property
    def kind(self) -> str:
        """Its name."""
        return "ROUND_STARTED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.number, self.card, self.turns, self.event, self.first_seat, self.keep]


@dataclass(slots=True, eq=False)
class CardsDrawn(Event):
    """Cards go from a deck into a hand; their number is public, the cards are the seat's alone.

    told: whether the seat has been told before, and only the others are told now (3.7.1).
    """

    seat: int
    cards: list[Card]
    told: bool = False

    @property
    def kind(self) -> str:
        """Its name."""
        return "CARDS_DRAWN"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        cards = [card_fields(card) for card in self.cards]
        return [self.seat, cards, True] if self.told else [self.seat, cards]

    def seen_by(self, seat: int) -> Event:
        """Hides the cards from all but their owner."""
        return self if seat == self.seat else CardsDrawn(self.seat, [HIDDEN_CARD] * len(self.cards))

    def hidden_from(self, seat: int) -> bool:
        """Nobody is told twice."""
        return self.told and seat == self.seat


@dataclass(slots=True, eq=False)
class TurnStarted(Event):
    """A turn of Schemin' begins (1.5.3); index counts from 0 within the round."""

    index: int
    turn: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "TURN_STARTED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.index, self.turn]


@dataclass(slots=True, eq=False)
class CardPlayed(Event):
    """A card is laid on the common pile; a face-down one is known to its player alone (1.5.4)."""

    seat: int
    card: Card
    face_down: bool

    @property
    def kind(self) -> str:
        """Its name."""
        return "CARD_PLAYED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, card_fields(self.card), self.face_down]

    def seen_by(self, seat: int) -> Event:
        """Hides a face-down card from all but its player."""
        if seat == self.seat or not self.face_down:
            return self
        return CardPlayed(self.seat, HIDDEN_CARD, face_down=True)


@dataclass(slots=True, eq=False)
class HandReturned(Event):
    """The cards left in a hand go back to the deck (1.5.5); count: how many."""

    seat: int
    count: int

    @property
    def kind(self) -> str:
        """Its name."""
        return "HAND_RETURNED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, self.count]


@dataclass(slots=True, eq=False)
class DeckRebuilt(Event):
    """A deck was empty, and its owner's discards were shuffled into a new one (2.1.2).

    count: how many cards it has.
    """

    seat: int
    count: int

    @property
    def kind(self) -> str:
        """Its name."""
        return "DECK_REBUILT"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, self.count]


@dataclass(slots=True, eq=False)
class CardsDiscarded(Event):
    """Cards of a hand go on the discard pile, the last one on top; others see but that one.

    kept: how many stay in the hand.
    """

    seat: int
    cards: list[Card]
    kept: int

    @property
    def kind(self) -> str:
        """Its name."""
        return "CARDS_DISCARDED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, [card_fields(card) for card in self.cards], self.kept]

    def seen_by(self, seat: int) -> Event:
        """Hides all but the top card from all but their owner."""
        if seat == self.seat:
            return self
        hidden = [HIDDEN_CARD] * (len(self.cards) - 1)
        return CardsDiscarded(self.seat, hidden + self.cards[-1:], self.kept)


@dataclass(slots=True, eq=False)
class CardBorrowed(Event):
    """A seat draws a card from its partner's deck (2.3.2); which one is known to it alone."""

    seat: int
    partner: int
    card: Card

    @property
    def kind(self) -> str:
        """Its name."""
        return "CARD_BORROWED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, self.partner, card_fields(self.card)]

    def seen_by(self, seat: int) -> Event:
        """Hides the card from all but the borrower."""
        return self if seat == self.seat else CardBorrowed(self.seat, self.partner, HIDDEN_CARD)


@dataclass(slots=True, eq=False)
class CardTurnedUp(Event):
    """The next card of the pile resolves (1.5.6)."""

    seat: int
    card: Card

    @property
    def kind(self) -> str:
        """Its name."""
        return "CARD_TURNED_UP"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.seat, card_fields(self.card)]


@dataclass(slots=True, eq=False)
class NoEffect(Event):
    """An action was impossible (1.5.6); rule: the paragraph that says so."""

    figure: str
    action: str
    rule: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "NO_EFFECT"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.action, self.rule]


@dataclass(slots=True, eq=False)
class FigureMoved(Event):
    """A figure changes space; cause: the action, event or meeting that moved it."""

    figure: str
    source: str
    space: str
    cause: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "FIGURE_MOVED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.source, self.space, self.cause]


@dataclass(slots=True, eq=False)
class BulletGiven(Event):
    """A bullet goes into a deck; giver: a figure, or NEUTRAL."""

    giver: str
    figure: str
    cause: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "BULLET_GIVEN"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.giver, self.figure, self.cause]


@dataclass(slots=True, eq=False)
class NeutralBulletsGone(Event):
    """The neutral pile could not serve everybody and leaves the game (1.6.8)."""

    count: int

    @property
    def kind(self) -> str:
        """Its name."""
        return "NEUTRAL_BULLETS_GONE"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.count]


@dataclass(slots=True, eq=False)
class Punched(Event):
    """A figure punches another (1.6.6)."""

    figure: str
    target: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "PUNCHED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.target]


@dataclass(slots=True, eq=False)
class LootMoved(Event):
    """A loot token changes place; its value is seen by those who know it (1.2.3).

    source, target: a space, a figure, or empty for the box.
    token: as known right after the move.
    """

    token: Token
    source: str
    target: str
    cause: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "LOOT_MOVED"

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

    figure: str
    cause: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "DECLINED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.figure, self.cause]


@dataclass(slots=True, eq=False)
class RoundEventStarted(Event):
    """The event at the end of a round begins (1.5.7)."""

    event: str

    @property
    def kind(self) -> str:
        """Its name."""
        return "ROUND_EVENT_STARTED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.event]


@dataclass(slots=True, eq=False)
class RoundEnded(Event):
    """A round is over; first_seat: who is first player from now on."""

    number: int
    first_seat: int

    @property
    def kind(self) -> str:
        """Its name."""
        return "ROUND_ENDED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.number, self.first_seat]


@dataclass(slots=True, eq=False)
class GameEnded(Event):
    """The game is over (1.9); scores and winners by seat."""

    scores: list[int]
    winners: list[int]

    @property
    def kind(self) -> str:
        """Its name."""
        return "GAME_ENDED"

    def fields(self) -> list[object]:
        """Its fields in order, as plain values."""
        return [self.scores, self.winners]


def card_fields(card: Card) -> list[object]:
    """A card as plain values."""
    return [card.figure, card.action, card.rank]
