"""What is in the box Marshal & Prisoners, and its words (RULES.md section 4)."""

from __future__ import annotations

from typing import Final

from coltexpress_server.game.loot import LootKind

MARSHAL: Final = "MARSHAL"
MARSHALS_SEAT: Final = 0
"""Seats are numbered from the Marshal (4.2)."""

MOVE_PLUS: Final = "MOVE_PLUS"
FLOOR_CHANGE_PLUS: Final = "FLOOR_CHANGE_PLUS"
CAPTURE: Final = "CAPTURE"
BRILLIANT_IDEA: Final = "BRILLIANT_IDEA"
ACTIONS: Final = {MOVE_PLUS: 20, FLOOR_CHANGE_PLUS: 40, CAPTURE: 90, BRILLIANT_IDEA: 110}
"""This box's action cards and their rank in the canonical order (section 7)."""
PLUS_CARDS: Final = {MOVE_PLUS: "MOVE", FLOOR_CHANGE_PLUS: "FLOOR_CHANGE"}
"""The Marshal's cards with a plus sign, and what they do."""
MARSHALS_FIRE: Final = "MARSHALS_FIRE"
"""What his FIRE card does."""
ROBBERY_OF_TWO: Final = "ROBBERY_OF_TWO"
"""What a ROBBERY card does for a bandit with his own companion."""

CELL: Final = "cell"
"""Where captured bandits are; no space of the board (4.11)."""
PRISON_CAR: Final = "PRISON"
"""The last car, among letters of cars."""

MAILBAG: Final = "MAILBAG"
MAILBAGS: Final = {200: 1, 1200: 1}
"""How many mailbags there are of each value (4.3)."""
LOOT: Final = {MAILBAG: LootKind(20, told_apart=True, owner_learns=True)}
PURSES: Final = {250: 1}
"""Purses beyond those of the base box (4.1)."""

DISARMED: Final = "DISARMED"
WOUNDED_KNEE: Final = "WOUNDED_KNEE"
SHOULDER_INJURY: Final = "SHOULDER_INJURY"
GOT_EM: Final = "GOT_EM"
DROP_THAT_BAG: Final = "DROP_THAT_BAG"
GOLDEN_BULLET: Final = "GOLDEN_BULLET"
BULLETS: Final = (
    *(DISARMED, WOUNDED_KNEE, SHOULDER_INJURY),
    *(GOT_EM, DROP_THAT_BAG, GOLDEN_BULLET),
)
"""All sorts of Marshal bullets."""
INJURIES: Final = {DISARMED: "FIRE", WOUNDED_KNEE: "FLOOR_CHANGE", SHOULDER_INJURY: "PUNCH"}
"""Bullets that lie in front of the victim until the end of the round; what they hinder (4.9)."""
CYLINDERS: Final = 2

MEI: Final = "MEI"

PRISONERS_SHOWN: Final = 3
POSTER_VALUE: Final = 500
PRISONER_VALUE: Final = 200

WARRANTS: Final = 2
TARGETS: Final = 3
"""How many of the five goals are warrants, and how many special targets (4.5)."""
GOALS_NEEDED: Final = 4
WARRANT: Final = "WARRANT"
FEW_BANDITS: Final = 3
NOT_WITH_FEW: Final = ("FULL_OF_LEAD", "ARCH_ENEMY")
"""Special targets left out with so few bandits."""
HIDDEN_GOAL: Final = "HIDDEN"
"""A goal that the viewer does not know."""

FREE: Final = "FREE"
GIVE: Final = "GIVE"
LEAVE_CELL: Final = "LEAVE_CELL"
CLOSING: Final = "CLOSING"
"""Kinds of decision beside the cards'."""


def warrant(bandit: str) -> str:
    """The goal to capture a bandit: `WARRANT:DOC`."""
    return f"{WARRANT}:{bandit}"
