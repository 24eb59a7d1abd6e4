"""TURMOIL: all choose at the same time, secretly (RULES.md 3.7.1)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.scheme import (
    refused_turn,
    seats_in_turn,
    take_turn,
    turn_decision,
    turn_kind,
)
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import TURMOIL
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import Decision, IllegalChoice
from coltexpress_server.game.rules import Op
from coltexpress_server.game.state import Frame, State


class Turmoil(Op):
    """One turn in which everybody plays or draws at once; revealed when all have chosen."""

    name: ClassVar[str] = TURMOIL

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks everybody, in turn order."""
        kind = turn_kind(state)
        return [
            turn_decision(state, number, kind, TURMOIL, first_play=True)
            for number in seats_in_turn(state, kind)
        ]

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """In turn order cards are piled, and drawn by those who draw."""
        state.stack.pop()
        kind = turn_kind(state)
        for number, choice in zip(seats_in_turn(state, kind), choices, strict=True):
            take_turn(state, number, kind, choice)

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """As in any turn."""
        return refused_turn(state, decision, choice)
