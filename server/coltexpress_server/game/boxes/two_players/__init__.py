"""Two players with two bandits each (RULES.md 2.2)."""

from __future__ import annotations

from typing import ClassVar, Final

from coltexpress_server.game.cards import Card
from coltexpress_server.game.rules import Box
from coltexpress_server.game.seating import Seating
from coltexpress_server.game.state import Figure, State

_TEAMS_OWN: Final = "MARSHAL"
"""The card that belongs to the team, not to one of its bandits (2.2.2)."""


class TwoPlayers(Box):
    """A mixed deck for each team; nobody is Gunslinger (2.2.4)."""

    name: ClassVar[str] = "TWO_PLAYERS"

    def seating(self) -> Seating | None:
        """2.2.1, 2.2.2."""
        return Pairs()


class Pairs(Seating):
    """Two bandits a seat."""

    def seats(self) -> tuple[int, ...]:
        """Two."""
        return (2,)

    def cars(self, seats: int) -> int:
        """Four (2.2.1)."""
        return 4

    def bandits(self) -> int:
        """Two."""
        return 2

    def deck(self, figures: list[str], actions: list[str]) -> list[tuple[str, str]]:
        """One card of each kind of each bandit, and one that is the team's (2.2.2)."""
        kinds = list(dict.fromkeys(actions))
        own = [(name, kind) for name in figures for kind in kinds if not self.shared(kind)]
        return own + [(figures[0], kind) for kind in kinds if self.shared(kind)]

    def cars_from_the_caboose(self, state: State, figure: Figure) -> int:
        """The first named in the caboose, the second in the car in front (2.2.1)."""
        return state.seats[figure.seat].figures.index(figure.name)

    def owner(self, figures: list[str], card: Card) -> str:
        """The bandit's, but for the team's own card."""
        return "" if self.shared(card.action) else card.figure

    def shared(self, action: str) -> bool:
        """The team's own card."""
        return action == _TEAMS_OWN

    def covers(self, figures: list[str], card: Card) -> list[str]:
        """A power covers the bandit's own cards alone (2.2.4)."""
        return [] if self.shared(card.action) else [card.figure]
