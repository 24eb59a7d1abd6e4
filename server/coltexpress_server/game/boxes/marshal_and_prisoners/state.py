"""What this box keeps of its own in a game (RULES.md section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from coltexpress_server.game.boxes.marshal_and_prisoners.tables import HIDDEN_GOAL, MARSHALS_SEAT
from coltexpress_server.game.reader import Reader
from coltexpress_server.game.state import Extra, State

NAME: Final = "MARSHAL_AND_PRISONERS"


@dataclass(slots=True, eq=False)
class PrisonTrain(Extra):
    """The Marshal's sheet, what lies in front of bandits, prisoners; public but for the goals.

    Mailbags in the Achievement zone are the Marshal's figure's loot.

    cylinders: the sorts of the bullets left in each of the two, top first.
    displayed: prisoners lying face up in the prison car, in the order of section 7.
    prisoners: the prisoner of each bandit that has one.
    retaken: prisoner cards in the Achievement zone, in the order in which they came there.
    posters: bandits whose Wanted posters are in the Achievement zone, likewise.
    brawlers: Brawler cards on the Marshal's sheet, top first.
    brawlers_of: those that each bandit has taken, in order.
    shots: the sorts of the Marshal bullets that each bandit received, in order.
    injuries: those of them that lie in front of the bandit, in order.
    current, upcoming: goals, in the order in which they became Current, and will.
    turned_up: what the last card did that a bandit's seat had turned up in this round and that was
        no BRILLIANT_IDEA; empty before the first.
    """

    cylinders: list[list[str]]
    displayed: list[str]
    prisoners: dict[str, str]
    retaken: list[str]
    posters: list[str]
    brawlers: list[str]
    brawlers_of: dict[str, list[str]]
    shots: dict[str, list[str]]
    injuries: dict[str, list[str]]
    current: list[str]
    upcoming: list[str]
    turned_up: str

    def copy(self) -> PrisonTrain:
        """An independent copy."""
        return PrisonTrain(
            [cylinder.copy() for cylinder in self.cylinders],
            self.displayed.copy(),
            self.prisoners.copy(),
            self.retaken.copy(),
            self.posters.copy(),
            self.brawlers.copy(),
            _copy_lists(self.brawlers_of),
            _copy_lists(self.shots),
            _copy_lists(self.injuries),
            self.current.copy(),
            self.upcoming.copy(),
            self.turned_up,
        )

    def pack(self) -> list[object]:
        """Its fields in order."""
        return [
            *self.cylinders,
            self.displayed,
            [[figure, prisoner] for figure, prisoner in self.prisoners.items()],
            self.retaken,
            self.posters,
            self.brawlers,
            _pack_lists(self.brawlers_of),
            _pack_lists(self.shots),
            _pack_lists(self.injuries),
            self.current,
            self.upcoming,
            self.turned_up,
        ]

    def seen_by(self, seat: int) -> PrisonTrain:
        """The Marshal knows his Current goals; nobody knows the Upcoming ones (4.5)."""
        seen = self.copy()
        seen.upcoming = [HIDDEN_GOAL] * len(self.upcoming)
        if seat != MARSHALS_SEAT:
            seen.current = [HIDDEN_GOAL] * len(self.current)
        return seen


def unpack(packed: list[object]) -> PrisonTrain:
    """What `PrisonTrain.pack` packed. Raises Unreadable for anything else."""
    row = Reader(packed)
    return PrisonTrain(
        [row.texts(), row.texts()],
        row.texts(),
        {held.text(): held.text() for held in row.rows()},
        row.texts(),
        row.texts(),
        row.texts(),
        _unpack_lists(row),
        _unpack_lists(row),
        _unpack_lists(row),
        row.texts(),
        row.texts(),
        row.text(),
    )


def prison_train(state: State) -> PrisonTrain:
    """This box's part of a game."""
    extra = state.extras[NAME]
    if not isinstance(extra, PrisonTrain):
        raise TypeError(f"{NAME} keeps {type(extra).__name__}")
    return extra


def _copy_lists(lists: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: names.copy() for name, names in lists.items()}


def _pack_lists(lists: dict[str, list[str]]) -> list[object]:
    return [[name, names] for name, names in lists.items()]


def _unpack_lists(row: Reader) -> dict[str, list[str]]:
    return {each.text(): each.texts() for each in row.rows()}
