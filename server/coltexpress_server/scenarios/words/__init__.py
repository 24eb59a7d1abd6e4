"""The words of scenario files, box by box; mirrors `game.boxes`."""

from __future__ import annotations

from functools import cache
from typing import Final

from coltexpress_server.game.boxes.base import Base
from coltexpress_server.game.boxes.expert import Expert
from coltexpress_server.game.boxes.horses_and_stagecoach import HorsesAndStagecoach
from coltexpress_server.game.boxes.marshal import Marshal
from coltexpress_server.game.boxes.marshal_and_prisoners import MarshalAndPrisoners
from coltexpress_server.game.boxes.reshuffling import Reshuffling
from coltexpress_server.game.boxes.teams import Teams
from coltexpress_server.game.rules import Rules
from coltexpress_server.scenarios.language import Language, Words
from coltexpress_server.scenarios.words.base import BaseWords
from coltexpress_server.scenarios.words.expert import ExpertWords
from coltexpress_server.scenarios.words.horses_and_stagecoach import HorsesAndStagecoachWords
from coltexpress_server.scenarios.words.marshal import MarshalWords
from coltexpress_server.scenarios.words.marshal_and_prisoners import MarshalAndPrisonersWords
from coltexpress_server.scenarios.words.reshuffling import ReshufflingWords
from coltexpress_server.scenarios.words.teams import TeamsWords

_WORDS: Final[dict[str, Words]] = {
    Base.name: BaseWords(),
    Marshal.name: MarshalWords(),
    Reshuffling.name: ReshufflingWords(),
    Expert.name: ExpertWords(),
    Teams.name: TeamsWords(),
    HorsesAndStagecoach.name: HorsesAndStagecoachWords(),
    MarshalAndPrisoners.name: MarshalAndPrisonersWords(),
}
"""By the box's name; a box that is not here brings no words."""


@cache
def language_for(rules: Rules) -> Language:
    """The words for the boxes that these rules are made of."""
    return Language([_WORDS[box.name] for box in rules.boxes if box.name in _WORDS])
