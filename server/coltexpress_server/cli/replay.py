"""`colt-express replay`: is an exported game what its seed and the rules make of it?"""

from __future__ import annotations

import sys
from typing import BinaryIO

import click

_NO_REPLAY = 2


@click.command()
@click.argument("file", type=click.File("rb"))
def replay(file: BinaryIO) -> None:
    """Verify an exported game: every event, and every shuffle against the seed and its hash.

    The check shares no code with the engine. Exits with 1 if something is wrong with the game, with
    2 if FILE is no exported game.
    """
    from coltexpress_server.replay.document import InvalidReplay, read
    from coltexpress_server.replay.verifier import verify

    try:
        document = read(file.read())
    except InvalidReplay as error:
        click.echo(f"Error: {file.name}: {error}", err=True)
        sys.exit(_NO_REPLAY)
    found = verify(document)
    for problem in found.problems:
        click.echo(f"Error: {found.game}: {problem}", err=True)
    if not found.verified:
        sys.exit(1)
    click.echo(
        f"{found.game} is as it should be: {found.commits} commits, {found.events} events, "
        f"{found.shuffles} shuffles, {found.draws} draws\n"
        f"Its seed has the hash {found.seed_hash}; compare it with the one published at its start."
    )
