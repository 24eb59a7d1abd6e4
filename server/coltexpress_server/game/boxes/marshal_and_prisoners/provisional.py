"""What nobody here has seen in print: everything **[provisional]** in RULES.md section 4.

One who has the printed box corrects it here, and nowhere else: no rule knows these values, they are
only read. `PROVISIONAL` names what is flagged in the catalogue.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

BRAWLERS: Final = {"GOLD": 800, "SILVER": 500, "BRONZE": 300}
"""The Brawler cards from the top of the pile, with what each is worth at the end (4.2)."""

MARSHALS_DECK: Final = {"MOVE_PLUS": 3, "FLOOR_CHANGE_PLUS": 2, "FIRE": 3, "CAPTURE": 3}
"""The Marshal's action cards (4.6)."""

CYLINDER: Final = (
    "DISARMED",
    "WOUNDED_KNEE",
    "SHOULDER_INJURY",
    "GOT_EM",
    "DROP_THAT_BAG",
    "GOLDEN_BULLET",
)
"""The bullets of each cylinder, from the top (4.9)."""

BANDITS_SHOT: Final = "BANDITS_SHOT"
POSTERS: Final = "POSTERS"
EMPTY_CYLINDERS: Final = "EMPTY_CYLINDERS"
MAILBAGS: Final = "MAILBAGS"
PRISONERS: Final = "PRISONERS"
BRAWLERS_LEFT: Final = "BRAWLERS_LEFT"
CAPTIVES: Final = "CAPTIVES"
"""What special targets count; `goals` says how."""

EVERY_BANDIT: Final = -1
"""As many as there are bandits."""


@dataclass(slots=True, eq=False)
class Target:
    """A special target: at the end there is at least so much of something.

    counted: what; least: how much of it, or EVERY_BANDIT.
    """

    counted: str
    least: int


SPECIAL_TARGETS: Final = {
    "FULL_OF_LEAD": Target(BANDITS_SHOT, EVERY_BANDIT),
    "ARCH_ENEMY": Target(POSTERS, 3),
    "EMPTY_CYLINDER": Target(EMPTY_CYLINDERS, 1),
    "MAIL_GUARD": Target(MAILBAGS, 2),
    "PRISON_GUARD": Target(PRISONERS, 2),
    "UNBEATEN": Target(BRAWLERS_LEFT, 1),
    "FULL_CELL": Target(CAPTIVES, 1),
}
"""Special targets by name (4.5)."""

MEIS_CARS: Final = 1
"""How many cars away MEI's FLOOR_CHANGE may lead (4.15)."""

PROVISIONAL: Final = (
    *(*BRAWLERS, "MARSHAL", *MARSHALS_DECK, *CYLINDER, *SPECIAL_TARGETS),
    "MEI",
)
"""Names in the catalogue of which something is provisional: a value, a number, an order, a text."""
