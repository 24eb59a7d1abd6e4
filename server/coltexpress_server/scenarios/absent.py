"""Words of the scenario format for boxes that a game may lack.

Where the rules of a scenario do not bring such a word (see `language`) it is told apart from a slip
of the pen.
"""

from __future__ import annotations

import re
from typing import Final

_PIECES: Final = (
    "stagecoach|shotgun|horses|this_round|(displayed_)?(hostages|prisoners)|posters"
    "|achievements|cylinders|goals|brawlers(_of)?|injuries"
)
_INJURIES: Final = "DISARMED|WOUNDED_KNEE|SHOULDER_INJURY|GOT_EM|DROP_THAT_BAG|GOLDEN_BULLET"

_ABSENT: Final = {
    "bandit": "MEI|MARSHAL",
    "seat": "MEI|MARSHAL",
    "figure": "MEI|SHOTGUN",
    "giver": "MEI|MARSHAL",
    "space": r"stagecoach\.(inside|roof)|cell|gone",
    "loot": r"(HALF_)?(OLD_)?FLASK|MAILBAG(:\d+)?",
    "card": (
        "RIDE|BRILLIANT_IDEA|MOVE_PLUS|FLOOR_CHANGE_PLUS|CAPTURE"
        rf"|BULLET:(MEI|{_INJURIES})"
    ),
    "turn": "TURMOIL",
    "event": (
        "WHISKEY_FOR_THE_MARSHAL|TIRED_HORSES|HIGH_SPEED|SHOTGUNS_RAGE|MORTAL_BULLET"
        "|SHARING_THE_LOOT|ESCAPE"
    ),
    "phase": "HORSE_ATTACK",
    "decision": ("TURMOIL|KEEP|RIDE|HOSTAGE|FLEE|BOARD|CLOSING|CAPTURE|FREE|GIVE|LEAVE_CELL"),
    "key of given": _PIECES,
    "key of expect": f"{_PIECES}|goals_met",
    "key of sees": f"{_PIECES}|goals_met",
    "key of round": "keep",
    "key of a choice": (
        "search|ride|board|hostage|whiskey|flee|capture|cylinder|free|give|leave_cell"
    ),
}
"""Patterns of the words by what they stand for."""


def is_absent(kind: str, word: str) -> bool:
    """Whether a word means something in the format, but not in this game."""
    return re.fullmatch(_ABSENT.get(kind, ""), word) is not None
