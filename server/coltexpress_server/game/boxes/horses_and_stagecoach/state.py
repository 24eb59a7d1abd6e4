"""What this box keeps of its own in a game (RULES.md 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from coltexpress_server.game.reader import Reader
from coltexpress_server.game.state import Extra, State

NAME: Final = "HORSES_AND_STAGECOACH"


@dataclass(slots=True, eq=False)
class Stagecoach(Extra):
    """Horses, the stagecoach and its hostages; all of it is public.

    car: the car beside which the stagecoach is.
    horses: the cars beside which horses are, ascending, a car as often as it has one.
    displayed: hostages lying face up, in the order of 3.5.
    hostages: the hostage of each bandit that has one.
    received: how many bullets each bandit had received before this round.
    """

    car: int
    horses: list[int]
    displayed: list[str]
    hostages: dict[str, str]
    received: dict[str, int]

    def copy(self) -> Stagecoach:
        """An independent copy."""
        return Stagecoach(
            self.car,
            self.horses.copy(),
            self.displayed.copy(),
            self.hostages.copy(),
            self.received.copy(),
        )

    def pack(self) -> list[object]:
        """Its fields in order."""
        return [
            self.car,
            self.horses,
            self.displayed,
            [[figure, hostage] for figure, hostage in self.hostages.items()],
            [[figure, count] for figure, count in self.received.items()],
        ]

    def seen_by(self, seat: int) -> Stagecoach:
        """All of it."""
        return self


def unpack(packed: list[object]) -> Stagecoach:
    """What `Stagecoach.pack` packed. Raises Unreadable for anything else."""
    row = Reader(packed)
    return Stagecoach(
        row.number(),
        row.numbers(),
        row.texts(),
        {held.text(): held.text() for held in row.rows()},
        {counted.text(): counted.number() for counted in row.rows()},
    )


def stagecoach(state: State) -> Stagecoach:
    """This box's part of a game."""
    extra = state.extras[NAME]
    if not isinstance(extra, Stagecoach):
        raise TypeError(f"{NAME} keeps {type(extra).__name__}")
    return extra


def hostage_of(state: State, figure: str) -> str:
    """The hostage that a bandit has, or empty."""
    return stagecoach(state).hostages.get(figure, "")
