"""Setting up horses, stagecoach, hostages and whiskey (RULES.md 3.1)."""

from __future__ import annotations

from coltexpress_server.game.boxes.base.setup import chance, strongbox
from coltexpress_server.game.boxes.horses_and_stagecoach.state import NAME, Stagecoach
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import (
    FLASK,
    FLASKS,
    HORSE_ATTACK,
    HORSEBACK,
    RANSOMS,
    SHOTGUN,
    STAGECOACH_ROOF,
)
from coltexpress_server.game.loot import Token
from coltexpress_server.game.state import Figure, State


def place_stagecoach(state: State) -> None:
    """Beside the locomotive; on its roof the Shotgun, on a strongbox (3.1.1)."""
    state.extras[NAME] = Stagecoach(0, [], [], {}, {})
    state.figures[SHOTGUN] = Figure(SHOTGUN, -1, -1, STAGECOACH_ROOF, [strongbox()], 0, [])


def lay_out_whiskey(state: State) -> None:
    """A flask INSIDE each ordinary car, the rest to the box (3.1.2)."""
    flasks = [Token(FLASK, sort, 0) for sort, count in FLASKS.items() for _ in range(count)]
    chance(state).shuffle(flasks)
    cars = state.rules.seating.ordinary_cars(len(state.seats))
    for space in state.train.inside[1 : cars + 1]:
        state.loot_at(space).append(flasks.pop())
    state.box.extend(flasks)


def display_hostages(state: State) -> None:
    """One fewer than bandits, at random, face up (3.1.2)."""
    shown = chance(state).sample(list(RANSOMS), len(state.bandits) - 1)
    extra = state.extras[NAME]
    if isinstance(extra, Stagecoach):
        extra.displayed = [hostage for hostage in RANSOMS if hostage in shown]


def mount(state: State) -> None:
    """Everybody is on horseback; who is first player is settled when all are aboard (3.1.4)."""
    for figure in state.bandits:
        figure.space = HORSEBACK
    state.round.first_seat = -1
    state.round.phase = HORSE_ATTACK
