"""How the base box is played: the option of all commands that begin games."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from coltexpress.v1.game_pb2 import GameOptions

Command = TypeVar("Command", bound=Callable[..., Any])

PLAYERS: Final = click.IntRange(2, 6)
_VARIANTS: Final = ("STANDARD", "EXPERT", "TEAMS")  # game.boxes.VARIANTS


def variant_option(command: Command) -> Command:
    """Adds `--variant`; the command gets None where it is not given."""
    return click.option(
        "--variant",
        type=click.Choice(_VARIANTS, case_sensitive=False),
        help="STANDARD (3-6 players), EXPERT (2-6) or TEAMS (4 or 6); by default EXPERT for two"
        " players, else STANDARD.",
    )(command)


def variant_for(variant: str | None, players: int) -> str:
    """The variant given, or the one that so many players play by default."""
    return variant or ("EXPERT" if players == 2 else "STANDARD")


def game_options(variant: str | None, players: int) -> GameOptions:
    """The options to create a game with."""
    from coltexpress.v1.game_pb2 import GameOptions
    from coltexpress.v1.vocabulary_pb2 import Variant

    return GameOptions(variant=Variant.Value(f"VARIANT_{variant_for(variant, players)}"))
