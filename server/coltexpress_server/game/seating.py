"""Who sits where, leads whom and wins with whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coltexpress_server.game.cards import Card

if TYPE_CHECKING:
    from coltexpress_server.game.state import Figure, State


class Seating:
    """How the bandits are shared out among the seats; a game has exactly one."""

    def seats(self) -> tuple[int, ...]:
        """With how many seats this can be played."""
        raise NotImplementedError

    def cars(self, seats: int) -> int:
        """How many cars follow the locomotive (1.1.1)."""
        return seats

    def ordinary_cars(self, seats: int) -> int:
        """How many of them are drawn, or named by the options (1.1.4)."""
        return self.cars(seats)

    def bandits(self) -> int:
        """How many bandits a seat leads."""
        return 1

    def leads(self, seat: int) -> str:
        """The figure, no bandit, that this seat leads whoever sits there; mostly empty."""
        return ""

    def team(self, seat: int) -> int:
        """The team that a seat belongs to."""
        return seat

    def deck(self, figures: list[str], actions: list[str]) -> list[tuple[str, str]]:
        """The cards of a seat's deck, each as whose and what it does.

        actions: the cards of one bandit's deck (1.3.1).
        """
        return [(name, action) for name in figures for action in actions]

    def first_seats(self, seats: int) -> list[int]:
        """The seats of which one, at random, is first player of round 1."""
        return list(range(seats))

    def next_first_seat(self, state: State) -> int:
        """The first player of the next round (1.5.7)."""
        return (state.round.first_seat + 1) % len(state.seats)

    def cars_from_the_caboose(self, state: State, figure: Figure) -> int:
        """Where a bandit starts: in the caboose, or so many cars in front of it."""
        raise NotImplementedError

    def reversed_order(self, seats: int, first: int) -> tuple[int, ...]:
        """The seats in the order of a turn against the clock (1.5.3)."""
        return tuple((first - place) % seats for place in range(seats))

    def owner(self, figures: list[str], card: Card) -> str:
        """Whose card it is, for a seat that leads these figures and holds it.

        Empty where that goes without saying: the only bandit's, or the whole seat's.
        """
        raise NotImplementedError

    def shared(self, action: str) -> bool:
        """Whether cards of this action are the whole seat's, not one bandit's (2.2.2)."""
        return False

    def covers(self, figures: list[str], card: Card) -> list[str]:
        """The figures whose powers count when such a seat plays this card (1.7.1)."""
        return figures
