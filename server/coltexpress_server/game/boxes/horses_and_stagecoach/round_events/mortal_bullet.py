"""MORTAL_BULLET (RULES.md 3.7.7)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.events.round_event import RoundEvent
from coltexpress_server.game.boxes.horses_and_stagecoach import tables
from coltexpress_server.game.boxes.horses_and_stagecoach.state import stagecoach
from coltexpress_server.game.state import State


class MortalBullet(RoundEvent):
    """Every bullet received in this round costs money when it is counted; nothing happens now."""

    name: ClassVar[str] = tables.MORTAL_BULLET

    def happen(self, state: State) -> None:
        """Nothing."""


def row(state: State) -> dict[str, int]:
    """What each bandit on the board loses by it; nothing in other rounds."""
    if not state.round.number or state.round.card.event != tables.MORTAL_BULLET:
        return {}
    before = stagecoach(state).received
    return {
        figure.name: -tables.MORTAL_BULLET_COST
        * (len(figure.received) - before.get(figure.name, 0))
        for figure in state.bandits
        if figure.space in state.train.order
    }
