"""TURMOIL: all choose at the same time, secretly (RULES.md 3.7.1)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.scheme import (
    refused_turn,
    take_turn,
    turn_decision,
    turn_kind,
)
from coltexpress_server.game.boxes.base.tables import DRAW as CARDS_TO_DRAW
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import TURMOIL
from coltexpress_server.game.cards import rank_of
from coltexpress_server.game.choices import DRAW, PASS, Choice
from coltexpress_server.game.decisions import Decision, IllegalChoice
from coltexpress_server.game.rules import Op
from coltexpress_server.game.state import Frame, State
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
            take_turn(state, number, kind, choice)

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
    deck = state.decks[state.seats[seat].deck]
    if len(deck.cards) < CARDS_TO_DRAW and deck.discards:
        return
    place = max(0, len(deck.cards) - CARDS_TO_DRAW)
    deck.hand = sorted(deck.hand + deck.cards[place:], key=rank_of)
    del deck.cards[place:]
    frame.answers = (frame.answers or {}) | {seat: PASS.text}
