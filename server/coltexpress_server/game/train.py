"""The board: the train's spaces, which lie next to which, and those beside it (RULES.md 1.1)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

INSIDE: Final = "inside"
ROOF: Final = "roof"

FORWARD: Final = 0
BACK: Final = 1


class Train:
    """A locomotive, `cars` cars behind it, and what else boxes put on the board.

    A space of the train is named `CAR.LEVEL`, e.g. `0.roof`; car 0 is the locomotive, car `caboose`
    the last. Other spaces are named the same way after what they belong to.

    inside, roof: the spaces of the train by car; roofs: all its roofs.
    lines[space]: the spaces of the train ahead on the same level, nearest first: (forward, back).
    car_of[space]: the car, for spaces of the train alone.
    level_of[space]: INSIDE, ROOF, or empty for a space that is neither.
    order[space]: its place in the canonical order (section 7): by car, INSIDE before ROOF, then
        the spaces beside the train.
    """

    __slots__ = (
        "_other_level",
        "caboose",
        "car_of",
        "inside",
        "level_of",
        "lines",
        "order",
        "roof",
        "roofs",
    )

    def __init__(self, cars: int, beside: Sequence[tuple[str, str]] = ()) -> None:
        """cars: how many follow the locomotive; beside: other spaces, each with its level."""
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
        for space, level in beside:
            self.level_of[space] = level
            self.order[space] = len(self.order)
            self.lines[space] = ((), ())
        self._other_level: dict[str, str] = {}
        for space, level in self.level_of.items():
            if level:
                other = INSIDE if level == ROOF else ROOF
                self._other_level[space] = f"{space.removesuffix(level)}{other}"

    def other_level(self, space: str) -> str:
        """The space above or below. Raises KeyError for a space that has none."""
        return self._other_level[space]


@cache
def train_of(cars: int, beside: tuple[tuple[str, str], ...] = ()) -> Train:
    """The train with so many cars behind the locomotive, and other spaces; always the same."""
    return Train(cars, beside)
