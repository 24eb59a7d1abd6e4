"""Hands in the STANDARD and TEAMS games: everything is shuffled at the start of each round.

One of the two ways with hands; the other is EXPERT (RULES.md 1.5.1, 1.5.5, 1.5.6).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from coltexpress_server.game.boxes.base.round import CARD_HOME, HANDS_AWAY, shuffle_deck
from coltexpress_server.game.cards import Card
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.events import HandReturned
from coltexpress_server.game.rules import Box, Op, Pile, Step
from coltexpress_server.game.state import Deck, Frame, State


class Reshuffling(Box):
    """No discard piles: cards go back to the decks."""

    name: ClassVar[str] = "RESHUFFLING"

    def ops(self) -> Sequence[Op]:
        """1.5.6."""
        return (IntoTheDeck(),)

    def played_pile(self) -> Pile | None:
        """The deck itself (1.5.6)."""
        return _deck

    def round_steps(self) -> list[tuple[int, Step]]:
        """1.5.1, 1.5.5."""
        return [(10, shuffle), (HANDS_AWAY, return_hands)]


def _deck(deck: Deck) -> list[Card]:
    return deck.cards


def shuffle(state: State) -> None:
    """Everybody shuffles all own cards (1.5.1)."""
    for seat in state.seats:
        shuffle_deck(state, state.decks[seat.deck])


def return_hands(state: State) -> None:
    """Cards left in hand go back to the owner's deck (1.5.5)."""
    for number in range(len(state.seats)):
        return_cards(state, number, [])


def return_cards(state: State, number: int, kept: list[Card]) -> None:
    """All cards of a seat's hand but those kept, which are in it, go back to its deck."""
    deck = state.decks[state.seats[number].deck]
    returned = list(deck.hand)
    for card in kept:
        returned.remove(card)
    if returned:
        state.record(HandReturned(number, len(returned)))
        deck.cards.extend(returned)
        deck.hand[:] = kept


class IntoTheDeck(Op):
    """A resolved card goes back to its owner's deck (1.5.6)."""

    name: ClassVar[str] = CARD_HOME

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Puts the card away."""
        state.stack.pop()
        if frame.card is not None:
            state.decks[state.figures[frame.actor].deck].cards.append(frame.card)
        return []
