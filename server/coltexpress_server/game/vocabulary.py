"""The choices of all boxes by their canonical text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from coltexpress_server.game import choices
from coltexpress_server.game.boxes.horses_and_stagecoach import choices as horses_and_stagecoach
from coltexpress_server.game.boxes.marshal_and_prisoners import choices as marshal_and_prisoners
from coltexpress_server.game.choices import Choice

_READERS: Final[tuple[Callable[[str, list[str]], Choice | None], ...]] = (
    marshal_and_prisoners.read,
    horses_and_stagecoach.read,
    choices.read,
)
"""One a box that has choices of its own; the base box's last, which reads what no other knows."""


def parse(text: str) -> Choice | None:
    """The choice with this canonical text, or None if no choice has it."""
    verb, *fields = text.split(":")
    for read in _READERS:
        choice = read(verb, fields)
        if choice is not None and choice.text == text:
            return choice
    return None
