"""SHARING_THE_LOOT (RULES.md 3.7.7)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.events.round_event import RoundEvent
from coltexpress_server.game.boxes.base.tables import STRONGBOX
from coltexpress_server.game.boxes.horses_and_stagecoach import tables
from coltexpress_server.game.state import State


class SharingTheLoot(RoundEvent):
    """Strongboxes are shared with those on the owner's space; that is counted at the end."""

    name: ClassVar[str] = tables.SHARING_THE_LOOT

    def happen(self, state: State) -> None:
        """Nothing."""


def row(state: State) -> dict[str, int]:
    """What each bandit gains or loses by it; nothing in other rounds.

    It touches those on the board only.
    The owner counts the whole strongbox among his loot, so that all but his share is taken off.
    """
    if not state.round.number or state.round.card.event != tables.SHARING_THE_LOOT:
        return {}
    dollars = {figure.name: 0 for figure in state.bandits}
    for owner in [figure for figure in state.bandits if figure.space in state.train.order]:
        sharing = [figure for figure in state.bandits if figure.space == owner.space]
        for token in owner.loot:
            if token.kind == STRONGBOX:
                dollars[owner.name] -= token.value
                for figure in sharing:
                    dollars[figure.name] += token.value // len(sharing)
    return dollars
