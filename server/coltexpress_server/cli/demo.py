"""`colt-express demo`: a whole game, told line by line."""

from __future__ import annotations

import json
from contextlib import ExitStack
from random import Random
from typing import TYPE_CHECKING, Final

import click

from coltexpress_server.cli.score_sheet import score_sheet
from coltexpress_server.cli.service import Service, run, service_options
from coltexpress_server.cli.variant import (
    PLAYERS,
    closing_actions_option,
    edition_option,
    expansion_option,
    game_options,
    variant_option,
)

if TYPE_CHECKING:
    from coltexpress import Client, Game, Seat
    from coltexpress.v1.game_pb2 import GameOptions

SEED_BYTES: Final = 32
_PLAYERS: Final = 4


@click.command()
@service_options(
    default="", meaning="Where the service listens; by default one is started for the demo."
)
@click.option(
    "--players",
    type=PLAYERS,
    help=f"Seats; {_PLAYERS} by default, with --bots as many as there are bots.",
)
@variant_option
@expansion_option
@edition_option
@closing_actions_option
@click.option(
    "--bots",
    metavar="LEVEL,LEVEL,...",
    help="Let the service's own bots of these levels play, one a seat, e.g. GREEDY,RANDOM,RANDOM."
    " By default the demo plays all seats itself, at random.",
)
@click.option(
    "--seed",
    type=int,
    help="The same seed tells the same story; the service must allow fixed seeds.",
)
@click.option(
    "--language",
    default="",
    envvar="COLTEXPRESS_LANGUAGE",
    show_envvar=True,
    help="Of the story, e.g. es; English by default.",
)
@click.option("--json", "as_json", is_flag=True, help="Print only the outcome, as a JSON object.")
def demo(
    service: Service,
    *,
    players: int | None,
    variant: str | None,
    expansions: tuple[str, ...],
    edition: str,
    closing_actions: bool,
    bots: str | None,
    seed: int | None,
    language: str,
    as_json: bool,
) -> None:
    """Let bots play a game over the network, and tell what happens."""
    levels = [level.strip().upper() for level in bots.split(",")] if bots else []
    if levels and players not in {None, len(levels)}:
        raise click.UsageError(f"--bots names {len(levels)}, --players says {players}")
    if levels and seed is not None:
        raise click.UsageError("--seed does not go with --bots: they have a chance of their own")
    seats = players or len(levels) or _PLAYERS
    with ExitStack() as stack:
        if not service.server:
            from coltexpress_server.server_process import NotStarted, temporary_server

            try:
                service = Service(stack.enter_context(temporary_server()).address)
            except NotStarted as error:
                raise click.ClickException(str(error)) from error
        options = game_options(variant, expansions, edition, seats, closing_actions=closing_actions)
        game = run(
            _play(service, seats, options, levels, seed=seed, language=language, silent=as_json)
        )
    if as_json:
        click.echo(json.dumps(outcome(game)))
    else:
        click.echo(score_sheet(game))


def outcome(game: Game) -> dict[str, object]:
    """How a finished game ended: its name, the seats that won, dollars by seat."""
    return {
        "game": game.name,
        "winners": list(game.result.winners),
        "scores": [row.score for row in game.result.seats],
    }


async def _play(
    service: Service,
    players: int,
    options: GameOptions,
    levels: list[str],
    *,
    seed: int | None,
    language: str,
    silent: bool,
) -> Game:
    """Create a game, have bots play it, and return it when it is over."""
    import asyncio

    from coltexpress import play, random_bot

    async with service.connected(language) as client:
        chance = Random(seed)
        fixed = chance.randbytes(SEED_BYTES) if seed is not None else b""
        host = await client.create(players, options=options, seed=fixed)
        seats = []
        for number in range(players):
            if levels:
                await host.add_bot(levels[number], display_name=f"{levels[number]} {number + 1}")
            else:
                seats.append(await _sit_down(client, host.game, number, fixed=seed is not None))
        lobby = await client.get(host.game)
        await host.start()
        work = [play(seat, random_bot(Random(chance.random()))) for seat in seats]
        work.append(_follow(client, lobby, silent=silent))
        await asyncio.gather(*work)
        return await client.get(host.game)


async def _sit_down(client: Client, game: str, number: int, *, fixed: bool) -> Seat:
    """Take a seat; fixed: bring nothing to the shuffles."""
    return await client.join(
        game, seat=number, display_name=f"Bot {number + 1}", entropy=b"" if fixed else None
    )


async def _follow(client: Client, lobby: Game, *, silent: bool) -> None:
    """Print what happens in a game from its start on, unless silent, until it is over."""
    from coltexpress import Commit

    async for step in client.watch(lobby.name, lobby.cursor):
        if isinstance(step, Commit) and not silent:
            for event in step.events:
                if event.HasField("round_started"):
                    click.echo()
                click.echo(event.text)
