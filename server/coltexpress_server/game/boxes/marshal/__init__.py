"""The Marshal whom nobody plays: his figure, his card, and what meeting him costs.

The part of the base box that makes way for a Marshal somebody plays (RULES.md section 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from coltexpress_server.game.boxes.marshal.card import MarshalCard
from coltexpress_server.game.boxes.marshal.figure import place
from coltexpress_server.game.boxes.marshal.meeting import meet
from coltexpress_server.game.rules import Box, Moved, Op, Step


class Marshal(Box):
    """RULES.md 1.6.3, 1.6.7."""

    name: ClassVar[str] = "MARSHAL"

    def actions(self) -> dict[str, int]:
        """His card, after the bandits' own (section 7)."""
        return {MarshalCard.name: 80}

    def deck(self) -> list[str]:
        """One in each bandit's deck (1.3.1)."""
        return [MarshalCard.name]

    def ops(self) -> Sequence[Op]:
        """What the card does."""
        return (MarshalCard(),)

    def set_up(self) -> list[tuple[int, Step]]:
        """He guards the locomotive (1.2.2)."""
        return [(25, place)]

    def after_movement(self) -> list[tuple[int, Moved]]:
        """Nobody stays inside with him (1.6.7)."""
        return [(10, meet)]
