"""A box brings words of its own; the base box's need not name them."""

import re
from pathlib import Path

import yaml

from coltexpress_server.game.choices import Choice, FireAt
from coltexpress_server.game.engine import new_game
from coltexpress_server.game.options import STANDARD
from coltexpress_server.game.scripted_draws import ScriptedDraws
from coltexpress_server.game.state import State
from coltexpress_server.scenarios.choice_words import ChoiceWord, Fields
from coltexpress_server.scenarios.document import Node
from coltexpress_server.scenarios.language import (
    EVERYTHING,
    Check,
    Expected,
    Given,
    Language,
    Position,
    Prepare,
    Scene,
    Sight,
    Words,
)
from coltexpress_server.scenarios.steps import read_checks, read_choice
from coltexpress_server.scenarios.words.base import BaseWords
from coltexpress_server.scenarios.words.marshal import MarshalWords

SOURCE = Path(__file__).resolve().parents[2] / "server" / "coltexpress_server" / "scenarios"


class FireWithCylinder(ChoiceWord):
    """`{fire: DOC, cylinder: 2}`."""

    def __init__(self) -> None:
        super().__init__("fire", ("cylinder",), {"cylinder": "1"})

    def read(self, scene: Scene, key: str, node: Node) -> str | bool:
        return node.text()

    def fields(self, choice: Choice) -> Fields:
        return {"fire": choice.text.removeprefix("fire:"), "cylinder": "1"}

    def make(self, state: State, seat: int, fields: Fields) -> Choice:
        return FireAt(str(fields["fire"]))


class Whistles(Words):
    """A box in which the train whistles."""

    def set_up(self) -> list[tuple[int, Prepare]]:
        return [(10, silence)]

    def given(self) -> dict[str, tuple[int, Given]]:
        return {"whistles": (50, whistles)}

    def expected(self) -> dict[str, Expected]:
        return {"whistles": expected_whistles}

    def choices(self) -> list[ChoiceWord]:
        return [FireWithCylinder()]


def silence(position: Position) -> None:
    position.state.neutral_bullets = 0


def whistles(position: Position, node: Node) -> None:
    position.state.neutral_bullets = node.number(0, 9)


def expected_whistles(scene: Scene, node: Node) -> Check:
    wanted = node.number(0, 9)
    return lambda sight: "" if sight.state.neutral_bullets == wanted else "whistles differ"


def node_of(text: str) -> Node:
    raw = yaml.compose(text)
    assert raw is not None
    return Node(raw, "here")


def scene_of(language: Language) -> Scene:
    return Scene(new_game(STANDARD, [["BELLE"], ["DOC"], ["TUCO"]], bytes(32)), language)


def test_a_box_brings_keys_of_given_and_expect() -> None:
    scene = scene_of(Language([BaseWords(), MarshalWords(), Whistles()]))
    position = Position(scene, ScriptedDraws(bytes(32), 0), "SCHEMIN", {})
    scene.language.given["whistles"][1](position, node_of("3"))
    sight = Sight(scene.state, EVERYTHING, [])
    assert read_checks(scene, node_of("{whistles: 3, marshal: 0}"), "expect", {})(sight) == ""
    assert read_checks(scene, node_of("{whistles: 4}"), "expect", {})(sight) == "whistles differ"


def test_a_later_box_replaces_how_a_choice_is_written() -> None:
    text = node_of("{fire: DOC, cylinder: '2'}")
    words = Language([BaseWords(), MarshalWords(), Whistles()])
    wanted = read_choice(scene_of(words), text)
    assert not wanted.fits(FireAt("DOC"))
    assert read_choice(scene_of(words), node_of("{fire: DOC}")).fits(FireAt("DOC"))


def test_what_every_position_takes_comes_from_all_boxes() -> None:
    language = Language([BaseWords(), MarshalWords(), Whistles()])
    assert len(language.set_up) == len(
        BaseWords().set_up() + MarshalWords().set_up() + Whistles().set_up()
    )
    assert {"bandits", "marshal", "whistles"} <= language.given.keys()


def test_the_base_words_name_no_other_box() -> None:
    for file in (SOURCE / "words" / "base").glob("*.py"):
        text = file.read_text("utf-8").lower()
        for word in ("shotgun", "stagecoach", "horse", "hostage", "flask", "turmoil", "ride"):
            assert word not in text, file.name
        assert not {"expert", "discards", "teams", "borrowed"} & set(re.findall("[a-z]+", text))
