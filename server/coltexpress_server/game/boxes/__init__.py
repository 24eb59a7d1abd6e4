"""Which boxes the rules of a game are made of.

A game without expansions is the base box and its Marshal, one of two ways with hands, and one of
three ways to share the bandits out (RULES.md section 2).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from coltexpress_server.game.boxes.base import Base
from coltexpress_server.game.boxes.base.tables import CARS
from coltexpress_server.game.boxes.expert import Expert
from coltexpress_server.game.boxes.marshal import Marshal
from coltexpress_server.game.boxes.reshuffling import Reshuffling
from coltexpress_server.game.boxes.singles import Singles
from coltexpress_server.game.boxes.teams import Teams
from coltexpress_server.game.boxes.two_players import TwoPlayers
from coltexpress_server.game.options import InvalidOptions, Options
from coltexpress_server.game.rules import Box, Rules

VARIANTS: Final = ("STANDARD", "EXPERT", "TEAMS")
EXPANSIONS: Final[tuple[str, ...]] = ()
EDITIONS: Final = ("BIG_BOX", "FIRST")

_TABLES: Final[dict[str, dict[tuple[int, ...], tuple[Callable[[], Box], Callable[[], Box]]]]] = {
    "STANDARD": {(3, 4, 5, 6): (Reshuffling, Singles)},
    "EXPERT": {(2,): (Expert, TwoPlayers), (3, 4, 5, 6): (Expert, Singles)},
    "TEAMS": {(4, 6): (Reshuffling, Teams)},
}
"""For each variant and number of seats, how hands and seats go."""


def rules_for(options: Options, seats: int) -> Rules:
    """The rules for these options and so many seats, composed once and then the same object.

    Raises InvalidOptions if there is no such variant, expansion or edition, or none of them for
    this number of seats.
    """
    if options.variant not in _TABLES:
        raise InvalidOptions("variant", f"there is no variant {options.variant}")
    for place, expansion in enumerate(options.expansions):
        if expansion not in EXPANSIONS:
            raise InvalidOptions(f"expansions[{place}]", f"there is no expansion {expansion}")
    if options.edition not in EDITIONS:
        raise InvalidOptions("edition", f"there is no edition {options.edition}")
    if seats not in seat_counts(options.variant):
        raise InvalidOptions("seats", _why_not(options.variant, seats))
    return _compose(options.variant, seats)


def seat_counts(variant: str) -> list[int]:
    """The numbers of seats that a variant can be played with."""
    return [count for counts in _TABLES[variant] for count in counts]


def check_options(options: Options, seats: int) -> None:
    """Raises InvalidOptions where a game with these options and so many seats cannot be."""
    cars = rules_for(options, seats).seating.cars(seats)
    if not options.cars:
        return
    if len(options.cars) != cars:
        raise InvalidOptions("cars", f"{seats} seats need {cars} cars, not {len(options.cars)}")
    for place, car in enumerate(options.cars):
        if car not in CARS:
            raise InvalidOptions(f"cars[{place}]", f"there is no car {car}; there are A to F")
        if car in options.cars[:place]:
            raise InvalidOptions(f"cars[{place}]", f"car {car} is named twice")


def _why_not(variant: str, seats: int) -> str:
    others = [other for other in VARIANTS if seats in seat_counts(other)]
    counts = " or ".join(str(count) for count in seat_counts(variant))
    only = f"{variant} is for {counts} seats, not {seats}"
    return f"{only}; {seats} seats can play {' or '.join(others)}" if others else only


@cache
def _compose(variant: str, seats: int) -> Rules:
    for counts, (hands, seating) in _TABLES[variant].items():
        if seats in counts:
            return _rules(hands, seating)
    raise ValueError(f"{variant} with {seats} seats")


@cache
def _rules(hands: Callable[[], Box], seating: Callable[[], Box]) -> Rules:
    return Rules((Base(), Marshal(), hands(), seating()))
