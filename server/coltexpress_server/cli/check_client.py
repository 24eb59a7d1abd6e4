"""`colt-express check-client`: whether a client copes with what happens in earnest."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from textwrap import fill, indent
from typing import TYPE_CHECKING

import click

from coltexpress_server.cli.service import run

if TYPE_CHECKING:
    from coltexpress_server.conformance.checking import Verdict
    from coltexpress_server.conformance.situation import Situation

_WIDTH = 96


@click.command("check-client")
@click.option(
    "--only", "names", metavar="SITUATION", multiple=True, help="Only this one; several times."
)
@click.option("--list", "listing", is_flag=True, help="Tell what situations there are, and end.")
@click.option(
    "--limit-s",
    type=click.FloatRange(min=1),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How long a game may take, the start of the command included.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
@click.argument("command", metavar="-- COMMAND...", nargs=-1)
def check_client(
    names: tuple[str, ...], *, listing: bool, limit_s: float, as_json: bool, command: Sequence[str]
) -> None:
    """Run a client through a list of situations, and say how it did in each.

    COMMAND joins the game that these variables name, plays until it is over, and exits with 0:
    COLTEXPRESS_TARGET (HOST:PORT of gRPC), COLTEXPRESS_HTTP (URL of the HTTP port),
    COLTEXPRESS_GAME (games/...), COLTEXPRESS_JOIN_CODE and COLTEXPRESS_SEAT (both may be empty).

    Exits with 0 if it copes with all of them, else with 1.
    """
    from coltexpress_server.conformance.situations import SITUATIONS

    known = {each.NAME: each for each in SITUATIONS}
    for name in names:
        if name not in known:
            raise click.UsageError(f"no situation is called {name}; there are {', '.join(known)}")
    chosen = [each for each in SITUATIONS if each.NAME in (names or known)]
    if listing:
        _list(chosen, as_json=as_json)
        return
    if not command:
        raise click.UsageError("give the command that plays, behind --")
    if shutil.which(command[0]) is None:
        raise click.UsageError(f"there is no command {command[0]}")
    verdicts = _check(chosen, command, limit_s, silent=as_json)
    if as_json:
        click.echo(json.dumps([_plain(verdict) for verdict in verdicts], indent=2))
    failed = sum(verdict.outcome == "FAILED" for verdict in verdicts)
    if not as_json:
        click.echo(f"{len(verdicts) - failed} of {len(verdicts)} situations are coped with")
    if failed:
        raise click.exceptions.Exit(1)


def _list(situations: Sequence[type[Situation]], *, as_json: bool) -> None:
    if as_json:
        rows = [
            {"situation": each.NAME, "text": each.TEXT, "advice": each.ADVICE}
            for each in situations
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    for each in situations:
        click.echo(f"{each.NAME}\n{_paragraph(each.TEXT)}\n{_paragraph(each.ADVICE)}\n")


def _check(
    situations: Sequence[type[Situation]], command: Sequence[str], limit_s: float, *, silent: bool
) -> list[Verdict]:
    """Run the command through situations; tell of each at once, unless silent."""
    import os

    # gRPC would tell of every connection that is cut on purpose.
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    from coltexpress_server import logs
    from coltexpress_server.conformance import command as commands
    from coltexpress_server.conformance.checking import checker
    from coltexpress_server.server_process import NotStarted

    logs.set_up("error", "auto")
    verdicts: list[Verdict] = []

    async def check() -> None:
        client = commands.command(command)
        async for verdict in service.check(client, situations, limit_s):
            verdicts.append(verdict)
            if not silent:
                _tell(verdict)

    try:
        with checker() as service:
            run(check())
    except NotStarted as error:
        raise click.ClickException(str(error)) from error
    return verdicts


def _tell(verdict: Verdict) -> None:
    situation = verdict.situation
    click.echo(f"{verdict.outcome:8}{situation.NAME:20}{verdict.seconds:6.1f} s")
    if verdict.outcome == "NOT_MET":
        click.echo(_paragraph("It did well, without ever doing what this situation is about."))
    if verdict.fault:
        click.echo(_paragraph(f"What happened: {situation.TEXT}"))
        click.echo(_paragraph(f"What is wrong: {verdict.fault}."))
        click.echo(_paragraph(f"What to do: {situation.ADVICE}"))
        for line in verdict.said:
            click.echo(f"        | {line}")


def _plain(verdict: Verdict) -> dict[str, object]:
    return {
        "situation": verdict.situation.NAME,
        "outcome": verdict.outcome.value,
        "fault": verdict.fault,
        "advice": verdict.situation.ADVICE if verdict.fault else "",
        "stderr": verdict.said,
        "seconds": round(verdict.seconds, 1),
    }


def _paragraph(text: str) -> str:
    return indent(fill(text, _WIDTH - 8), " " * 8)
