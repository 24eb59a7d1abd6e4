"""Dealing the cards of a position out of what the file leaves."""

from __future__ import annotations

from coltexpress_server.game.boxes.base.round import hand_size
from coltexpress_server.game.cards import BULLET, Card, rank_of
from coltexpress_server.game.state import Seat, State
from coltexpress_server.scenarios.language import Position


def deal(position: Position) -> None:
    """Fills hands and decks that are not named.

    In Schemin' a hand gets as many cards as at the start of a round, else none; the deck gets the
    others. What is left when a deck is named is out of the game.
    """
    state = position.state
    for seat in state.seats:
        deck = state.decks[seat.deck]
        hand, cards = position.hands.get(seat.deck), position.decks.get(seat.deck)
        left = _left(position, seat)
        position.chance.shuffle(left)
        if hand is None:
            size = hand_size(state, seat) if position.start in {"SCHEMIN", "SETUP"} else 0
            hand, left = left[:size], left[size:]
        deck.hand[:] = sorted(hand, key=rank_of)
        deck.cards[:] = left if cards is None else reversed(cards)


def _left(position: Position, seat: Seat) -> list[Card]:
    """A seat's action cards and bullets received, without those named or on the pile.

    Its action cards may be named among those of the other seats of its team.
    """
    state = position.state
    own = _own(state, seat)
    used = [played.card for played in state.pile]
    for other in state.seats:
        for named in (position.hands, position.decks, position.elsewhere):
            cards = named.get(other.deck, [])
            used += cards if other is seat else [card for card in cards if card.action != BULLET]
    for card in used:
        if card in own:
            own.remove(card)
    own.sort(key=rank_of)
    return own


def _own(state: State, seat: Seat) -> list[Card]:
    rules = state.rules
    own = [rules.card(*words) for words in rules.seating.deck(seat.figures, rules.deck)]
    for name in seat.figures:
        own += rules.bullets_held(state, state.figures[name])
    return own
