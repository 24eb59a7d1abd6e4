"""HOSTAGE_CONDUCTOR (RULES.md 1.8.7)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.events.round_event import RoundEvent
from coltexpress_server.game.boxes.base.looting import receive
from coltexpress_server.game.boxes.base.setup import starting_purse
from coltexpress_server.game.boxes.base.tables import PURSE, STARTING_PURSE
from coltexpress_server.game.state import State

_LOCOMOTIVE = 0


class HostageConductor(RoundEvent):
    """A $250 purse for everybody in or on the locomotive, its value public."""

    name: ClassVar[str] = "HOSTAGE_CONDUCTOR"

    def happen(self, state: State) -> None:
        """Out of the box as long as it has one, and even if it has none left."""
        car_of = state.train.car_of
        for figure in state.in_seat_order(state.bandits):
            if car_of.get(figure.space) == _LOCOMOTIVE:
                for token in state.box:
                    if token.kind == PURSE and token.value == STARTING_PURSE:
                        state.box.remove(token)
                        break
                receive(state, figure, starting_purse(), self.name)
