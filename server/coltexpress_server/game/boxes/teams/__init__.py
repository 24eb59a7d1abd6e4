"""TEAMS: partners who borrow a card of each other every round (RULES.md 2.3)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.teams.borrowing import (
    Borrowed,
    borrow,
    borrowed_from,
    imagine_borrowed,
    put_away,
    reveal,
    unpack,
)
from coltexpress_server.game.boxes.teams.gunslinger import gunslinger
from coltexpress_server.game.boxes.teams.partners import Partners, lay_out
from coltexpress_server.game.rules import Box, CardSeen, Imagine, Rules, Score, ShownInDeck, Step
from coltexpress_server.game.seating import Seating
from coltexpress_server.game.state import Extra


class Teams(Box):
    """4 or 6 players, two a team."""

    name: ClassVar[str] = Borrowed.name

    def seating(self) -> Seating | None:
        """2.3.1."""
        return Partners()

    def set_up(self) -> list[tuple[int, Step]]:
        """Nothing is borrowed yet."""
        return [(60, lay_out)]

    def round_steps(self) -> list[tuple[int, Step]]:
        """2.3.2."""
        return [(12, borrow), (45, put_away)]

    def card_seen(self) -> list[CardSeen]:
        """2.3.2."""
        return [reveal]

    def shown_in_deck(self) -> list[ShownInDeck]:
        """2.3.2."""
        return [borrowed_from]

    def imagine(self) -> list[tuple[int, Imagine]]:
        """Which card the partner has borrowed, before anything else about cards."""
        return [(10, imagine_borrowed)]

    def unpack_extra(self, packed: list[object], rules: Rules) -> Extra:
        """What is borrowed."""
        return unpack(packed, rules)

    def score(self) -> list[tuple[str, Score]]:
        """2.3.4."""
        return [("GUNSLINGER", gunslinger)]
