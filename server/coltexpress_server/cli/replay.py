"""`colt-express replay`: is an exported game what its seed and the rules make of it?"""

from __future__ import annotations

from typing import BinaryIO

import click


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
        raise click.UsageError(f"{file.name}: {error}") from error
    found = verify(document)
    if not found.verified:
        raise click.ClickException(f"{found.game}: {'; '.join(found.problems)}")
    click.echo(
        f"{found.game} is as it should be: {found.commits} commits, {found.events} events, "
        f"{found.shuffles} shuffles, {found.draws} draws\n"
        f"Its seed has the hash {found.seed_hash}; compare it with the one published at its start."
    )
