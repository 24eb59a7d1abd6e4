"""How choices are written in scenario files: as mappings, the first key of which is the verb."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from coltexpress_server.game.choices import Choice
from coltexpress_server.game.state import State
from coltexpress_server.game.vocabulary import parse
from coltexpress_server.scenarios.document import Node

if TYPE_CHECKING:
    from coltexpress_server.scenarios.language import Scene

Fields = dict[str, str | bool]


class ChoiceWord:
    """How the choices of one verb are written.

    verb: the key that tells them from others; the verb of the choices' canonical text, too.
    keys: all keys, the verb first.
    defaults: the fields that may be left out, with what they mean then.
    """

    def __init__(self, verb: str, further: tuple[str, ...] = (), defaults: Fields | None = None):
        self.verb = verb
        self.keys = (verb, *further)
        self.defaults: Fields = defaults or {}

    def read(self, scene: Scene, key: str, node: Node) -> str | bool:
        """The value of one key."""
        raise NotImplementedError

    def fields(self, choice: Choice) -> Fields:
        """A choice of this verb as fields, those that say nothing left out."""
        raise NotImplementedError

    def meant(self, fields: Fields, fitting: list[Choice]) -> list[Choice]:
        """Of the options that fit the fields written, those that are meant: all, unless said."""
        return fitting

    def make(self, state: State, seat: int, fields: Fields) -> Choice:
        """A choice with these fields, to be refused; what is left out is filled in plausibly."""
        raise NotImplementedError


class Plain(ChoiceWord):
    """A choice with nothing more to say: `{draw: true}`."""

    def read(self, scene: Scene, key: str, node: Node) -> str | bool:
        """Always true."""
        if not node.flag():
            raise node.error("true is all that can be said here")
        return True

    def fields(self, choice: Choice) -> Fields:
        """`{draw: true}`."""
        return {self.verb: True}

    def make(self, state: State, seat: int, fields: Fields) -> Choice:
        """The only one."""
        return _parsed(self.verb)


class OneField(ChoiceWord):
    """A choice with one field, written as in its canonical text: `{move: 3.roof}`."""

    def __init__(self, verb: str, word: Callable[[Scene, Node], str]):
        """word: reads the field."""
        super().__init__(verb)
        self._word = word

    def read(self, scene: Scene, key: str, node: Node) -> str | bool:
        """The field."""
        return self._word(scene, node)

    def fields(self, choice: Choice) -> Fields:
        """What follows the verb."""
        return {self.verb: choice.text.removeprefix(f"{self.verb}:")}

    def make(self, state: State, seat: int, fields: Fields) -> Choice:
        """The choice with this canonical text."""
        return _parsed(f"{self.verb}:{fields[self.verb]}")


def _parsed(text: str) -> Choice:
    choice = parse(text)
    if choice is None:
        raise ValueError(f"no choice is written {text}")
    return choice
