"""The words of scenario files, box by box; mirrors `game.boxes`."""

from __future__ import annotations

from functools import cache

from coltexpress_server.game.options import Options
from coltexpress_server.scenarios.language import Language
from coltexpress_server.scenarios.words.base import BaseWords
from coltexpress_server.scenarios.words.marshal import MarshalWords


@cache
def language_for(options: Options) -> Language:
    """The words for the rules of these options."""
    return Language((BaseWords(), MarshalWords()))
