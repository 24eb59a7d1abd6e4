"""Searching for a BRILLIANT_IDEA instead of drawing (RULES.md 4.12)."""

from __future__ import annotations

from coltexpress_server.game.boxes.base.round import shuffle_cards
from coltexpress_server.game.boxes.marshal_and_prisoners.choices import SEARCH, Search
from coltexpress_server.game.boxes.marshal_and_prisoners.events import (
    TO_OTHERS,
    TO_SEAT,
    CardsSearched,
)
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import (
    BRILLIANT_IDEA,
    MARSHALS_SEAT,
)
from coltexpress_server.game.cards import Card, rank_of
from coltexpress_server.game.choices import PASS, Choice
from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.rules import TurnOption
from coltexpress_server.game.state import State


class Searching(TurnOption):
    """In any turn, for bandits, whether there is one to be found or not."""

    def options(self, state: State, number: int, turn: str) -> list[Choice]:
        """One."""
        return [] if number == MARSHALS_SEAT else [SEARCH]

    def take(self, state: State, number: int, choice: Choice, told: bool = False) -> bool:
        """Takes the card; the pile searched is shuffled, found or not."""
        if not isinstance(choice, Search):
            return False
        found = _take(state, number)
        shuffle_cards(state, _pile(state, number))
        state.record(CardsSearched(number, found, TO_OTHERS if told else ""))
        return True

    def answered(self, state: State, number: int, choice: Choice) -> None:
        """What it finds."""
        if isinstance(choice, Search):
            found = [card for card in _pile(state, number) if card.action == BRILLIANT_IDEA]
            state.record(CardsSearched(number, found, TO_SEAT))

    def why_not(self, state: State, number: int, choice: Choice) -> IllegalChoice | None:
        """The Marshal has no such card."""
        if not isinstance(choice, Search):
            return None
        return IllegalChoice("NOT_OFFERED", "4.12", "only bandits search, instead of drawing")


def foresee(state: State, seat: int) -> None:
    """Who searches while others still choose has the card at once, as who draws has his.

    The others see it, and the pile is shuffled, when all have chosen.
    """
    frame = state.stack[-1] if state.stack else None
    if frame is not None and (frame.answers or {}).get(seat) == SEARCH.text:
        _take(state, seat)
        frame.answers = (frame.answers or {}) | {seat: PASS.text}


def _pile(state: State, number: int) -> list[Card]:
    """The pile that a seat searches: where its played cards lie."""
    return state.rules.played_pile(state.decks[state.seats[number].deck])


def _take(state: State, number: int) -> list[Card]:
    pile = _pile(state, number)
    found = [card for card in pile if card.action == BRILLIANT_IDEA]
    for card in found:
        pile.remove(card)
    hand = state.decks[state.seats[number].deck].hand
    hand.extend(found)
    hand.sort(key=rank_of)
    return found
