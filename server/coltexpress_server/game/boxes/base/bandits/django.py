"""DJANGO's bullets push (RULES.md 1.7.3)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.movement import move
from coltexpress_server.game.rules import FIRE, Power
from coltexpress_server.game.state import Figure, State


class Django(Power):
    """Whoever he shoots goes one car further in the direction of fire, same level."""

    name: ClassVar[str] = "DJANGO"

    def after_shot(self, state: State, figure: Figure, target: Figure) -> None:
        """Pushes the target, unless the train ends there or the shot went up or down."""
        for line in state.rules.lines(state, figure.space, FIRE):
            if target.space in line:
                beyond = line[line.index(target.space) + 1 :]
                if beyond:
                    move(state, target, beyond[0], FIRE)
                return
