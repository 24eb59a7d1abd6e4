"""`colt-express scenario`: the rules as data, played."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command()
@click.argument(
    "paths",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
)
def scenario(paths: tuple[Path, ...]) -> None:
    """Play the scenarios of files, and of all YAML files in folders.

    Exits with 1 if one fails, with 2 if a file is no valid scenario.
    """
    from coltexpress_server.scenarios.runner import run_files

    sys.exit(run_files(paths, click.echo))
