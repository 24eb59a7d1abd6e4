"""Which boxes the rules of a game are made of."""

from __future__ import annotations

from functools import cache
from typing import Final

from coltexpress_server.game.boxes.base import Base
from coltexpress_server.game.boxes.base.tables import CARS
from coltexpress_server.game.boxes.marshal import Marshal
from coltexpress_server.game.options import InvalidOptions, Options
from coltexpress_server.game.rules import Rules

VARIANTS: Final = ("STANDARD",)
EXPANSIONS: Final[tuple[str, ...]] = ()
EDITIONS: Final = ("BIG_BOX", "FIRST")
FEWEST_SEATS: Final = 3
MOST_SEATS: Final = 6


def rules_for(options: Options) -> Rules:
    """The rules for these options, composed once and then always the same object.

    Raises InvalidOptions if there is no such variant, expansion or edition.
    """
    if options.variant not in VARIANTS:
        raise InvalidOptions("variant", f"there is no variant {options.variant}")
    for place, expansion in enumerate(options.expansions):
        if expansion not in EXPANSIONS:
            raise InvalidOptions(f"expansions[{place}]", f"there is no expansion {expansion}")
    if options.edition not in EDITIONS:
        raise InvalidOptions("edition", f"there is no edition {options.edition}")
    return _compose(options.variant, tuple(sorted(options.expansions)))


def cars_for(seats: int) -> int:
    """How many cars follow the locomotive (1.1.1)."""
    return seats


def check_options(options: Options, seats: int) -> None:
    """Raises InvalidOptions where a game with these options and so many seats cannot be."""
    rules_for(options)
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise InvalidOptions("seats", f"{FEWEST_SEATS} to {MOST_SEATS} seats, not {seats}")
    if not options.cars:
        return
    if len(options.cars) != cars_for(seats):
        raise InvalidOptions(
            "cars", f"{seats} seats need {cars_for(seats)} cars, not {len(options.cars)}"
        )
    for place, car in enumerate(options.cars):
        if car not in CARS:
            raise InvalidOptions(f"cars[{place}]", f"there is no car {car}; there are A to F")
        if car in options.cars[:place]:
            raise InvalidOptions(f"cars[{place}]", f"car {car} is named twice")


@cache
def _compose(variant: str, expansions: tuple[str, ...]) -> Rules:
    return Rules((Base(), Marshal()))
