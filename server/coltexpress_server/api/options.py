"""What is played, as a message."""

from __future__ import annotations

from coltexpress.v1.game_pb2 import GameOptions
from coltexpress_server.api.words import EDITIONS, VARIANTS
from coltexpress_server.game.options import Options


def options(chosen: Options) -> GameOptions:
    """The options of a game."""
    return GameOptions(
        variant=VARIANTS.values[chosen.variant],
        edition=EDITIONS.values[chosen.edition],
        cars=chosen.cars,
    )
