"""Setting up the prison train (RULES.md 4.1, 4.2, 4.3, 4.5)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.setup import chance, strongbox
from coltexpress_server.game.boxes.marshal_and_prisoners import goals
from coltexpress_server.game.boxes.marshal_and_prisoners.events import PrisonersDisplayed
from coltexpress_server.game.boxes.marshal_and_prisoners.provisional import BRAWLERS, CYLINDER
from coltexpress_server.game.boxes.marshal_and_prisoners.state import (
    NAME,
    PrisonTrain,
    prison_train,
)
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import (
    CYLINDERS,
    MAILBAG,
    MAILBAGS,
    MARSHAL,
    MARSHALS_SEAT,
    PRISON_CAR,
    PRISONERS_SHOWN,
)
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.loot import Token
from coltexpress_server.game.rules import Op
from coltexpress_server.game.state import Figure, Frame, State


def couple_prison_car(state: State) -> None:
    """It is the last car; no loot lies in it (4.1)."""
    state.cars.append(PRISON_CAR)


def lay_out_mailbags(state: State) -> None:
    """Both lie in the locomotive instead of a strongbox, which stays in the box (4.3)."""
    locomotive = state.loot_at(state.train.inside[0])
    locomotive += [
        Token(MAILBAG, value, 0) for value, count in MAILBAGS.items() for _ in range(count)
    ]
    state.box.append(strongbox())
    state.waiting.append(strongbox())


def place_marshal(state: State) -> None:
    """He starts INSIDE the locomotive, led by his seat (4.2)."""
    seat = MARSHALS_SEAT
    deck = state.seats[seat].deck
    state.figures[MARSHAL] = Figure(MARSHAL, seat, deck, state.train.inside[0], [], 0, [])


def lay_out_the_sheet(state: State) -> None:
    """Prisoners and goals are drawn, cylinders loaded, Brawlers piled."""
    shown = chance(state).sample(list(state.rules.powers), PRISONERS_SHOWN)
    displayed = [name for name in state.rules.powers if name in shown]
    state.extras[NAME] = sheet(displayed, goals.draw(state))


def sheet(displayed: list[str], upcoming: list[str]) -> PrisonTrain:
    """The Marshal's sheet before anything has happened, with these prisoners and goals."""
    return PrisonTrain(
        cylinders=[list(CYLINDER) for _ in range(CYLINDERS)],
        displayed=displayed,
        prisoners={},
        retaken=[],
        posters=[],
        brawlers=list(BRAWLERS),
        brawlers_of={},
        shots={},
        injuries={},
        current=[],
        upcoming=upcoming,
        turned_up="",
    )


class Display(Op):
    """Shows everybody which prisoners are aboard."""

    name: ClassVar[str] = "DISPLAY_PRISONERS"

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """At once."""
        state.stack.pop()
        state.record(PrisonersDisplayed(list(prison_train(state).displayed)))
        return []
