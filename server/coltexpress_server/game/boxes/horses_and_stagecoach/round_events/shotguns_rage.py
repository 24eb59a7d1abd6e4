"""SHOTGUNS_RAGE (RULES.md 3.7.6)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.bullets import give_neutral_bullets
from coltexpress_server.game.boxes.base.events.round_event import RoundEvent
from coltexpress_server.game.boxes.horses_and_stagecoach import tables
from coltexpress_server.game.boxes.horses_and_stagecoach.state import stagecoach
from coltexpress_server.game.state import State


class ShotgunsRage(RoundEvent):
    """A neutral bullet for everybody in or on the stagecoach and the car beside it."""

    name: ClassVar[str] = tables.SHOTGUNS_RAGE

    def happen(self, state: State) -> None:
        """One volley."""
        car = stagecoach(state).car
        hit = (
            *(tables.STAGECOACH_INSIDE, tables.STAGECOACH_ROOF),
            *(state.train.inside[car], state.train.roof[car]),
        )
        found = [figure for figure in state.bandits if figure.space in hit]
        give_neutral_bullets(state, state.in_seat_order(found), self.name)
