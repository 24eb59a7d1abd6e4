"""How the base box is played: the option of all commands that begin games."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from coltexpress.v1.game_pb2 import GameOptions

Command = TypeVar("Command", bound=Callable[..., Any])

PLAYERS: Final = click.IntRange(2, 8)
_VARIANTS: Final = ("STANDARD", "EXPERT", "TEAMS")  # game.boxes.VARIANTS
_EXPANSIONS: Final = ("HORSES_AND_STAGECOACH", "MARSHAL_AND_PRISONERS")  # game.boxes.EXPANSIONS
_EDITIONS: Final = ("BIG_BOX", "FIRST")  # game.boxes.EDITIONS


def variant_option(command: Command) -> Command:
    """Adds `--variant`; the command gets None where it is not given."""
    return click.option(
        "--variant",
        type=click.Choice(_VARIANTS, case_sensitive=False),
        help="STANDARD (3-6 players), EXPERT (2-6) or TEAMS (4 or 6); by default EXPERT for two"
        " players, else STANDARD. With MARSHAL_AND_PRISONERS STANDARD or EXPERT (3-8).",
    )(command)


def expansion_option(command: Command) -> Command:
    """Adds `--expansion`, which can be given for several; the command gets `expansions`."""
    return click.option(
        "--expansion",
        "expansions",
        multiple=True,
        type=click.Choice(_EXPANSIONS, case_sensitive=False),
        help="An expansion to play with; may be given once for each.",
    )(command)


def edition_option(command: Command) -> Command:
    """Adds `--edition`."""
    return click.option(
        "--edition",
        type=click.Choice(_EDITIONS, case_sensitive=False),
        default=_EDITIONS[0],
        show_default=True,
        help="Whose values count where the printed cards differ.",
    )(command)


def closing_actions_option(command: Command) -> Command:
    """Adds `--closing-actions`; the command gets `closing_actions`."""
    return click.option(
        "--closing-actions/--no-closing-actions",
        default=True,
        show_default=True,
        help="Whether cards left in hand may be played at the end of a round, an option of"
        " MARSHAL_AND_PRISONERS.",
    )(command)


def variant_for(variant: str | None, players: int) -> str:
    """The variant given, or the one that so many players play by default."""
    return variant or ("EXPERT" if players == 2 else "STANDARD")


def game_options(
    variant: str | None,
    expansions: tuple[str, ...],
    edition: str,
    players: int,
    *,
    closing_actions: bool = True,
) -> GameOptions:
    """The options to create a game with."""
    from coltexpress.v1.game_pb2 import GameOptions
    from coltexpress.v1.vocabulary_pb2 import Edition, Expansion, Variant

    return GameOptions(
        variant=Variant.Value(f"VARIANT_{variant_for(variant, players)}"),
        expansions=[Expansion.Value(f"EXPANSION_{expansion}") for expansion in expansions],
        edition=Edition.Value(f"EDITION_{edition}"),
        closing_actions=None if closing_actions else False,
    )
