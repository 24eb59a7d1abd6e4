"""What can be played here."""

from __future__ import annotations

from dataclasses import dataclass

from coltexpress_server.game.boxes import VARIANTS, rules_for, seat_counts
from coltexpress_server.game.options import Options


@dataclass(frozen=True, slots=True)
class TableSize:
    """A variant and a number of seats that go together.

    bandits: how many a seat leads. cars: how many follow the locomotive.
    """

    variant: str
    seats: int
    bandits: int
    cars: int


def table_sizes() -> list[TableSize]:
    """All there are, by variant, then by seats."""
    found = []
    for variant in VARIANTS:
        for seats in seat_counts(variant):
            seating = rules_for(Options(variant, (), "BIG_BOX", ()), seats).seating
            found.append(TableSize(variant, seats, seating.bandits(), seating.cars(seats)))
    return found
