"""TIRED_HORSES (RULES.md 3.7.4)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.events.round_event import RoundEvent
from coltexpress_server.game.boxes.horses_and_stagecoach import tables
from coltexpress_server.game.boxes.horses_and_stagecoach.events import HorseLeft
from coltexpress_server.game.boxes.horses_and_stagecoach.state import stagecoach
from coltexpress_server.game.state import State


class TiredHorses(RoundEvent):
    """The horses nearest the caboose leave the game."""

    name: ClassVar[str] = tables.TIRED_HORSES

    def happen(self, state: State) -> None:
        """As many as the number of bandits and the edition say."""
        horses = stagecoach(state).horses
        tired = tables.tired_horses(len(state.bandits), state.options.edition)
        for _ in range(min(tired, len(horses))):
            state.record(HorseLeft(horses.pop(), self.name))
