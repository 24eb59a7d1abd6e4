"""Borrowing a card from the partner's deck (RULES.md 2.3.2).

The borrower plays the card or, at the end of Schemin', puts it into his own deck. Until it has been
seen by all, or has gone there, its owner is shown his deck as if it were still in it.
"""

from __future__ import annotations

from random import Random
from typing import Final

from coltexpress_server.game.cards import HIDDEN_CARD, Card, PileCard, rank_of
from coltexpress_server.game.events import CardBorrowed
from coltexpress_server.game.rules import Rules
from coltexpress_server.game.state import Extra, State


class Borrowed(Extra):
    """The cards borrowed in this round that their owners cannot know yet."""

    __slots__ = ("cards",)
    name: Final = "TEAMS"

    def __init__(self, cards: dict[int, Card]) -> None:
        """cards: by the borrower's seat; HIDDEN_CARD in the view of another seat."""
        self.cards = cards

    def copy(self) -> Borrowed:
        """An independent copy."""
        return Borrowed(self.cards.copy())

    def pack(self) -> list[object]:
        """Three values a card."""
        packed: list[object] = []
        for seat, card in self.cards.items():
            packed += (seat, card.figure, card.action)
        return packed

    def seen_by(self, seat: int) -> Borrowed:
        """A borrower knows his own, his partner that there is one.

        Other teams are not told even that: it would say whether a face-down card is borrowed.
        """
        return Borrowed(
            {
                who: card if who == seat else HIDDEN_CARD
                for who, card in self.cards.items()
                if seat in (who, partner_of(who))
            }
        )


def unpack(packed: list[object], rules: Rules) -> Borrowed:
    """What `Borrowed.pack` packed. Raises ValueError for anything else."""
    cards: dict[int, Card] = {}
    for place in range(0, len(packed), 3):
        match packed[place : place + 3]:
            case [int() as seat, str() as figure, str() as action]:
                hidden = action == HIDDEN_CARD.action
                cards[seat] = HIDDEN_CARD if hidden else rules.card(figure, action)
            case _:
                raise ValueError("no borrowed card")
    return Borrowed(cards)


def partner_of(seat: int) -> int:
    """The other seat of the team."""
    return seat ^ 1


def borrow(state: State) -> None:
    """Everybody draws the top card of the partner's deck, in seat order."""
    borrowed = _borrowed(state)
    for number, seat in enumerate(state.seats):
        partner = partner_of(number)
        cards = state.decks[state.seats[partner].deck].cards
        if cards:
            card = cards.pop()
            deck = state.decks[seat.deck]
            deck.hand.append(card)
            deck.hand.sort(key=rank_of)
            borrowed.cards[number] = card
            state.record(CardBorrowed(number, partner, card))


def reveal(state: State, seat: int, card: Card) -> None:
    """A card that is seen by all is a secret no more.

    Unless the seat has another one like it out of sight: then nobody else may learn which of the
    two was borrowed.
    """
    cards = _borrowed(state).cards
    if cards.get(seat) is card and not _has_unseen(state, seat, card):
        del cards[seat]


def put_away(state: State) -> None:
    """Cards that were not played have gone into their borrowers' decks."""
    cards = _borrowed(state).cards
    for seat in list(cards):
        if not _has_unseen(state, seat, cards[seat]):
            del cards[seat]


def borrowed_from(state: State, seat: int) -> list[Card]:
    """The card that the seat's partner has borrowed, while it is a secret."""
    card = _borrowed(state).cards.get(partner_of(seat))
    return [card] if card is not None else []


def imagine_borrowed(state: State, chance: Random) -> None:
    """Of the cards shown in the viewer's deck, one that is not there goes to the partner."""
    for seat in _borrowed(state).cards:
        deck = state.decks[state.seats[partner_of(seat)].deck]
        if HIDDEN_CARD in deck.cards or not deck.cards:
            continue
        hand = state.decks[state.seats[seat].deck].hand
        playable = [card for card in deck.cards if card.action in state.rules.actions]
        places = [index for index, card in enumerate(hand) if card is HIDDEN_CARD]
        if places:
            card = chance.choice(deck.cards)
            hand[places[0]] = card
        else:
            card = chance.choice(playable)
            index = next(
                index
                for index, played in enumerate(state.pile)
                if played.seat == seat and played.card is HIDDEN_CARD
            )
            state.pile[index] = PileCard(seat, card, face_down=True)
        deck.cards.remove(card)
        _borrowed(state).cards[seat] = card


def _has_unseen(state: State, seat: int, card: Card) -> bool:
    """Whether a seat has such a card in its hand, or face down on the pile."""
    return card in state.decks[state.seats[seat].deck].hand or any(
        played.seat == seat and played.card is card and played.face_down for played in state.pile
    )


def _borrowed(state: State) -> Borrowed:
    extra = state.extras[Borrowed.name]
    if not isinstance(extra, Borrowed):
        raise TypeError(f"{Borrowed.name} keeps {type(extra).__name__}")
    return extra
