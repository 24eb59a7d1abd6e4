"""`colt-express fixture`: a fresh service for the tests of a client."""

from __future__ import annotations

import json
import os
import signal
import stat
import sys

import click


@click.command()
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="What all games are shuffled from: the same seed and answers, the same game.",
)
@click.argument("arguments", metavar="[-- OPTIONS OF SERVE...]", nargs=-1)
def fixture(seed: int, arguments: tuple[str, ...]) -> None:
    """Run a fresh service on free ports, of which nothing is left afterwards.

    Prints one line of JSON with `target` (HOST:PORT of gRPC) and `http` (a URL) when it serves.
    Ends when standard input is closed, if that is a pipe or a terminal, or when told to by SIGTERM
    or Ctrl-C.
    """
    from coltexpress_server.server_process import NotStarted, temporary_server

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        with temporary_server(*arguments, seed=seed) as server:
            click.echo(json.dumps({"target": server.address, "http": server.http}))
            _wait()
    except NotStarted as error:
        raise click.ClickException(str(error)) from error


def _wait() -> None:
    """Return when nobody holds the other end of standard input, where it has one."""
    mode = os.fstat(sys.stdin.fileno()).st_mode
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or sys.stdin.isatty():
        while os.read(sys.stdin.fileno(), 4096):
            pass
    else:
        while True:
            signal.pause()
