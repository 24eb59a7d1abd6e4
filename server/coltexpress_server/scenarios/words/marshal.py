"""The words for the Marshal whom nobody plays."""

from __future__ import annotations

from coltexpress_server.game.boxes.marshal.figure import MARSHAL, place
from coltexpress_server.scenarios import reading
from coltexpress_server.scenarios.choice_words import ChoiceWord, OneField
from coltexpress_server.scenarios.document import InvalidScenario, Node
from coltexpress_server.scenarios.language import (
    Check,
    Expected,
    Given,
    Position,
    Prepare,
    Scene,
    Sight,
    Words,
)


class MarshalWords(Words):
    """His car, his card, and nobody inside with him."""

    def set_up(self) -> list[tuple[int, Prepare]]:
        """He starts in the locomotive; a position with somebody inside with him cannot be."""
        return [(10, lambda position: place(position.state)), (80, _is_alone)]

    def given(self) -> dict[str, tuple[int, Given]]:
        """`marshal: 2`."""
        return {"marshal": (50, _stands)}

    def expected(self) -> dict[str, Expected]:
        """`marshal: 2`."""
        return {"marshal": _expected_at}

    def choices(self) -> list[ChoiceWord]:
        """`{marshal: 3}`."""
        return [OneField("marshal", _car)]


def _car(scene: Scene, node: Node) -> str:
    """A car of any train."""
    return str(node.number(0, 99))


def _stands(position: Position, node: Node) -> None:
    state = position.state
    state.figures[MARSHAL].space = state.train.inside[reading.car(position.scene, node)]


def _is_alone(position: Position) -> None:
    state = position.state
    for figure in state.bandits:
        if figure.space == state.figures[MARSHAL].space:
            lines = position.lines
            line = lines.get("bandits", lines.get("marshal", lines["given"]))
            raise InvalidScenario(line, f"given: {figure.name} stands INSIDE the Marshal's car")


def _expected_at(scene: Scene, node: Node) -> Check:
    wanted = reading.car(scene, node)

    def check(sight: Sight) -> str:
        train = sight.state.train
        car = train.car_of[sight.state.figures[MARSHAL].space]
        return "" if car == wanted else f"marshal is {car}, not {wanted}"

    return check
