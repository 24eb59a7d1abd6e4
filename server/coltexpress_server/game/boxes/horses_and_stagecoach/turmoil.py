"""TURMOIL: all choose at the same time, secretly (RULES.md 3.7.1)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.round import draw_cards
from coltexpress_server.game.boxes.base.scheme import (
    refused_turn,
    take_turn,
    turn_decision,
    turn_kind,
)
from coltexpress_server.game.boxes.base.tables import DRAW as CARDS_TO_DRAW
from coltexpress_server.game.boxes.horses_and_stagecoach.events import DrawnInSecret
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import TURMOIL
from coltexpress_server.game.cards import Card, rank_of
from coltexpress_server.game.choices import DRAW, PASS, Choice, Draw
from coltexpress_server.game.decisions import Decision, IllegalChoice
from coltexpress_server.game.rules import Op
from coltexpress_server.game.state import Deck, Frame, State
from coltexpress_server.game.turns import turn_order


class Turmoil(Op):
    """One turn in which everybody plays or draws at once; revealed when all have chosen."""

    name: ClassVar[str] = TURMOIL

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks everybody, in turn order."""
        kind = turn_kind(state)
        order = turn_order(kind, state.rules.seating, len(state.seats), state.round.first_seat)
        return [turn_decision(state, number, kind, TURMOIL, first_play=True) for number in order]

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """In turn order cards are piled, and drawn by those who draw."""
        state.stack.pop()
        kind = turn_kind(state)
        order = turn_order(kind, state.rules.seating, len(state.seats), state.round.first_seat)
        for number, choice in zip(order, choices, strict=True):
            told = _is_asked(state, number)
            if isinstance(choice, Draw):
                deck = _deck(state, number)
                draw_cards(state, number, deck, CARDS_TO_DRAW, told and _is_known(deck))
            else:
                take_turn(state, number, kind, choice, told)

    def answered(self, state: State, decision: Decision, choice: Choice) -> None:
        """Who draws is told which cards, who does something else what that leads to."""
        deck = _deck(state, decision.seat)
        if isinstance(choice, Draw) and _is_known(deck):
            state.record(DrawnInSecret(decision.seat, _next_cards(deck)))
        for option in state.rules.turn_options:
            option.answered(state, decision.seat, choice)

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """As in any turn."""
        return refused_turn(state, decision, choice)


def foresee_draw(state: State, seat: int) -> None:
    """Who draws has his cards at once; the others see it when all have chosen.

    Where discards would have to be shuffled into a new deck, which all see, they come with that.
    """
    frame = state.stack[-1] if state.stack else None
    if frame is None or frame.op != TURMOIL or (frame.answers or {}).get(seat) != DRAW.text:
        return
    deck = _deck(state, seat)
    if not _is_known(deck):
        return
    drawn = _next_cards(deck)
    deck.hand = sorted(deck.hand + drawn, key=rank_of)
    del deck.cards[len(deck.cards) - len(drawn) :]
    frame.answers = (frame.answers or {}) | {seat: PASS.text}


def _deck(state: State, seat: int) -> Deck:
    return state.decks[state.seats[seat].deck]


def _is_asked(state: State, seat: int) -> bool:
    """Whether a seat was asked, and the game did not answer for it (1.5.8)."""
    decision = turn_decision(state, seat, turn_kind(state), TURMOIL, first_play=True)
    return decision.asked_anyway or len(decision.options) > 1


def _is_known(deck: Deck) -> bool:
    """Whether it is settled which cards come next, since none must be shuffled first."""
    return len(deck.cards) >= CARDS_TO_DRAW or not deck.discards


def _next_cards(deck: Deck) -> list[Card]:
    """Those that are drawn next, in that order."""
    return deck.cards[-1 : -1 - CARDS_TO_DRAW : -1]
