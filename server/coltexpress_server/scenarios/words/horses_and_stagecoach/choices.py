"""How the choices of Horses & Stagecoach are written."""

from __future__ import annotations

from typing import Final

from coltexpress_server.game.boxes.horses_and_stagecoach import tables
from coltexpress_server.game.boxes.horses_and_stagecoach.choices import Drink
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.state import State
from coltexpress_server.scenarios import reading
from coltexpress_server.scenarios.choice_words import ChoiceWord, Fields, OneField
from coltexpress_server.scenarios.document import Node
from coltexpress_server.scenarios.language import Scene
from coltexpress_server.scenarios.words.base.choices import kept

_MANY_CARS: Final = 99


class WhiskeyWord(ChoiceWord):
    """`{whiskey: FLASK}`, with `of: TUCO` where a seat leads several bandits."""

    def __init__(self) -> None:
        super().__init__("whiskey", ("of",))

    def read(self, scene: Scene, key: str, node: Node) -> str | bool:
        """A kind of flask, as far as its sort can be known, or a bandit."""
        if key == "of":
            return reading.figure_name(scene, node)
        return node.one_of(tables.FLASK_KINDS, "flask")

    def fields(self, choice: Choice) -> Fields:
        """The flask, and whose it is where that is a question."""
        if not isinstance(choice, Drink):
            return {}
        fields: Fields = {"whiskey": choice.flask}
        return fields | {"of": choice.figure} if choice.figure else fields

    def make(self, state: State, seat: int, fields: Fields) -> Choice:
        """The flask of a bandit of the seat's, the first if none is said."""
        led = state.seats[seat].figures
        return Drink(str(fields.get("of", led[0] if len(led) > 1 else "")), str(fields["whiskey"]))


def _ridden_to(scene: Scene, node: Node) -> str:
    """A space, or away for good."""
    return node.text() if node.text() == tables.GONE else reading.space_name(scene, node)


def _boarding(scene: Scene, node: Node) -> str:
    """Whether to board this car, or which car to board; of several bandits which, or each where."""
    if node.is_mapping:
        return ",".join(
            _in_order(
                scene,
                [
                    (key, f"{reading.bandit(scene, key).name}={value.number(0, _MANY_CARS)}")
                    for key, value in node.pairs()
                ],
            )
        )
    if node.is_list:
        return ",".join(
            _in_order(scene, [(item, reading.bandit(scene, item).name) for item in node.items()])
        )
    if node.is_number:
        return str(node.number(0, _MANY_CARS))
    return str(node.flag()).lower()


def _in_order(scene: Scene, words: list[tuple[Node, str]]) -> list[str]:
    """What is said of bandits, in the order in which their seat leads them."""
    names = [figure.name for figure in scene.state.bandits]
    words.sort(key=lambda row: names.index(row[0].text()))
    return [word for _, word in words]


def _hostage(scene: Scene, node: Node) -> str:
    return node.one_of(tables.RANSOMS, "hostage")


CHOICES: Final[list[ChoiceWord]] = [
    OneField("board", _boarding),
    OneField("ride", _ridden_to),
    OneField("hostage", _hostage),
    OneField("flee", reading.space_name),
    OneField("keep", kept),
    WhiskeyWord(),
]
