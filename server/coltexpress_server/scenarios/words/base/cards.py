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
        left = _left(state, seat, (hand or []) + (cards or []))
        position.chance.shuffle(left)
        if hand is None:
            size = hand_size(state, seat) if position.start in {"SCHEMIN", "SETUP"} else 0
            hand, left = left[:size], left[size:]
        deck.hand[:] = sorted(hand, key=rank_of)
        deck.cards[:] = left if cards is None else reversed(cards)
        if position.start == "ROUND":
            # All own cards are about to be shuffled (1.5.1).
            deck.cards += deck.hand
            deck.hand.clear()


def _left(state: State, seat: Seat, named: list[Card]) -> list[Card]:
    """A seat's action cards and bullets received, without those named or on the pile."""
    own = [state.rules.card(name, action) for name in seat.figures for action in state.rules.deck]
    for name in seat.figures:
        own += [state.rules.card(giver, BULLET) for giver in state.figures[name].received]
    for card in named + [played.card for played in state.pile]:
        if card in own:
            own.remove(card)
    own.sort(key=rank_of)
    return own
