"""What invariants of boxes are made of; `invariants` puts them together and applies them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from coltexpress_server.game.loot import Token
from coltexpress_server.game.state import Extra, State

T = TypeVar("T")
E = TypeVar("E", bound=Extra)


@dataclass(slots=True)
class Invariant:
    """Something that always holds.

    name: what a violation is reported under.
    rule: the paragraph of RULES.md it follows from, or section of it.
    check: state -> what is wrong, one sentence each; nothing wrong, nothing said.
    """

    name: str
    rule: str
    check: Callable[[State], list[str]]


@dataclass(slots=True)
class ExtraInvariant:
    """Something that always holds between what a box keeps of its own before and after a choice.

    check: (before, after) -> what is wrong.
    """

    name: str
    rule: str
    check: Callable[[Extra, Extra], list[str]]


def both(kind: type[E], before: Extra, after: Extra) -> tuple[E, E]:
    """What a box keeps of its own before and after a choice, as the kind that it is."""
    if isinstance(before, kind) and isinstance(after, kind):
        return before, after
    raise TypeError(f"{type(before).__name__} became {type(after).__name__}")


def all_tokens(state: State) -> list[Token]:
    """Every loot token: owned or guarded, lying somewhere, waiting, in the box."""
    tokens = state.waiting + state.box
    for figure in state.figures.values():
        tokens += figure.loot
    for heap in state.spaces.values():
        tokens += heap
    return tokens


def miscounted(counts: dict[T, int], expected: dict[T, int]) -> list[tuple[T, int, int]]:
    """What is not there as often as it should be: what, how often it is, how often it should be."""
    if counts == expected:
        return []
    things = [*expected, *(thing for thing in counts if thing not in expected)]
    return [
        (thing, counts.get(thing, 0), expected.get(thing, 0))
        for thing in things
        if counts.get(thing, 0) != expected.get(thing, 0)
    ]


# The canonical order (section 7): what comes first in the place of a choice among its decision's.
CHOOSE: Final = 0
FURTHER: Final = 1
"""What is neither to play a card nor to draw."""
DRAW: Final = 2
REFUSE: Final = 3
NOWHERE: Final = 10_000
"""The place of something that the game does not have."""


def place_in(order: tuple[str, ...], name: str) -> int:
    """Where a name stands in an order, or NOWHERE."""
    return order.index(name) if name in order else NOWHERE


def by_seat(state: State, name: str) -> int:
    """Where a figure stands among the bandits in seat order; others after them."""
    return place_in(tuple([figure.name for figure in state.bandits]), name)
