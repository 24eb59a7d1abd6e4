"""The horse attack: who boards which car, settled car by car (RULES.md 3.1.4, 3.1.5)."""

from __future__ import annotations

from itertools import product
from typing import ClassVar

from coltexpress_server.game.boxes.base.setup import chance
from coltexpress_server.game.boxes.horses_and_stagecoach.choices import (
    Board,
    BoardBandits,
    BoardCar,
    BoardCars,
)
from coltexpress_server.game.boxes.horses_and_stagecoach.events import (
    CarBoarded,
    FirstPlayerChosen,
    HostagesDisplayed,
)
from coltexpress_server.game.boxes.horses_and_stagecoach.state import stagecoach
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import (
    BOARD,
    HORSE_ATTACK,
    HORSEBACK,
)
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import NO_MEMBERS, Decision, IllegalChoice
from coltexpress_server.game.rules import Op
from coltexpress_server.game.state import Frame, State


class HorseAttack(Op):
    """Everybody still riding chooses at the same time, secretly; the last rider chooses freely.

    The frame's index is 0 before the attack, then 1 for the caboose, 2 for the car in front of it,
    and so on.
    """

    name: ClassVar[str] = HORSE_ATTACK

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks about the next car; whoever is left boards car 1."""
        if frame.index == 0:
            frame.index = 1
            state.record(HostagesDisplayed(list(stagecoach(state).displayed)))
            return []
        car = _car(state, frame)
        riding = _riding(state)
        if not riding:
            state.stack.pop()
            _choose_first_player(state)
            return []
        if car == 1:
            _board(state, car, [name for names in riding.values() for name in names])
            return []
        last = len(riding) == 1
        return [
            Decision(
                seat,
                names[0],
                BOARD,
                _cars(state, seat, names, car) if last else _now_or_later(state, seat, names),
                False,
                -1,
                NO_MEMBERS,
            )
            for seat, names in riding.items()
        ]

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """Reveals who boards."""
        car = _car(state, frame)
        frame.index += 1
        riding = _riding(state)
        if len(riding) == 1:
            for names in riding.values():
                _board_freely(state, names, choices[0])
            return
        boarding: list[str] = []
        for names, choice in zip(riding.values(), choices, strict=True):
            if isinstance(choice, BoardBandits):
                boarding += choice.bandits
            elif isinstance(choice, Board) and choice.boards:
                boarding += names
        _board(state, car, boarding)

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """Cars that have been passed, bandits who are not riding, and other kinds of choice."""
        offered = type(decision.options[0])
        if not isinstance(choice, offered):
            return IllegalChoice(
                "WRONG_CHOICE", "3.1.4", "this decision is who boards, and which car"
            )
        if isinstance(choice, BoardCar):
            return _no_such_car(choice.car)
        if isinstance(choice, BoardCars):
            riding = [name for names in _riding(state).values() for name in names]
            if list(choice.bandits) == riding:
                return IllegalChoice(
                    "OUT_OF_REACH", "3.1.4", "only cars not yet passed are boarded"
                )
        return IllegalChoice(
            "NO_SUCH_FIGURE", "3.1.4", "only own bandits who are still riding board, each once"
        )


def attacked_car(state: State) -> int | None:
    """The car that can be boarded now, also in a view; None when everybody is aboard."""
    frame = state.stack[-1] if state.stack else None
    return _car(state, frame) if frame is not None and frame.op == HORSE_ATTACK else None


def _no_such_car(car: int) -> IllegalChoice:
    return IllegalChoice("OUT_OF_REACH", "3.1.4", f"car {car} cannot be boarded now")


def _car(state: State, frame: Frame) -> int:
    return state.train.caboose + 1 - frame.index


def _riding(state: State) -> dict[int, list[str]]:
    """By seat: its bandits who are not aboard yet, for those who have any."""
    riding: dict[int, list[str]] = {}
    for figure in state.bandits:
        if figure.space == HORSEBACK:
            riding.setdefault(figure.seat, []).append(figure.name)
    return riding


def _leads_one(state: State, seat: int) -> bool:
    return len(state.seats[seat].figures) == 1


def _now_or_later(state: State, seat: int, names: list[str]) -> list[Choice]:
    """Who of a seat's bandits boards: each boarding before riding on (section 7)."""
    if _leads_one(state, seat):
        return [Board(True), Board(False)]
    return [
        BoardBandits(tuple([name for name, boards in zip(names, who, strict=True) if boards]))
        for who in product((True, False), repeat=len(names))
    ]


def _cars(state: State, seat: int, names: list[str], car: int) -> list[Choice]:
    """The cars not yet passed, for each of the last player's bandits."""
    if _leads_one(state, seat):
        return [BoardCar(other) for other in range(1, car + 1)]
    return [BoardCars(tuple(names), cars) for cars in product(range(1, car + 1), repeat=len(names))]


def _board_freely(state: State, names: list[str], choice: Choice) -> None:
    cars: tuple[int, ...] = ()
    if isinstance(choice, BoardCar):
        cars = (choice.car,)
    elif isinstance(choice, BoardCars):
        cars = choice.cars
    for car in sorted(set(cars), reverse=True):
        _board(state, car, [name for name, its in zip(names, cars, strict=True) if its == car])


def _board(state: State, car: int, names: list[str]) -> None:
    """These go INSIDE the car, their horses stay beside it."""
    horses = stagecoach(state).horses
    for name in names:
        state.figures[name].space = state.train.inside[car]
        horses.append(car)
    horses.sort()
    state.record(CarBoarded(car, names))


def _choose_first_player(state: State) -> None:
    """At random among those who may be it and are furthest back (3.1.5)."""
    car_of = state.train.car_of
    seats = state.rules.seating.first_seats(len(state.seats))
    cars = {
        seat: max(car_of[state.figures[name].space] for name in state.seats[seat].figures)
        for seat in seats
    }
    furthest = max(cars.values())
    last = [seat for seat in seats if cars[seat] == furthest]
    state.round.first_seat = last[chance(state).below(len(last))]
    state.record(FirstPlayerChosen(state.round.first_seat))
