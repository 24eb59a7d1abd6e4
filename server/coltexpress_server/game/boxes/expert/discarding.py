"""What goes from the hands to the discard piles (RULES.md 2.1.3, 2.1.4)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.keeping import Keeping
from coltexpress_server.game.boxes.base.tables import ROUNDS
from coltexpress_server.game.cards import BULLET, Card
from coltexpress_server.game.choices import Choice, Keep
from coltexpress_server.game.decisions import Decision, IllegalChoice
from coltexpress_server.game.events import CardsDiscarded
from coltexpress_server.game.state import State


def discard_bullets(state: State) -> None:
    """At the start of Schemin' bullets in hand are discarded, and not replaced (2.1.3)."""
    for number, seat in enumerate(state.seats):
        hand = state.decks[seat.deck].hand
        _discard(state, number, [card for card in hand if card.action == BULLET])


def keep_or_discard(state: State) -> None:
    """At its end everybody chooses what to keep, but not in the last round (2.1.4)."""
    if state.round.number < ROUNDS:
        state.push(Discard.name)


class Discard(Keeping):
    """Everybody keeps any of his action cards."""

    name: ClassVar[str] = "DISCARD"
    rule: ClassVar[str] = "2.1.4"

    def may_keep(self, card: Card) -> bool:
        """No bullets."""
        return card.action != BULLET

    def most(self, state: State, members: list[str]) -> int:
        """All of them."""
        return len(members)

    def put_away(self, state: State, number: int, kept: list[Card], others: list[Card]) -> None:
        """Bullets go down first, then actions in canonical order, the last one on top."""
        bullets = [card for card in others if card.action == BULLET]
        _discard(state, number, bullets + [card for card in others if card.action != BULLET])

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """Bullets; else as everywhere."""
        if isinstance(choice, Keep) and BULLET in choice.cards:
            return IllegalChoice("BULLET_NOT_PLAYABLE", self.rule, "bullets cannot be kept")
        return super().refusal(state, decision, choice)


def _discard(state: State, number: int, cards: list[Card]) -> None:
    """Puts these cards of a seat's hand on its discard pile, in this order."""
    if cards:
        deck = state.decks[state.seats[number].deck]
        for card in cards:
            deck.hand.remove(card)
        deck.discards.extend(cards)
        state.record(CardsDiscarded(number, cards, len(deck.hand)))
