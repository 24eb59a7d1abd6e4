"""How the choices of the base box are written."""

from __future__ import annotations

from typing import Final

from coltexpress_server.game.boxes.base.looting import kinds
from coltexpress_server.game.boxes.base.tables import PURSE
from coltexpress_server.game.cards import BULLET, NEUTRAL
from coltexpress_server.game.choices import Choice, Play, Punch
from coltexpress_server.game.rules import PUNCH
from coltexpress_server.game.state import State
from coltexpress_server.scenarios import reading
from coltexpress_server.scenarios.choice_words import ChoiceWord, Fields, OneField, Plain
from coltexpress_server.scenarios.document import Node
from coltexpress_server.scenarios.language import Scene


class PlayWord(ChoiceWord):
    """`{play: FIRE}`, `{play: DOC.FIRE}`, `{play: FIRE, face_down: true}`."""

    def __init__(self) -> None:
        super().__init__("play", ("face_down",), {"face_down": False})

    def read(self, scene: Scene, key: str, node: Node) -> str | bool:
        """A card, bullets included, or a flag."""
        if key == "face_down":
            return node.flag()
        return reading.card_name(scene, node)

    def fields(self, choice: Choice) -> Fields:
        """The card, and whether a power hides it."""
        if not isinstance(choice, Play):
            return {}
        return {"play": choice.card, "face_down": choice.face_down}

    def make(self, state: State, seat: int, fields: Fields) -> Choice:
        """The card, by the name it is given."""
        figure, _, action = str(fields["play"]).rpartition(".")
        return Play(figure, action, bool(fields["face_down"]))


class PunchWord(ChoiceWord):
    """`{punch: DOC, drop: PURSE, to: 3.inside}`, perhaps with `keep: true`.

    There is no `drop` for a victim who owns nothing.
    """

    def __init__(self) -> None:
        super().__init__("punch", ("drop", "to", "keep"), {"keep": False})

    def read(self, scene: Scene, key: str, node: Node) -> str | bool:
        """A figure, a kind of loot, a space of any train, or a flag."""
        if key == "keep":
            return node.flag()
        if key == "to":
            return reading.space_name(scene, node)
        if key == "drop":
            return _kind(scene, node)
        return reading.figure_name(scene, node)

    def fields(self, choice: Choice) -> Fields:
        """All of it; no `drop` where nothing is lost."""
        if not isinstance(choice, Punch):
            return {}
        fields: Fields = {"punch": choice.figure, "to": choice.space, "keep": choice.keep}
        return fields | {"drop": choice.drop} if choice.drop else fields

    def make(self, state: State, seat: int, fields: Fields) -> Choice:
        """What is not said: the first kind of loot that the victim owns, the nearest space."""
        target = state.figures.get(str(fields["punch"]))
        acting = [decision.figure for decision in state.pending if decision.seat == seat]
        actor = state.figures[(acting or state.seats[seat].figures)[0]]
        owned = kinds(state.rules, target.loot) if target else []
        nearest = [line[0] for line in state.rules.lines(state, actor.space, PUNCH) if line]
        return Punch(
            str(fields["punch"]),
            str(fields.get("drop", owned[0] if owned else "")),
            str(fields.get("to", nearest[0] if nearest else "")),
            bool(fields["keep"]),
        )


def kept(scene: Scene, node: Node) -> str:
    """Names of cards, put into the canonical order (section 7), bullets last."""
    rules = scene.state.rules
    names = [_kept_name(scene, item) for item in node.items()]
    owners = list(rules.powers)
    actions = [*sorted(rules.actions, key=lambda action: rules.actions[action]), BULLET]

    def place(name: str) -> tuple[int, int]:
        owner, _, action = name.rpartition(".")
        return actions.index(action), owners.index(owner) if owner else -1

    return ",".join(sorted(names, key=place))


def _kept_name(scene: Scene, node: Node) -> str:
    """A card by its name; a bullet with who gave it, unless nobody did."""
    giver = reading.bullet_giver(scene, node)
    if giver and giver != NEUTRAL:
        return f"{giver}.{BULLET}"
    return reading.card_name(scene, node)


def _kind(scene: Scene, node: Node) -> str:
    word = reading.token_word(scene, node)
    if ":" in word:
        raise node.error("which one falls is drawn by the game: no value is expected")
    return word


def _purse(scene: Scene, node: Node) -> str:
    word = reading.token_word(scene, node)
    if not word.startswith(PURSE):
        raise node.error(f"a purse is expected, not {word}")
    return word


CHOICES: Final[list[ChoiceWord]] = [
    PlayWord(),
    Plain("draw"),
    OneField("move", reading.space_name),
    OneField("floor", reading.space_name),
    OneField("fire", reading.figure_name),
    OneField("rob", reading.token_word),
    PunchWord(),
    OneField("take", _purse),
    Plain("pass"),
]
