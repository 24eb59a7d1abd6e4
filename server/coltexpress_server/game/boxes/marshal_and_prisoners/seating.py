"""Who sits where: the Marshal first, then the bandits (RULES.md 4.2)."""

from __future__ import annotations

from typing import Final

from coltexpress_server.game.boxes.marshal_and_prisoners.provisional import MARSHALS_DECK
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import MARSHAL, MARSHALS_SEAT
from coltexpress_server.game.boxes.singles import OneEach
from coltexpress_server.game.state import Figure, State

_FEW: Final = 4
"""Up to so many bandits the train is short."""
_SHORT: Final = 4
_LONG: Final = 5
"""Cars between the locomotive and the prison car (4.1)."""


class MarshalAndBandits(OneEach):
    """The Marshal's seat, and two to seven with a bandit each; every seat a team."""

    def seats(self) -> tuple[int, ...]:
        """3 to 8."""
        return (3, 4, 5, 6, 7, 8)

    def cars(self, seats: int) -> int:
        """The ordinary ones and the prison car."""
        return self.ordinary_cars(seats) + 1

    def ordinary_cars(self, seats: int) -> int:
        """4.1: bandits are counted, of which there is one fewer than seats."""
        return _SHORT if seats - 1 <= _FEW else _LONG

    def leads(self, seat: int) -> str:
        """The Marshal's seat is his, whoever sits there."""
        return MARSHAL if seat == MARSHALS_SEAT else ""

    def deck(self, figures: list[str], actions: list[str]) -> list[tuple[str, str]]:
        """The Marshal has a deck of his own (4.6)."""
        if figures == [MARSHAL]:
            return [(MARSHAL, card) for card, count in MARSHALS_DECK.items() for _ in range(count)]
        return super().deck(figures, actions)

    def first_seats(self, seats: int) -> list[int]:
        """The Marshal is first player of the first round."""
        return [MARSHALS_SEAT]

    def cars_from_the_caboose(self, state: State, figure: Figure) -> int:
        """In the car next to the prison car, or in the next one forward, by turns."""
        return 1 if (figure.seat - MARSHALS_SEAT) % 2 else 2
