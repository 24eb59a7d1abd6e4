"""Scenario files as YAML: values that know their line and the keys that lead to them.

Nothing in a file is trusted: keys that stand twice, aliases, wrong types and lists beyond any game
are refused here, with the line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

import yaml

from coltexpress_server.scenarios.absent import is_absent

_LONGEST: Final = 60
"""Entries in a list or mapping; no game comes near, and chance is good for 256 of anything."""
_BOOL: Final = "tag:yaml.org,2002:bool"
_NULL: Final = "tag:yaml.org,2002:null"
_TRUE: Final = frozenset({"yes", "true", "on"})
_DIGITS: Final = 6


class InvalidScenario(ValueError):
    """A file that is no valid scenario.

    line: where, from 1.
    reason: what is wrong, naming the key.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Node:
    """A value in a scenario file; every reading of it raises InvalidScenario for a wrong type.

    path: the keys that lead to it, `given.loot.2.inside[0]`; empty for a whole scenario.
    line: where it stands, from 1.
    """

    __slots__ = ("_raw", "line", "path")

    def __init__(self, raw: yaml.Node, path: str) -> None:
        self._raw = raw
        self.path = path
        self.line: int = raw.start_mark.line + 1

    def error(self, reason: str) -> InvalidScenario:
        """What to raise when this value is wrong."""
        return InvalidScenario(self.line, f"{self.path}: {reason}" if self.path else reason)

    def unknown(self, kind: str, known: Collection[str]) -> InvalidScenario:
        """What to raise for a word that is none of those known; kind: what it should have been."""
        word = self.text()
        if is_absent(kind, word):
            return self.error(f"not part of this game: {word}")
        there_are = f"; there are {', '.join(known)}" if known else ""
        return self.error(f"unknown {kind} {word}{there_are}")

    @property
    def is_mapping(self) -> bool:
        """Whether it has keys."""
        return isinstance(self._raw, yaml.MappingNode)

    @property
    def is_list(self) -> bool:
        """Whether it is a list."""
        return isinstance(self._raw, yaml.SequenceNode)

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands here."""
        return self._raw.tag == _NULL

    def pairs(self) -> list[tuple[Node, Node]]:
        """Keys and values of a mapping, in the order of the file; no key stands twice."""
        if not isinstance(self._raw, yaml.MappingNode):
            raise self.error(f"a mapping is expected, not {self._found()}")
        pairs: list[tuple[Node, Node]] = []
        keys: set[str] = set()
        for raw_key, raw_value in self._raw.value:
            key = Node(raw_key, self.path)
            text = key.text()
            if text in keys:
                raise key.error(f"{text} stands twice")
            keys.add(text)
            pairs.append((key, Node(raw_value, f"{self.path}.{text}" if self.path else text)))
        self._check_length(len(pairs), _LONGEST)
        return pairs

    def keys(self, known: Collection[str], kind: str) -> dict[str, Node]:
        """The values of a mapping by their keys, all of which are known; kind: what they are."""
        found: dict[str, Node] = {}
        for key, value in self.pairs():
            found[key.one_of(known, kind)] = value
        return found

    def one_of(self, known: Collection[str], kind: str) -> str:
        """A word that is one of these; kind: what they are."""
        if self.text() not in known:
            raise self.unknown(kind, known)
        return self.text()

    def only_pair(self) -> tuple[Node, Node]:
        """Key and value of a mapping that has one key."""
        pairs = self.pairs()
        if len(pairs) != 1:
            raise self.error(f"one key is expected, not {len(pairs)}")
        return pairs[0]

    def items(self, longest: int = _LONGEST) -> list[Node]:
        """The values of a list."""
        if not isinstance(self._raw, yaml.SequenceNode):
            raise self.error(f"a list is expected, not {self._found()}")
        self._check_length(len(self._raw.value), longest)
        return [Node(raw, f"{self.path}[{place}]") for place, raw in enumerate(self._raw.value)]

    def text(self) -> str:
        """A single value, as it is written."""
        if not isinstance(self._raw, yaml.ScalarNode) or self.is_empty:
            raise self.error(f"a word is expected, not {self._found()}")
        text: str = self._raw.value
        return text

    def number(self, least: int, greatest: int) -> int:
        """A whole number within these bounds, in decimal digits and without quotes."""
        if not self.is_number:
            raise self.error(f"a number is expected, not {self._found()}")
        value = int(self.text())
        if not least <= value <= greatest:
            raise self.error(f"{value} is not from {least} to {greatest}")
        return value

    @property
    def is_number(self) -> bool:
        """Whether it is a whole number of at most six decimal digits, perhaps with a minus sign."""
        if not isinstance(self._raw, yaml.ScalarNode) or self._raw.style is not None:
            return False
        digits: str = self._raw.value.removeprefix("-")
        return digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS

    def flag(self) -> bool:
        """True or false."""
        if self._raw.tag != _BOOL:
            raise self.error(f"true or false is expected, not {self._found()}")
        return self.text().lower() in _TRUE

    def _check_length(self, length: int, longest: int) -> None:
        if length > longest:
            raise self.error(f"{length} entries, at most {longest} are possible")

    def _found(self) -> str:
        if self.is_mapping:
            return "a mapping"
        if self.is_list:
            return "a list"
        return "nothing" if self.is_empty else self.text()


def documents(path: Path) -> Iterator[Node]:
    """The scenarios in a file.

    Those before a mistake in its YAML come all the same; empty documents are left out.

    Raises InvalidScenario, and OSError if the file cannot be read.
    """
    found = False
    with path.open("rb") as file:
        try:
            for raw in yaml.compose_all(file, Loader=_Loader):
                if raw.tag != _NULL:
                    found = True
                    yield Node(raw, "")
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line + 1 if mark else 1
            raise InvalidScenario(line, f"no YAML: {error.problem}") from error
        except (yaml.YAMLError, UnicodeError) as error:
            reason = " ".join(str(error).split())
            raise InvalidScenario(1, f"no YAML: {reason}") from error
        except RecursionError as error:
            raise InvalidScenario(1, "no scenario is nested so deeply") from error
    if not found:
        raise InvalidScenario(1, "there is no scenario in this file")


class _Loader(yaml.SafeLoader):
    """YAML without aliases, which could make a small file endless."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuses an alias, composes anything else."""
        if self.check_event(yaml.AliasEvent):
            # The stubs of PyYAML leave this method untyped.
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            reason = "aliases have no place in a scenario"
            raise yaml.composer.ComposerError(None, None, reason, mark)
        return super().compose_node(parent, index)
