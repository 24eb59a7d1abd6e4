"""Lists of games: PUBLIC ones, those of a principal, and those among them that a caller wants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from coltexpress_server.game.reader import Unreadable
from coltexpress_server.service.callers import Caller, require_principal
from coltexpress_server.service.filing import games_word, public_word, seats_word
from coltexpress_server.service.games import Games
from coltexpress_server.service.records import FINISHED, LOBBY, RUNNING, Summary, decode_summary
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import Listing
from coltexpress_server.store import Listed

_CHUNK: Final = 100
_LOOKED_AT: Final = 2_000

# In the order in which a game passes through them: read so, none that passes on is missed.
_STATUSES: Final = (LOBBY, RUNNING, FINISHED)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games a list is to show; what is empty or 0 excludes none.

    statuses: any of these. variants: any of these. seats: as many as one of these.
    free_seats: at least so many that nobody has taken. visibilities: any of these.
    expansions: at least one of these.
    """

    statuses: frozenset[str] = frozenset()
    variants: frozenset[str] = frozenset()
    seats: frozenset[int] = frozenset()
    free_seats: int = 0
    visibilities: frozenset[str] = frozenset()
    expansions: frozenset[str] = frozenset()

    def words(self, word_of: Callable[[str], str]) -> list[str]:
        """The words under which these games are filed; word_of: the word of a status."""
        return [word_of(each) for each in _STATUSES if not self.statuses or each in self.statuses]

    @property
    def narrows(self) -> bool:
        """Whether these are fewer than all of their statuses."""
        return bool(
            self.variants or self.seats or self.free_seats or self.visibilities or self.expansions
        )

    def shows(self, game: Summary) -> bool:
        """Whether a game is one of these."""
        free = sum(not (seat.taken or seat.reserved) for seat in game.seats)
        return (
            (not self.statuses or game.status in self.statuses)
            and (not self.variants or game.options.variant in self.variants)
            and (not self.seats or len(game.seats) in self.seats)
            and free >= self.free_seats
            and (not self.visibilities or game.visibility in self.visibilities)
            and (not self.expansions or not self.expansions.isdisjoint(game.options.expansions))
        )


async def list_games(games: Games, page_size: int, page_token: str, wanted: Wanted) -> Listing:
    """A page of the PUBLIC games, newest first.

    Only where very few of many games are wanted, a page may be short of games before the last.
    Raises Refused: INVALID_FIELD for a page token that is none.
    """
    return await list_some(games, page_size, page_token, wanted, wanted.words(public_word))


async def list_my_games(
    games: Games, caller: Caller, page_size: int, page_token: str, wanted: Wanted
) -> Listing:
    """A page of the games, of any visibility, in which the caller's principal has a part.

    Raises Refused: API_KEY_MISSING for the anonymous, INVALID_FIELD for a page token that is none.
    """
    name = require_principal(caller)
    # In the order in which a game passes through them (see Wanted).
    words = [seats_word(name, games.keys), games_word(name, games.keys)]
    return await list_some(games, page_size, page_token, wanted, words)


async def list_some(
    games: Games, page_size: int, page_token: str, wanted: Wanted, words: list[str]
) -> Listing:
    """A page of the games filed under some words, newest first.

    Raises Refused like `list_games`.
    """
    found: list[Summary] = []
    after = page_token or None
    chunk = max(page_size, _CHUNK) if wanted.narrows else page_size
    for _ in range(0, _LOOKED_AT, chunk):
        try:
            page = await games.store.list_games(words, chunk, after)
        except ValueError as error:
            raise Refused("INVALID_FIELD", "this is no page token", field="page_token") from error
        for listed in page.games:
            if len(found) == page_size:
                return Listing(found, after or "")
            summary = _summary(listed)
            if summary is not None and wanted.shows(summary):
                found.append(summary)
            after = listed.position
        after = page.next
        if after is None or len(found) == page_size:
            break
    return Listing(found, after or "")


def _summary(listed: Listed) -> Summary | None:
    """What is listed; None where a later release wrote it, whose replicas show it."""
    try:
        return decode_summary(listed)
    except Unreadable as unreadable:
        if unreadable.newer:
            return None
        raise
