"""Which boxes the rules of a game are made of.

A game without expansions is the base box and its Marshal, one of two ways with hands, and one of
three ways to share the bandits out (RULES.md section 2).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from coltexpress_server.game.boxes.base import Base
from coltexpress_server.game.boxes.base.tables import CARS
from coltexpress_server.game.boxes.expert import Expert
from coltexpress_server.game.boxes.horses_and_stagecoach import HorsesAndStagecoach
from coltexpress_server.game.boxes.marshal import Marshal
from coltexpress_server.game.boxes.reshuffling import Reshuffling
from coltexpress_server.game.boxes.singles import Singles
from coltexpress_server.game.boxes.teams import Teams
from coltexpress_server.game.boxes.two_players import TwoPlayers
from coltexpress_server.game.options import InvalidOptions, Options
from coltexpress_server.game.rules import Box, Rules

_WAYS: Final[dict[str, tuple[tuple[Box, Box], ...]]] = {
    "STANDARD": ((Reshuffling(), Singles()),),
    "EXPERT": ((Expert(), TwoPlayers()), (Expert(), Singles())),
    "TEAMS": ((Reshuffling(), Teams()),),
}
"""For each variant how hands and how seats go; with how many seats, each seating says."""

VARIANTS: Final = tuple(_WAYS)
BASE: Final = Base.name

_EXPANSIONS: Final[dict[str, Box]] = {HorsesAndStagecoach.name: HorsesAndStagecoach()}
"""By name, in the order in which a game's expansions are composed, however they were named."""

EXPANSIONS: Final = tuple(_EXPANSIONS)
EDITIONS: Final = ("BIG_BOX", "FIRST")


def rules_for(options: Options, seats: int) -> Rules:
    """The rules for these options and so many seats, composed once and then the same object.

    Raises InvalidOptions if there is no such variant, expansion or edition, or none of them for
    this number of seats.
    """
    if options.variant not in _WAYS:
        raise InvalidOptions("variant", f"there is no variant {options.variant}")
    for place, expansion in enumerate(options.expansions):
        if expansion not in EXPANSIONS:
            raise InvalidOptions(f"expansions[{place}]", f"there is no expansion {expansion}")
        if expansion in options.expansions[:place]:
            raise InvalidOptions(f"expansions[{place}]", f"expansion {expansion} is named twice")
    if options.edition not in EDITIONS:
        raise InvalidOptions("edition", f"there is no edition {options.edition}")
    for rules in _compose(options.variant, _in_order(options.expansions)):
        if seats in rules.seating.seats():
            return rules
    raise InvalidOptions("seats", _why_not(options, seats))


def seat_counts(variant: str, expansions: tuple[str, ...] = ()) -> list[int]:
    """The numbers of seats that a variant can be played with, together with these expansions."""
    composed = _compose(variant, _in_order(expansions))
    return [count for rules in composed for count in rules.seating.seats()]


def boxes_on_the_shelf() -> dict[str, tuple[Box, ...]]:
    """By name, what each box that can be bought brings: the base box first, then expansions."""
    ways = {box.name: box for ways in _WAYS.values() for way in ways for box in way}
    base: tuple[Box, ...] = (Base(), Marshal(), *ways.values())
    return {BASE: base} | {name: (box,) for name, box in _EXPANSIONS.items()}


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


def _why_not(options: Options, seats: int) -> str:
    variant, expansions = options.variant, options.expansions
    others = [other for other in VARIANTS if seats in seat_counts(other, expansions)]
    counts = " or ".join(str(count) for count in seat_counts(variant, expansions))
    only = f"{variant} is for {counts} seats, not {seats}"
    return f"{only}; {seats} seats can play {' or '.join(others)}" if others else only


def _in_order(expansions: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([expansion for expansion in EXPANSIONS if expansion in expansions])


@cache
def _compose(variant: str, expansions: tuple[str, ...]) -> tuple[Rules, ...]:
    """The rules of a variant with some expansions, one for each way to play it."""
    further = [_EXPANSIONS[expansion] for expansion in expansions]
    return tuple(Rules((Base(), Marshal(), *ways, *further)) for ways in _WAYS[variant])
