"""`colt-express bot`: a program takes a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from coltexpress_server.cli.score_sheet import score_sheet
from coltexpress_server.cli.service import Service, game_name, run, service_options
from coltexpress_server.cli.variant import (
    PLAYERS,
    closing_actions_option,
    edition_option,
    expansion_option,
    game_options,
    variant_option,
)

if TYPE_CHECKING:
    from coltexpress import Bot, Client, Host
    from coltexpress.v1.game_pb2 import GameOptions


@click.command()
@service_options()
@click.option(
    "--wait",
    metavar="SECONDS",
    type=click.FloatRange(min=0),
    default=1.0,
    show_default=True,
    help="For how long to try a service that does not answer at the start.",
)
@click.option(
    "--game",
    envvar="COLTEXPRESS_GAME",
    show_envvar=True,
    help="The game to join: its name or id.",
)
@click.option(
    "--create",
    "players",
    metavar="PLAYERS",
    type=PLAYERS,
    help="Instead of joining a game, create one for so many, and begin it when all have come.",
)
@variant_option
@expansion_option
@closing_actions_option
@edition_option
@click.option(
    "--seat",
    type=click.IntRange(min=0),
    envvar="COLTEXPRESS_SEAT",
    show_envvar=True,
    help="Which seat; any free one by default.",
)
@click.option("--name", default="Bot", show_default=True, help="What the others see.")
@click.option(
    "--join-code",
    default="",
    envvar="COLTEXPRESS_JOIN_CODE",
    show_envvar=True,
    help="What joining a private game takes.",
)
@click.option(
    "--level",
    type=click.Choice(["RANDOM"], case_sensitive=False),  # coltexpress.bots.LEVELS
    default="RANDOM",
    show_default=True,
    help="How well it plays.",
)
@click.option("--seed", type=int, help="Fixes the bot's choices; by chance by default.")
def bot(
    service: Service,
    *,
    wait: float,
    game: str | None,
    players: int | None,
    variant: str | None,
    expansions: tuple[str, ...],
    closing_actions: bool,
    edition: str,
    seat: int | None,
    name: str,
    join_code: str,
    level: str,
    seed: int | None,
) -> None:
    """Let a bot play a game to its end."""
    if (game is None) == (players is None):
        raise click.UsageError("give either --game or --create")
    from random import Random

    from coltexpress.bots import LEVELS

    run(
        _take_part(
            service,
            LEVELS[level](Random(seed)),
            wait=wait,
            game=game,
            seats=players or 0,
            options=game_options(
                variant, expansions, edition, players or 0, closing_actions=closing_actions
            ),
            seat=seat,
            name=name,
            join_code=join_code,
        )
    )


async def _take_part(
    service: Service,
    plays: Bot,
    *,
    wait: float,
    game: str | None,
    seats: int,
    options: GameOptions,
    seat: int | None,
    name: str,
    join_code: str,
) -> None:
    """Join a game, or create one and begin it when it is full, and play it to its end."""
    from coltexpress import play

    async with service.connected(wait=wait) as client:
        host = None
        if seats:
            host = await client.create(seats, options=options)
        joined = await client.join(
            host.game if host else game_name(game or ""),
            seat=seat,
            display_name=name,
            join_code=join_code,
        )
        click.echo(f"{name} has seat {joined.number} of {joined.game}")
        if host:
            click.echo(f"waiting for others: colt-express bot --game {host.game}")
            await _begin_when_full(client, host)
        await play(joined, plays)
        click.echo(score_sheet(await joined.get()))


async def _begin_when_full(client: Client, host: Host) -> None:
    game = await host.get()
    while not all(seat.taken for seat in game.seats):
        game = await client.get(host.game, wait_for_version=game.version + 1, wait=30)
    await host.start()
