"""`colt-express export`: a finished game as a file."""

from __future__ import annotations

from typing import TextIO

import click

from coltexpress_server.cli.service import Service, game_name, run, service_options


@click.command()
@click.argument("game")
@service_options()
@click.option(
    "--output",
    type=click.File("w", encoding="utf-8", lazy=True),
    default="-",
    help="Where to write it; standard output by default.",
)
def export(service: Service, *, game: str, output: TextIO) -> None:
    """Write everything about a finished GAME (its name or id) as JSON, for anybody to check."""
    document = run(_replay(service, game_name(game)))
    output.write(document)


async def _replay(service: Service, game: str) -> str:
    async with service.connected() as client:
        return await client.replay(game)
