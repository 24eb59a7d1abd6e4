"""The command and its subcommands."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from coltexpress_server.cli.admin import admin
from coltexpress_server.cli.bot import bot
from coltexpress_server.cli.check_client import check_client
from coltexpress_server.cli.demo import demo
from coltexpress_server.cli.descriptors import descriptors
from coltexpress_server.cli.export import export
from coltexpress_server.cli.fixture import fixture
from coltexpress_server.cli.replay import replay
from coltexpress_server.cli.scenario import scenario
from coltexpress_server.cli.serve import serve
from coltexpress_server.cli.simulate import simulate

NAME = "colt-express"


@click.group(
    NAME,
    commands=[
        *(serve, demo, bot, simulate, scenario, export, replay, admin, descriptors),
        *(check_client, fixture),
    ],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="colt-express-server", message="%(package)s %(version)s")
def commands() -> None:
    """Colt Express: the service, and what goes with it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command, and exit.

    Whatever goes wrong is one line on standard error and a status: 2 for a wrong use, else 1.

    arguments: those of this process by default.
    """
    try:
        status = commands.main(arguments, prog_name=NAME, standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        status = error.exit_code
    except click.ClickException as error:
        status = _give_up(error.format_message(), error.exit_code)
    except click.Abort:
        status = 130  # as the shell has it for Ctrl-C
    except BrokenPipeError:
        # Nobody reads any more; without this the interpreter complains when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    except OSError as error:
        status = _give_up(str(error), 1)
    sys.exit(status or 0)


def _give_up(why: str, status: int) -> int:
    click.echo(f"{NAME}: {why}", err=True)
    return status
