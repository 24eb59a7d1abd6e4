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
from coltexpress_server.game.state import Deck, Extra, State


class Borrowed(Extra):
    """The borrowed cards that their owners cannot know yet: of this round, or kept in hand."""

    __slots__ = ("cards",)
    name: Final = "TEAMS"

    def __init__(self, cards: dict[int, list[Card]]) -> None:
        """cards: by the borrower's seat; HIDDEN_CARDs in the view of another seat."""
        self.cards = cards

    def copy(self) -> Borrowed:
        """An independent copy."""
        return Borrowed({seat: cards.copy() for seat, cards in self.cards.items()})

    def pack(self) -> list[object]:
        """Three values a card."""
        packed: list[object] = []
        for seat, cards in self.cards.items():
            for card in cards:
                packed += (seat, card.figure, card.action)
        return packed

    def seen_by(self, seat: int) -> Borrowed:
        """A borrower knows his own, his partner how many there are.

        Other teams are not told even that: it would say whether a face-down card is borrowed.
        """
        return Borrowed(
            {
                who: cards if who == seat else [HIDDEN_CARD] * len(cards)
                for who, cards in self.cards.items()
                if seat in (who, partner_of(who))
            }
        )


def unpack(packed: list[object], rules: Rules) -> Borrowed:
    """What `Borrowed.pack` packed. Raises ValueError for anything else."""
    cards: dict[int, list[Card]] = {}
    for place in range(0, len(packed), 3):
        match packed[place : place + 3]:
            case [int() as seat, str() as figure, str() as action]:
                hidden = action == HIDDEN_CARD.action
                card = HIDDEN_CARD if hidden else rules.card(figure, action)
                cards.setdefault(seat, []).append(card)
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
            borrowed.cards.setdefault(number, []).append(card)
            state.record(CardBorrowed(number, partner, card))


def reveal(state: State, seat: int, card: Card) -> None:
    """A card that is seen by all is a secret no more.

    Unless the seat has another one like it out of sight: then nobody else may learn which of the
    two was borrowed.
    """
    _keep_unseen(state, seat)


def put_away(state: State) -> None:
    """Cards that were neither played nor kept have gone into their borrowers' decks."""
    for seat in list(_borrowed(state).cards):
        _keep_unseen(state, seat)


def borrowed_from(state: State, seat: int) -> list[Card]:
    """The cards that the seat's partner has borrowed, while they are a secret."""
    return _borrowed(state).cards.get(partner_of(seat), [])


def imagine_borrowed(state: State, chance: Random) -> None:
    """Of the cards shown in the viewer's deck, those that are not there go to the partner."""
    for seat, cards in _borrowed(state).cards.items():
        deck = state.decks[state.seats[partner_of(seat)].deck]
        if HIDDEN_CARD in deck.cards or not deck.cards:
            continue
        for number in range(len(cards)):
            cards[number] = _imagine_one(state, seat, deck, chance)


def _imagine_one(state: State, seat: int, deck: Deck, chance: Random) -> Card:
    """A card that is shown in the viewer's deck goes where the partner must have it."""
    hand = state.decks[state.seats[seat].deck].hand
    places = [index for index, card in enumerate(hand) if card is HIDDEN_CARD]
    if places:
        card = chance.choice(deck.cards)
        hand[places[0]] = card
    else:
        card = chance.choice([card for card in deck.cards if card.action in state.rules.actions])
        index = next(
            index
            for index, played in enumerate(state.pile)
            if played.seat == seat and played.card is HIDDEN_CARD
        )
        state.pile[index] = PileCard(seat, card, face_down=True)
    deck.cards.remove(card)
    return card


def _keep_unseen(state: State, seat: int) -> None:
    """Only what the seat has in its hand, or face down on the pile, can still be a secret."""
    borrowed = _borrowed(state).cards
    unseen = state.decks[state.seats[seat].deck].hand.copy()
    unseen += [played.card for played in state.pile if played.seat == seat and played.face_down]
    secret: list[Card] = []
    for card in borrowed.get(seat, ()):
        if card in unseen:
            unseen.remove(card)
            secret.append(card)
    if secret:
        borrowed[seat] = secret
    else:
        borrowed.pop(seat, None)


def _borrowed(state: State) -> Borrowed:
    extra = state.extras[Borrowed.name]
    if not isinstance(extra, Borrowed):
        raise TypeError(f"{Borrowed.name} keeps {type(extra).__name__}")
    return extra
