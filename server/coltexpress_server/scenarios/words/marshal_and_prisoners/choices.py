"""How the choices of Marshal & Prisoners are written."""

from __future__ import annotations

from typing import Final

from coltexpress_server.game.boxes.marshal_and_prisoners import tables
from coltexpress_server.game.boxes.marshal_and_prisoners.choices import (
    PRISONER,
    ShootOne,
    ShootTwo,
)
from coltexpress_server.game.boxes.marshal_and_prisoners.state import prison_train
from coltexpress_server.game.choices import Choice, FireAt
from coltexpress_server.game.state import State
from coltexpress_server.scenarios import reading
from coltexpress_server.scenarios.choice_words import ChoiceWord, Fields, OneField, Plain
from coltexpress_server.scenarios.document import Node
from coltexpress_server.scenarios.language import Scene

_MANY_VALUE: Final = 999_999


class FireWord(ChoiceWord):
    """`{fire: DOC}`, the Marshal's `{fire: DOC, cylinder: 2}` and `{fire: [DOC, TUCO]}`."""

    def __init__(self) -> None:
        super().__init__("fire", ("cylinder",))

    def read(self, scene: Scene, key: str, node: Node) -> str | bool:
        """A figure, two in order, or the number of a cylinder."""
        if key == "cylinder":
            return str(node.number(1, tables.CYLINDERS))
        if not node.is_list:
            return reading.figure_name(scene, node)
        if len(node.items()) != tables.CYLINDERS:
            raise node.error("one target for each cylinder is expected")
        return ",".join(reading.figure_name(scene, item) for item in node.items())

    def fields(self, choice: Choice) -> Fields:
        """Who is shot, and with which cylinder where that is said."""
        if isinstance(choice, FireAt):
            return {"fire": choice.figure}
        if isinstance(choice, ShootOne):
            return {"fire": choice.figure, "cylinder": str(choice.cylinder)}
        if isinstance(choice, ShootTwo):
            return {"fire": f"{choice.first},{choice.second}"}
        return {}

    def meant(self, fields: Fields, fitting: list[Choice]) -> list[Choice]:
        """Where no cylinder is said, the first that is loaded."""
        return fitting if "cylinder" in fields else fitting[:1]

    def make(self, state: State, seat: int, fields: Fields) -> Choice:
        """A bandit's shot, or the Marshal's, where no cylinder is said with the first loaded."""
        first, comma, second = str(fields["fire"]).partition(",")
        if comma:
            return ShootTwo(first, second)
        if seat != tables.MARSHALS_SEAT:
            return FireAt(first)
        bullets = prison_train(state).cylinders
        loaded = [number for number, cylinder in enumerate(bullets, start=1) if cylinder]
        return ShootOne(first, int(fields.get("cylinder", loaded[0] if loaded else 1)))


def _robbed(scene: Scene, node: Node) -> str:
    """A token, or two in any order."""
    if not node.is_list:
        return reading.token_word(scene, node)
    words = [reading.token_word(scene, item) for item in node.items()]
    if len(words) != 2:
        raise node.error(f"one token or two are expected, not {len(words)}")
    return ",".join(sorted(words, key=lambda word: _place(scene, word)))


def _place(scene: Scene, word: str) -> tuple[int, int]:
    """Where a token stands in the canonical order: by kind, then by value, unknown last."""
    kind, colon, value = word.partition(":")
    return scene.state.rules.loot[kind].rank, int(value) if colon else _MANY_VALUE


def _freed(scene: Scene, node: Node) -> str:
    """A prisoner, or a bandit."""
    if ":" not in node.text():
        return reading.figure_name(scene, node)
    cards = [f"{PRISONER}:{name}" for name in scene.state.rules.powers]
    return node.one_of(cards, "prisoner")


CHOICES: Final[list[ChoiceWord]] = [
    Plain("search"),
    OneField("capture", reading.figure_name),
    FireWord(),
    OneField("rob", _robbed),
    OneField("free", _freed),
    OneField("give", reading.token_word),
    OneField("leave_cell", reading.space_name),
]
