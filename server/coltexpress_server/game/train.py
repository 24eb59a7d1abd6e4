"""The train as a board: its spaces and which lie next to which (RULES.md 1.1)."""

from __future__ import annotations

from functools import cache
from typing import Final

INSIDE: Final = "inside"
ROOF: Final = "roof"

FORWARD: Final = 0
BACK: Final = 1


class Train:
    """A locomotive and `cars` cars behind it; the same object for every train of that length.

    A space is named `CAR.LEVEL`, e.g. `0.roof`; car 0 is the locomotive, car `caboose` the last.

    lines[space]: the spaces ahead on the same level, nearest first: (forward, back).
    car_of[space], level_of[space]: the parts of its name.
    order[space]: its place in the canonical order (section 7): by car, INSIDE before ROOF.
    """

    __slots__ = ("caboose", "car_of", "inside", "level_of", "lines", "order", "roof", "roofs")

    def __init__(self, cars: int) -> None:
        """cars: how many follow the locomotive."""
        self.caboose = cars
        self.inside = [f"{car}.{INSIDE}" for car in range(cars + 1)]
        self.roof = [f"{car}.{ROOF}" for car in range(cars + 1)]
        self.roofs = frozenset(self.roof)
        self.car_of: dict[str, int] = {}
        self.level_of: dict[str, str] = {}
        self.order: dict[str, int] = {}
        self.lines: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        for car in range(cars + 1):
            for offset, row in enumerate((self.inside, self.roof)):
                space = row[car]
                self.car_of[space] = car
                self.level_of[space] = ROOF if offset else INSIDE
                self.order[space] = 2 * car + offset
                self.lines[space] = (tuple(reversed(row[:car])), tuple(row[car + 1 :]))

    def other_level(self, space: str) -> str:
        """The space above or below, in the same car."""
        row = self.inside if self.level_of[space] == ROOF else self.roof
        return row[self.car_of[space]]


@cache
def train_of(cars: int) -> Train:
    """The train with so many cars behind the locomotive."""
    return Train(cars)
