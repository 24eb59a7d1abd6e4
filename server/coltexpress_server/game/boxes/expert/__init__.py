"""EXPERT: discard piles and kept cards instead of a shuffle each round (RULES.md 2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from coltexpress_server.game.boxes.base.round import HANDS_AWAY
from coltexpress_server.game.boxes.expert.discarding import (
    Discard,
    discard_bullets,
    keep_or_discard,
)
from coltexpress_server.game.boxes.expert.piles import (
    OntoTheDiscards,
    discards,
    rebuild,
    shuffle_decks,
)
from coltexpress_server.game.rules import Box, Op, Pile, Refill, Step


class Expert(Box):
    """The other way with hands."""

    name: ClassVar[str] = "EXPERT"

    def ops(self) -> Sequence[Op]:
        """2.1.4, 2.1.5."""
        return (Discard(), OntoTheDiscards())

    def set_up(self) -> list[tuple[int, Step]]:
        """The one shuffle of all cards."""
        return [(60, shuffle_decks)]

    def round_steps(self) -> list[tuple[int, Step]]:
        """2.1.3, 2.1.4."""
        return [(25, discard_bullets), (HANDS_AWAY, keep_or_discard)]

    def played_pile(self) -> Pile | None:
        """2.1.5."""
        return discards

    def refills(self) -> list[Refill]:
        """2.1.2."""
        return [rebuild]
