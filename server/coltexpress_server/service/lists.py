"""Which games a caller wants listed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from coltexpress_server.service.records import FINISHED, LOBBY, RUNNING, Summary

# In the order in which a game passes through them: read so, none that passes on is missed.
_STATUSES: Final = (LOBBY, RUNNING, FINISHED)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games a list is to show; what is empty or 0 excludes none.

    statuses: any of these. variants: any of these. seats: as many as one of these.
    free_seats: at least so many that nobody has taken. visibilities: any of these.
    """

    statuses: frozenset[str] = frozenset()
    variants: frozenset[str] = frozenset()
    seats: frozenset[int] = frozenset()
    free_seats: int = 0
    visibilities: frozenset[str] = frozenset()

    def words(self, word_of: Callable[[str], str]) -> list[str]:
        """The words under which these games are filed; word_of: the word of a status."""
        return [word_of(each) for each in _STATUSES if not self.statuses or each in self.statuses]

    @property
    def narrows(self) -> bool:
        """Whether these are fewer than all of their statuses."""
        return bool(self.variants or self.seats or self.free_seats or self.visibilities)

    def shows(self, game: Summary) -> bool:
        """Whether a game is one of these."""
        free = sum(not (seat.taken or seat.reserved) for seat in game.seats)
        return (
            (not self.statuses or game.status in self.statuses)
            and (not self.variants or game.options.variant in self.variants)
            and (not self.seats or len(game.seats) in self.seats)
            and free >= self.free_seats
            and (not self.visibilities or game.visibility in self.visibilities)
        )
