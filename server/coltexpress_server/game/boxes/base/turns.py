"""The kinds of turn in Schemin' (RULES.md 1.5.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

from coltexpress_server.game.boxes.base.tables import SPEEDING_UP, STANDARD, SWITCHING, TUNNEL


@dataclass(slots=True)
class TurnKind:
    """How one kind of turn goes.

    order: (seats, first seat) -> the seats in the order in which they play or draw.
    face_down: whether all cards are laid face down.
    """

    order: Callable[[int, int], tuple[int, ...]]
    face_down: bool


@cache
def _clockwise(seats: int, first: int) -> tuple[int, ...]:
    return tuple((first + place) % seats for place in range(seats))


@cache
def _counter_clockwise(seats: int, first: int) -> tuple[int, ...]:
    return tuple((first - place) % seats for place in range(seats))


@cache
def _twice_each(seats: int, first: int) -> tuple[int, ...]:
    return tuple(seat for seat in _clockwise(seats, first) for _ in range(2))


TURNS: Final = {
    STANDARD: TurnKind(_clockwise, face_down=False),
    TUNNEL: TurnKind(_clockwise, face_down=True),
    SPEEDING_UP: TurnKind(_twice_each, face_down=False),
    SWITCHING: TurnKind(_counter_clockwise, face_down=False),
}
