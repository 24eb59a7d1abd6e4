"""PICKPOCKETING (RULES.md 1.8.5)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.actions.robbery import why_not_value
from coltexpress_server.game.boxes.base.looting import draw_token, named, pick_up, values
from coltexpress_server.game.boxes.base.tables import PURSE
from coltexpress_server.game.choices import PASS, Choice, TakePurse
from coltexpress_server.game.decisions import NO_MEMBERS, Decision, IllegalChoice
from coltexpress_server.game.events import Declined
from coltexpress_server.game.rules import Op
from coltexpress_server.game.state import Figure, Frame, State

_ASKING = 1


class Pickpocketing(Op):
    """Every bandit alone on his space may take one purse lying there.

    The frame's names are the bandits still to ask, in seat order from the first player; nobody
    moves meanwhile, so who is alone is settled once, at the start.
    """

    name: ClassVar[str] = "PICKPOCKETING"

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks the next one."""
        if frame.index != _ASKING:
            frame.index = _ASKING
            frame.names = [figure.name for figure in state.in_seat_order(_alone_with_purse(state))]
            return []
        if not frame.names:
            state.stack.pop()
            return []
        figure = state.figures[frame.names[0]]
        offered = values(state.spaces[figure.space], figure.seat, PURSE)
        options: list[Choice] = [TakePurse(value) for value in offered]
        options.append(PASS)
        return [Decision(figure.seat, figure.name, self.name, options, False, -1, NO_MEMBERS)]

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """Takes the purse; among several that fit, the game draws."""
        figure = state.figures[frame.names[0]]
        frame.names = frame.names[1:]
        choice = choices[0]
        if isinstance(choice, TakePurse):
            fitting = named(
                state.rules, state.spaces[figure.space], figure.seat, PURSE, choice.value
            )
            pick_up(state, figure, draw_token(state, fitting), self.name)
        else:
            state.record(Declined(figure.name, self.name))

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """Anything but a purse or a refusal; purses named by what the seat does not know."""
        if isinstance(choice, TakePurse):
            return why_not_value(PURSE, choice.value)
        return IllegalChoice("WRONG_CHOICE", "1.8.5", "this decision is to take a purse or refuse")


def _alone_with_purse(state: State) -> list[Figure]:
    spaces = [figure.space for figure in state.bandits]
    return [
        figure
        for figure in state.bandits
        if spaces.count(figure.space) == 1
        and any(token.kind == PURSE for token in state.spaces.get(figure.space, ()))
    ]
