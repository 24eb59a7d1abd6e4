"""`colt-express admin`: all games of a service, for those who run it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from coltexpress_server.cli.service import Service, game_name, run, service_options

if TYPE_CHECKING:
    from coltexpress import Game
    from coltexpress.v1.admin_service_pb2 import GameInspection

_STATES = ("LOBBY", "RUNNING", "FINISHED")  # Game.State


@click.group()
def admin() -> None:
    """Look at, end and move games of a service, with an admin key.

    The service knows the hashes of admin keys from its setting --admin-keys.
    """


def _operator_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options that say which service, and the admin key."""

    @service_options()
    @click.option(
        "--admin-key",
        default="",
        envvar="COLTEXPRESS_ADMIN_KEY",
        show_envvar=True,
        help="The admin key; best given in the environment or a file.",
    )
    @click.option(
        "--admin-key-file",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="A file with the admin key.",
    )
    @functools.wraps(command)
    def with_key(
        service: Service, admin_key: str, admin_key_file: Path | None, **others: object
    ) -> None:
        key = admin_key_file.read_text().strip() if admin_key_file else admin_key
        if not key:
            raise click.UsageError("give an admin key: --admin-key or --admin-key-file")
        command(replace(service, admin_key=key), **others)

    return with_key


@admin.command("list")
@_operator_options
@click.option(
    "--state",
    "states",
    multiple=True,
    type=click.Choice(_STATES, case_sensitive=False),
    help="Only games in this state; may be given for several.",
)
@click.option("--limit", type=click.IntRange(1), default=100, help="How many games at most.")
def list_(service: Service, *, states: tuple[str, ...], limit: int) -> None:
    """List all games, the newest first, a line each."""
    run(_list(service, states, limit))


async def _list(service: Service, states: tuple[str, ...], limit: int) -> None:
    from coltexpress import Game

    wanted = [Game.State.Value(f"STATE_{state}") for state in states]
    left = limit
    async with service.connected() as client:
        async for game in client.admin.games(wanted):
            click.echo(_line(game))
            left -= 1
            if not left:
                return


@admin.command()
@click.argument("game")
@_operator_options
@click.option(
    "--as-seat", type=click.IntRange(0), help="Show what this seat sees, its hand included."
)
def inspect(service: Service, *, game: str, as_seat: int | None) -> None:
    """Print all there is to know of a GAME (its name or id) as JSON."""
    from google.protobuf.json_format import MessageToJson

    click.echo(MessageToJson(run(_inspect(service, game_name(game), as_seat))))


async def _inspect(service: Service, game: str, as_seat: int | None) -> GameInspection:
    async with service.connected() as client:
        return await client.admin.inspect(game, as_seat=as_seat)


@admin.command()
@click.argument("game")
@_operator_options
@click.option("--reason", default="", help="Why; the players read it.")
def abort(service: Service, *, game: str, reason: str) -> None:
    """End a GAME without a result."""
    click.echo(_line(run(_abort(service, game_name(game), reason))))


async def _abort(service: Service, game: str, reason: str) -> Game:
    async with service.connected() as client:
        return await client.admin.abort(game, reason)


@admin.command()
@click.argument("game")
@_operator_options
@click.option(
    "--output",
    type=click.File("wb", lazy=True),
    required=True,
    help="Where to write it. Whoever reads it knows all hands.",
)
def export(service: Service, *, game: str, output: BinaryIO) -> None:
    """Write a GAME with all that is stored of it into a file, for `admin import`."""
    output.write(run(_export(service, game_name(game))))


async def _export(service: Service, game: str) -> bytes:
    async with service.connected() as client:
        return await client.admin.export(game)


@admin.command("import")
@click.argument("file", type=click.File("rb"))
@_operator_options
def import_(service: Service, *, file: BinaryIO) -> None:
    """Put an exported game into the service's store, where it goes on.

    The service needs the key of the one that exported it; then all tokens stay good. It must have
    no game of that name.
    """
    click.echo(_line(run(_import(service, file.read()))))


async def _import(service: Service, document: bytes) -> Game:
    async with service.connected() as client:
        return await client.admin.put(document)


def _line(game: Game) -> str:
    """A game in one line."""
    state = game.State.Name(game.state).removeprefix("STATE_")
    taken = sum(seat.taken for seat in game.seats)
    words = [
        game.name,
        "ABORTED" if game.aborted else state,
        _word(game.visibility),
        f"{taken}/{len(game.seats)} seats",
        f"version {game.version}",
        game.update_time.ToJsonString(),
    ]
    return "  ".join(words)


def _word(visibility: int) -> str:
    from coltexpress.v1.game_pb2 import Visibility

    # The annotation wants the enum's own type.
    return Visibility.Name(visibility).removeprefix("VISIBILITY_")  # type: ignore[arg-type]
