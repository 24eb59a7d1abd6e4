"""Decks and discard piles (RULES.md 2.1.1, 2.1.2, 2.1.5)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.round import CARD_HOME, shuffle_deck
from coltexpress_server.game.cards import Card
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.events import DeckRebuilt
from coltexpress_server.game.rules import Op
from coltexpress_server.game.state import Deck, Frame, State


def shuffle_decks(state: State) -> None:
    """All decks, before the first round."""
    for deck in state.decks:
        shuffle_deck(state, deck)


def discards(deck: Deck) -> list[Card]:
    """The discard pile that goes with a deck."""
    return deck.discards


def rebuild(state: State, number: int, deck: Deck) -> None:
    """The discards are shuffled into a new deck (2.1.2)."""
    if deck.discards:
        deck.cards.extend(deck.discards)
        deck.discards.clear()
        shuffle_deck(state, deck)
        state.record(DeckRebuilt(number, len(deck.cards)))


class OntoTheDiscards(Op):
    """A resolved card goes face up on its owner's discard pile (2.1.5)."""

    name: ClassVar[str] = CARD_HOME

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Puts the card away."""
        state.stack.pop()
        if frame.card is not None:
            state.decks[state.figures[frame.actor].deck].discards.append(frame.card)
        return []
