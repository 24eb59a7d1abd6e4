"""BELLE is spared while anybody else can be hit (RULES.md 1.7.4)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.rules import Power
from coltexpress_server.game.state import Figure, State


class Belle(Power):
    """No target for FIRE or PUNCH while the action has another; she still blocks the view."""

    name: ClassVar[str] = "BELLE"


def spare(state: State, actor: Figure, action: str, targets: list[Figure]) -> list[Figure]:
    """The targets without the bearers of this power, unless there are no others."""
    others = [figure for figure in targets if not state.rules.has_power(state, figure, Belle.name)]
    return others or targets
