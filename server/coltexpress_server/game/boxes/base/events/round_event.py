"""What all events of round cards have in common (RULES.md 1.5.7)."""

from __future__ import annotations

from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.rules import Op
from coltexpress_server.game.state import Figure, Frame, State

MARSHAL = "MARSHAL"


class RoundEvent(Op):
    """An event that happens at once, without asking anybody."""

    def happen(self, state: State) -> None:
        """Does what the card says."""
        raise NotImplementedError

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Happens, and is over."""
        state.stack.pop()
        self.happen(state)
        return []


def on_marshals_roof(state: State) -> list[Figure]:
    """The bandits on the roof of the Marshal's car, in seat order from the first player (1.5.9).

    None where he is beside the train.
    """
    train = state.train
    car = train.car_of.get(state.figures[MARSHAL].space)
    if car is None:
        return []
    roof = train.roof[car]
    return state.in_seat_order([figure for figure in state.bandits if figure.space == roof])
