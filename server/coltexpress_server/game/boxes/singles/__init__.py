"""Everybody for himself: a seat leads one bandit and wins alone (RULES.md 1.4, 1.9)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.scores import GUNSLINGER
from coltexpress_server.game.cards import Card
from coltexpress_server.game.rules import Box, Score
from coltexpress_server.game.seating import Seating
from coltexpress_server.game.state import Figure, State


class Singles(Box):
    """3 to 6 players with a bandit each."""

    name: ClassVar[str] = "SINGLES"

    def seating(self) -> Seating | None:
        """1.4."""
        return OneEach()

    def score(self) -> list[tuple[str, Score]]:
        """1.9.1."""
        return [("GUNSLINGER", gunslinger)]


class OneEach(Seating):
    """A bandit a seat, every seat a team."""

    def seats(self) -> tuple[int, ...]:
        """3 to 6."""
        return (3, 4, 5, 6)

    def cars_from_the_caboose(self, state: State, figure: Figure) -> int:
        """Numbered from the first player: odd ones in the caboose, even ones in front (1.4.2)."""
        return (figure.seat - state.round.first_seat) % len(state.seats) % 2

    def owner(self, figures: list[str], card: Card) -> str:
        """His only bandit's."""
        return ""


def gunslinger(state: State) -> dict[str, int]:
    """$1000 to whoever has given the most bullets, everybody tied included (1.9.1)."""
    fewest = min(figure.bullets_left for figure in state.bandits)
    return {figure.name: GUNSLINGER for figure in state.bandits if figure.bullets_left == fewest}
