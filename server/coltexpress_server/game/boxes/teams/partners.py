"""Who is whose partner (RULES.md 2.3.1, 2.3.3)."""

from __future__ import annotations

from coltexpress_server.game.boxes.teams.borrowing import Borrowed
from coltexpress_server.game.cards import Card
from coltexpress_server.game.seating import Seating
from coltexpress_server.game.state import Figure, State


class Partners(Seating):
    """Pairs sit together: seats 0 and 1 are the A and B of a team, 2 and 3 of the next."""

    def seats(self) -> tuple[int, ...]:
        """4 or 6."""
        return (4, 6)

    def team(self, seat: int) -> int:
        """Two seats a team."""
        return seat // 2

    def first_seats(self, seats: int) -> list[int]:
        """The A players."""
        return list(range(0, seats, 2))

    def next_first_seat(self, state: State) -> int:
        """The next team's A player."""
        return (state.round.first_seat + 2) % len(state.seats)

    def cars_from_the_caboose(self, state: State, figure: Figure) -> int:
        """A bandits in the caboose, B bandits in front of it."""
        return figure.seat % 2

    def reversed_order(self, seats: int, first: int) -> tuple[int, ...]:
        """A and B swap roles, so that the first team's B begins (2.3.3)."""
        return super().reversed_order(seats, first + 1)

    def owner(self, figures: list[str], card: Card) -> str:
        """The partner's bandit, for a borrowed card."""
        return "" if card.figure in figures else card.figure


def lay_out(state: State) -> None:
    """Nothing is borrowed before the first round."""
    state.extras[Borrowed.name] = Borrowed({})
