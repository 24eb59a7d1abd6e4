"""What is in the base box (RULES.md 1.1.4, 1.2.1, 1.3)."""

from __future__ import annotations

from typing import Final

from coltexpress_server.game.cards import RoundCard
from coltexpress_server.game.loot import LootKind

PURSE: Final = "PURSE"
JEWEL: Final = "JEWEL"
STRONGBOX: Final = "STRONGBOX"

LOOT: Final = {
    STRONGBOX: LootKind(10, told_apart=False, owner_learns=True),
    JEWEL: LootKind(30, told_apart=False, owner_learns=True),
    PURSE: LootKind(40, told_apart=True, owner_learns=True),
}
"""Kinds of loot; the gaps in the ranks are for other boxes."""

CARS: Final = {
    "A": (1, 0),
    "B": (3, 0),
    "C": (1, 1),
    "D": (3, 1),
    "E": (4, 1),
    "F": (0, 3),
}
"""Purses and jewels that lie inside each car at the start."""

PURSES: Final = {250: 8, 300: 2, 350: 2, 400: 2, 450: 2, 500: 2}
"""How many purses there are of each value."""
JEWELS: Final = 6
STRONGBOXES: Final = 2
STARTING_PURSE: Final = 250
JEWEL_VALUE: Final = 500
STRONGBOX_VALUE: Final = 1000

ACTIONS: Final = {
    "MOVE": 10,
    "FLOOR_CHANGE": 30,
    "FIRE": 50,
    "ROBBERY": 60,
    "PUNCH": 70,
}
"""Action cards and their rank in the canonical order; the gaps are for other boxes."""

DECK: Final = (
    *("MOVE", "MOVE"),
    *("FLOOR_CHANGE", "FLOOR_CHANGE"),
    *("FIRE", "FIRE"),
    *("ROBBERY", "ROBBERY"),
    "PUNCH",
)
"""Each bandit's action cards, the MARSHAL card aside (1.3.1)."""

HAND: Final = 6
DRAW: Final = 3
BULLETS: Final = 6
NEUTRAL_BULLETS: Final = 13
ROUNDS: Final = 5

STANDARD: Final = "STANDARD"
TUNNEL: Final = "TUNNEL"
SPEEDING_UP: Final = "SPEEDING_UP"
SWITCHING: Final = "SWITCHING"

ICONS: Final = {"S": STANDARD, "T": TUNNEL, "X": SPEEDING_UP, "W": SWITCHING}

_ROUND_CARDS: Final = (
    # name, event, turns for 2-4 players, turns for 5-6 players (1.3.3)
    ("SWIVEL_ARM", "SWIVEL_ARM", "STSS", "STS"),
    ("ANGRY_MARSHAL", "ANGRY_MARSHAL", "SSTW", "SSW"),
    ("TAKE_IT_ALL", "TAKE_IT_ALL", "STXS", "SXW"),
    ("BRAKING", "BRAKING", "SSSS", "STSS"),
    ("PASSENGERS_REBELLION", "PASSENGERS_REBELLION", "SSTSS", "STSW"),
    ("BRIDGE", "NONE", "SXS", "SX"),
    ("LONG_TUNNEL", "NONE", "STSTS", "STST"),
)

_STATION_CARDS: Final = (
    # name and event, turns (1.3.4)
    ("MARSHALS_REVENGE", "SSTS"),
    ("PICKPOCKETING", "SSTS"),
    ("HOSTAGE_CONDUCTOR", "SSTS"),
)


def round_cards(bandits: int) -> list[RoundCard]:
    """The seven ordinary round cards for this number of bandits (1.3.3)."""
    large = bandits > 4
    return [
        RoundCard(name, _turns(many if large else few), event)
        for name, event, few, many in _ROUND_CARDS
    ]


def station_cards() -> list[RoundCard]:
    """The three station cards (1.3.4)."""
    return [RoundCard(name, _turns(turns), name) for name, turns in _STATION_CARDS]


def _turns(icons: str) -> list[str]:
    return [ICONS[icon] for icon in icons]
