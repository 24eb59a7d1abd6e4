"""MEI climbs between cars (RULES.md 4.15)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.marshal_and_prisoners.provisional import MEIS_CARS
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import MEI
from coltexpress_server.game.rules import Power
from coltexpress_server.game.state import Figure, State


class Mei(Power):
    """Her FLOOR_CHANGE on the train may also lead to the other level of a car next to hers."""

    name: ClassVar[str] = MEI

    def floors(self, state: State, figure: Figure) -> list[str]:
        """Forward and back; beside the train there are none."""
        lines = state.train.lines[figure.space]
        return [state.train.other_level(space) for line in lines for space in line[:MEIS_CARS]]
