"""How the kinds of turn in Schemin' go (RULES.md 1.5.3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from coltexpress_server.game.seating import Seating


@dataclass(slots=True, eq=False)
class TurnKind:
    """How one kind of turn goes.

    op: the name of the op that runs it.
    twice: whether everybody takes two turns in a row.
    reversed: whether it goes against the clock.
    face_down: whether all cards are laid face down.
    """

    op: str
    twice: bool
    reversed: bool
    face_down: bool


@cache
def turn_order(kind: TurnKind, seating: Seating, seats: int, first: int) -> tuple[int, ...]:
    """The seats in the order in which they play or draw in a turn of this kind."""
    if kind.reversed:
        return seating.reversed_order(seats, first)
    clockwise = [(first + place) % seats for place in range(seats)]
    return tuple(seat for seat in clockwise for _ in range(1 + kind.twice))
