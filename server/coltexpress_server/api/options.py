"""What is played, and at which pace, as messages."""

from __future__ import annotations

from coltexpress.v1.game_pb2 import Clock as ClockMessage
from coltexpress.v1.game_pb2 import GameOptions
from coltexpress_server.api.words import EDITIONS, EXPANSIONS, VARIANTS
from coltexpress_server.game.boxes import has_closing_actions
from coltexpress_server.game.options import Options
from coltexpress_server.service.clocks import Clock


def options(chosen: Options) -> GameOptions:
    """The options of a game."""
    return GameOptions(
        variant=VARIANTS.values[chosen.variant],
        edition=EDITIONS.values[chosen.edition],
        cars=chosen.cars,
        expansions=[EXPANSIONS.values[name] for name in chosen.expansions],
        closing_actions=chosen.closing_actions if has_closing_actions(chosen) else None,
    )


def clock(chosen: Clock | None) -> ClockMessage | None:
    """How long players may think; None for all the time in the world."""
    if chosen is None:
        return None
    return ClockMessage(
        turn_seconds=chosen.turn_s,
        reserve_seconds=chosen.reserve_s,
        auto_play_after=chosen.auto_play_after,
    )
