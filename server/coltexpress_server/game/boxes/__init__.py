"""Which boxes the rules of a game are made of.

A game without expansions is the base box and its Marshal, one of two ways with hands, and one of
three ways to share the bandits out (RULES.md section 2). Where somebody plays the Marshal, his box
comes in the place of the base box's Marshal and of who sits where (section 4).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from coltexpress_server.game.boxes.base import Base
from coltexpress_server.game.boxes.base.tables import CARS
from coltexpress_server.game.boxes.expert import Expert
from coltexpress_server.game.boxes.horses_and_stagecoach import HorsesAndStagecoach
from coltexpress_server.game.boxes.marshal import Marshal
from coltexpress_server.game.boxes.marshal_and_prisoners import MarshalAndPrisoners
from coltexpress_server.game.boxes.marshal_and_prisoners.closing import ClosingActions
from coltexpress_server.game.boxes.reshuffling import Reshuffling
from coltexpress_server.game.boxes.singles import Singles
from coltexpress_server.game.boxes.teams import Teams
from coltexpress_server.game.boxes.two_players import TwoPlayers
from coltexpress_server.game.options import InvalidOptions, Options
from coltexpress_server.game.rules import Box, Rules

_HANDS: Final[dict[str, Box]] = {
    "STANDARD": Reshuffling(),
    "EXPERT": Expert(),
    "TEAMS": Reshuffling(),
}
"""For each variant how hands go."""

_SEATINGS: Final[dict[str, tuple[Box, ...]]] = {
    "STANDARD": (Singles(),),
    "EXPERT": (TwoPlayers(), Singles()),
    "TEAMS": (Teams(),),
}
"""For each variant how seats go where nobody plays the Marshal; with how many, each one says."""

_WITH_A_MARSHAL: Final = ("STANDARD", "EXPERT")
"""The variants that a Marshal somebody plays goes with (section 4)."""

VARIANTS: Final = tuple(_HANDS)
BASE: Final = Base.name

_EXPANSIONS: Final[dict[str, tuple[Box, ...]]] = {
    HorsesAndStagecoach.name: (HorsesAndStagecoach(),),
    MarshalAndPrisoners.name: (MarshalAndPrisoners(), ClosingActions()),
}
"""By name what each can bring, in the order in which expansions are listed, however named."""

EXPANSIONS: Final = tuple(_EXPANSIONS)
EDITIONS: Final = ("BIG_BOX", "FIRST")


def rules_for(options: Options, seats: int) -> Rules:
    """The rules for these options and so many seats, composed once and then the same object.

    Raises InvalidOptions if there is no such variant, expansion or edition, or none of them for
    this number of seats.
    """
    if options.variant not in VARIANTS:
        raise InvalidOptions("variant", f"there is no variant {options.variant}")
    for place, expansion in enumerate(options.expansions):
        if expansion not in EXPANSIONS:
            raise InvalidOptions(f"expansions[{place}]", f"there is no expansion {expansion}")
        if expansion in options.expansions[:place]:
            raise InvalidOptions(f"expansions[{place}]", f"expansion {expansion} is named twice")
    if options.edition not in EDITIONS:
        raise InvalidOptions("edition", f"there is no edition {options.edition}")
    played = has_closing_actions(options)
    if played and options.variant not in _WITH_A_MARSHAL:
        others = " or ".join(_WITH_A_MARSHAL)
        raise InvalidOptions(
            "variant",
            f"{options.variant} is not played with {MarshalAndPrisoners.name}; {others} can be",
        )
    if not (played or options.closing_actions):
        raise InvalidOptions(
            "closing_actions", f"only {MarshalAndPrisoners.name} has them, to play without"
        )
    expansions = _in_order(options.expansions)
    for rules in _compose(options.variant, expansions, options.closing_actions):
        if seats in rules.seating.seats():
            return rules
    raise InvalidOptions("seats", _why_not(options, seats))


def has_closing_actions(options: Options) -> bool:
    """Whether one can choose to play with closing actions or without (4.16)."""
    return MarshalAndPrisoners.name in options.expansions


def seat_counts(variant: str, expansions: tuple[str, ...] = ()) -> list[int]:
    """The numbers of seats that a variant can be played with, together with these expansions."""
    composed = _compose(variant, _in_order(expansions), True)
    return [count for rules in composed for count in rules.seating.seats()]


def boxes_on_the_shelf() -> dict[str, tuple[Box, ...]]:
    """By name, what each box that can be bought brings: the base box first, then expansions."""
    ways = [*_HANDS.values(), *(seating for ways in _SEATINGS.values() for seating in ways)]
    parts = {box.name: box for box in (Base(), Marshal(), *ways)}
    return {BASE: tuple(parts.values())} | _EXPANSIONS


def check_options(options: Options, seats: int) -> None:
    """Raises InvalidOptions where a game with these options and so many seats cannot be."""
    cars = rules_for(options, seats).seating.ordinary_cars(seats)
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
def _compose(variant: str, expansions: tuple[str, ...], closing: bool) -> tuple[Rules, ...]:
    """The rules of a variant with some expansions, one for each way to play it.

    closing: with closing actions, where the expansions have them.
    """
    hands = _HANDS[variant]
    others = [
        box
        for expansion in expansions
        if expansion != MarshalAndPrisoners.name
        for box in _EXPANSIONS[expansion]
    ]
    if MarshalAndPrisoners.name not in expansions:
        return tuple(
            Rules((Base(), Marshal(), hands, seating, *others)) for seating in _SEATINGS[variant]
        )
    if variant not in _WITH_A_MARSHAL:
        return ()
    # He comes in the place of the one nobody plays, and brings his own way with seats.
    played, closing_actions = _EXPANSIONS[MarshalAndPrisoners.name]
    further = (closing_actions,) if closing else ()
    return (Rules((Base(), played, hands, *others, *further)),)
