"""What is in the box Horses & Stagecoach, and its words (RULES.md 3.1, 3.5, 3.7, section 8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from coltexpress_server.game.boxes.base.tables import ICONS
from coltexpress_server.game.cards import RoundCard

RIDE: Final = "RIDE"
RIDE_RANK: Final = 100
"""Its place in the canonical order of cards (section 7)."""
RIDING_CARS: Final = 3

STAGECOACH: Final = "STAGECOACH"
SHOTGUN: Final = "SHOTGUN"
STAGECOACH_INSIDE: Final = "stagecoach.inside"
STAGECOACH_ROOF: Final = "stagecoach.roof"
GONE: Final = "gone"
"""Where bandits are who have ridden away for good (3.7.8); no space of the board."""
HORSEBACK: Final = "horseback"
"""Where bandits are who have not boarded yet (3.1.4); no space of the board."""

FLASK: Final = "FLASK"
HALF_FLASK: Final = "HALF_FLASK"
HALF_OLD_FLASK: Final = "HALF_OLD_FLASK"
FLASK_KINDS: Final = (FLASK, HALF_FLASK, HALF_OLD_FLASK)
"""Kinds of loot; an unused flask is a FLASK, its sort is the token's value."""
WHISKEY: Final = 0
OLD_WHISKEY: Final = 1
"""The two sorts, as a flask's token holds them where another has its dollars."""
FLASKS: Final = {WHISKEY: 5, OLD_WHISKEY: 1}

NEUTRAL_BULLETS: Final = 3
"""Beyond those of the base box: 16 in all."""

TURMOIL: Final = "TURMOIL"
HORSE_ATTACK: Final = "HORSE_ATTACK"
"""The phase before the first round."""

BOARD: Final = "BOARD"
HOSTAGE: Final = "HOSTAGE"
FLEE: Final = "FLEE"
KEEP: Final = "KEEP"
"""Kinds of decision, beside TURMOIL and the card RIDE."""

SHOTGUN_MET: Final = "SHOTGUN_MET"
SHOTGUN_PASSED: Final = "SHOTGUN_PASSED"
"""Causes of bullets (3.4.3)."""

POODLE: Final = "POODLE"
BANKER: Final = "BANKER"
MINISTER: Final = "MINISTER"
TEACHER: Final = "TEACHER"
ZEALOT: Final = "ZEALOT"
OLD_LADY: Final = "OLD_LADY"
POKER_PLAYER: Final = "POKER_PLAYER"
PHOTOGRAPHER: Final = "PHOTOGRAPHER"


@dataclass(slots=True, eq=False)
class Ransom:
    """What a hostage is worth at the end (3.5).

    dollars: for each of what it counts.
    per: nothing, for a sum paid once; a kind of loot owned; or BULLET, received from others.
    """

    dollars: int
    per: str


RANSOMS: Final = {
    POODLE: Ransom(1000, ""),
    BANKER: Ransom(1000, ""),
    MINISTER: Ransom(900, ""),
    TEACHER: Ransom(800, ""),
    ZEALOT: Ransom(800, ""),
    OLD_LADY: Ransom(500, "JEWEL"),
    POKER_PLAYER: Ransom(250, "PURSE"),
    PHOTOGRAPHER: Ransom(200, "BULLET"),
}
"""All hostages, in the canonical order."""

FIRST_EDITION: Final = "FIRST"
_FIRST_EDITION_RANSOMS: Final = {BANKER: Ransom(1000, "STRONGBOX"), ZEALOT: Ransom(700, "")}

WHISKEY_FOR_THE_MARSHAL: Final = "WHISKEY_FOR_THE_MARSHAL"
TIRED_HORSES: Final = "TIRED_HORSES"
HIGH_SPEED: Final = "HIGH_SPEED"
SHOTGUNS_RAGE: Final = "SHOTGUNS_RAGE"
MORTAL_BULLET: Final = "MORTAL_BULLET"
SHARING_THE_LOOT: Final = "SHARING_THE_LOOT"
ESCAPE: Final = "ESCAPE"

MORTAL_BULLET_COST: Final = 150

_ICONS: Final = ICONS | {"L": TURMOIL}

_ROUND_CARDS: Final = (
    # name, event, turns for 2-4 players, turns for 5-6 players, cards to keep
    (TURMOIL, "NONE", "LTSS", "LTS", 2),
    (WHISKEY_FOR_THE_MARSHAL, WHISKEY_FOR_THE_MARSHAL, "SSTTS", "STTS", 1),
    (TIRED_HORSES, TIRED_HORSES, "LSXS", "LSX", 0),
    (HIGH_SPEED, HIGH_SPEED, "STS", "SSTS", 1),
    (SHOTGUNS_RAGE, SHOTGUNS_RAGE, "STLS", "STLS", 1),
)

_STATION_CARDS: Final = (
    # name and event, turns
    (MORTAL_BULLET, "SSTS"),
    (SHARING_THE_LOOT, "SSTS"),
    (ESCAPE, "SSTSS"),
)


def round_cards(bandits: int) -> list[RoundCard]:
    """The five ordinary round cards for this number of bandits (3.7)."""
    large = bandits > 4
    return [
        RoundCard(name, [_ICONS[icon] for icon in (many if large else few)], event, keep)
        for name, event, few, many, keep in _ROUND_CARDS
    ]


def station_cards() -> list[RoundCard]:
    """The three station cards (3.7)."""
    return [
        RoundCard(name, [_ICONS[icon] for icon in turns], name) for name, turns in _STATION_CARDS
    ]


def ransom(hostage: str, edition: str) -> Ransom:
    """What a hostage is worth in this edition."""
    if edition == FIRST_EDITION and hostage in _FIRST_EDITION_RANSOMS:
        return _FIRST_EDITION_RANSOMS[hostage]
    return RANSOMS[hostage]


def tired_horses(bandits: int, edition: str) -> int:
    """How many horses leave by TIRED_HORSES (3.7.4, section 8)."""
    tired = 3 if bandits > 4 else 2
    return tired - 1 if edition == FIRST_EDITION else tired
