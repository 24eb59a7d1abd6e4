"""What goes from the hands to the discard piles (RULES.md 2.1.3, 2.1.4)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.tables import ROUNDS
from coltexpress_server.game.cards import BULLET, Card
from coltexpress_server.game.choices import Choice, Keep
from coltexpress_server.game.decisions import Decision, IllegalChoice
from coltexpress_server.game.events import CardsDiscarded
from coltexpress_server.game.rules import Op
from coltexpress_server.game.state import Frame, Seat, State


def discard_bullets(state: State) -> None:
    """At the start of Schemin' bullets in hand are discarded, and not replaced (2.1.3)."""
    for number, seat in enumerate(state.seats):
        hand = state.decks[seat.deck].hand
        _discard(state, number, [card for card in hand if card.action == BULLET])


def keep_or_discard(state: State) -> None:
    """At its end everybody chooses what to keep, but not in the last round (2.1.4)."""
    if state.round.number < ROUNDS:
        state.push(Discard.name)


class Discard(Op):
    """Everybody keeps any of his action cards; all choose at the same time, secretly."""

    name: ClassVar[str] = "DISCARD"

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks everybody who holds a card, even if it is but bullets (1.5.8)."""
        found = [
            _decision(state, number, seat)
            for number, seat in enumerate(state.seats)
            if state.decks[seat.deck].hand
        ]
        if not found:
            state.stack.pop()
        return found

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """Bullets go down first, then actions in canonical order, the last one on top."""
        state.stack.pop()
        holding = [number for number, seat in enumerate(state.seats) if state.decks[seat.deck].hand]
        for number, choice in zip(holding, choices, strict=True):
            if isinstance(choice, Keep):
                seat = state.seats[number]
                kept = list(choice.cards)
                bullets: list[Card] = []
                actions: list[Card] = []
                for card in state.decks[seat.deck].hand:
                    if card.action == BULLET:
                        bullets.append(card)
                    elif (name := _name(state, seat, card)) in kept:
                        kept.remove(name)
                    else:
                        actions.append(card)
                _discard(state, number, bullets + actions)

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """Bullets, and cards that are not in hand, or not so often."""
        if not isinstance(choice, Keep):
            return IllegalChoice("WRONG_CHOICE", "2.1.4", "this decision is which cards to keep")
        if BULLET in choice.cards:
            return IllegalChoice("BULLET_NOT_PLAYABLE", "2.1.4", "bullets cannot be kept")
        missing = next(
            card for card in choice.cards if choice.cards.count(card) > decision.members.count(card)
        )
        return IllegalChoice("CARD_NOT_IN_HAND", "2.1.4", f"not so many {missing} in hand")


def _decision(state: State, number: int, seat: Seat) -> Decision:
    members = [
        _name(state, seat, card) for card in state.decks[seat.deck].hand if card.action != BULLET
    ]
    options: list[Choice] = [Keep(tuple(members))]
    if members:
        options.append(Keep(()))
    return Decision(number, seat.figures[0], Discard.name, options, True, -1, members)


def _name(state: State, seat: Seat, card: Card) -> str:
    owner = state.rules.seating.owner(seat.figures, card)
    return f"{owner}.{card.action}" if owner else card.action


def _discard(state: State, number: int, cards: list[Card]) -> None:
    """Puts these cards of a seat's hand on its discard pile, in this order."""
    if cards:
        deck = state.decks[state.seats[number].deck]
        for card in cards:
            deck.hand.remove(card)
        deck.discards.extend(cards)
        state.record(CardsDiscarded(number, cards, len(deck.hand)))
