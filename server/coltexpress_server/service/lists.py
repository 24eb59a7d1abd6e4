"""The lists that games stand on in the store, and which games a caller asks for.

A game goes from list to list as it goes on, to one with a higher number each time, so that lists
that are read while that happens show it (see Store.list_games).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from coltexpress_server.service.records import FINISHED, LOBBY, PUBLIC, RUNNING, Summary

_STATUSES: Final = (LOBBY, RUNNING, FINISHED)
_HIDDEN: Final = len(_STATUSES)


def list_number(status: str, visibility: str) -> int:
    """The list that a game stands on."""
    return _STATUSES.index(status) + (0 if visibility == PUBLIC else _HIDDEN)


def public_lists(statuses: Collection[str]) -> list[int]:
    """The lists of PUBLIC games of some statuses; of all, where none is given."""
    return [number for number, each in enumerate(_STATUSES) if not statuses or each in statuses]


def all_lists(statuses: Collection[str]) -> list[int]:
    """The lists of all games of some statuses; of all, where none is given."""
    public = public_lists(statuses)
    return [*public, *(number + _HIDDEN for number in public)]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games a list is to show; what is empty or 0 excludes none.

    statuses: any of these. variants: any of these. seats: as many as one of these.
    free_seats: at least so many that nobody has taken.
    """

    statuses: frozenset[str] = frozenset()
    variants: frozenset[str] = frozenset()
    seats: frozenset[int] = frozenset()
    free_seats: int = 0

    @property
    def narrows(self) -> bool:
        """Whether these are fewer than all of their statuses."""
        return bool(self.variants or self.seats or self.free_seats)

    def shows(self, game: Summary) -> bool:
        """Whether a game is one of these."""
        free = sum(not seat.taken for seat in game.seats)
        return (
            (not self.statuses or game.status in self.statuses)
            and (not self.variants or game.options.variant in self.variants)
            and (not self.seats or len(game.seats) in self.seats)
            and free >= self.free_seats
        )
