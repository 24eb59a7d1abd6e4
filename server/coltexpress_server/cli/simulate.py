"""`colt-express simulate`: games on the bare engine."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from coltexpress_server.cli.variant import (
    PLAYERS,
    closing_actions_option,
    edition_option,
    expansion_option,
    variant_for,
    variant_option,
)

if TYPE_CHECKING:
    from coltexpress_server.simulation import Report

_PLAYERS = 4


def _levels(context: click.Context, option: click.Parameter, given: str | None) -> list[str]:
    """The levels of bots that are named, none where none are."""
    from coltexpress_server.bots.levels import LEVELS

    levels = [level.strip().upper() for level in given.split(",")] if given else []
    for level in levels:
        if level not in LEVELS:
            raise click.BadParameter(f"there is no level {level!r}; there are {', '.join(LEVELS)}")
    return levels


@click.command()
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
    callback=_levels,
    help="Let levels of bots play each other, one a seat, e.g. GREEDY,RANDOM,RANDOM,RANDOM. They"
    " move up after each game, partners together. By default all choices are random.",
)
@click.option(
    "--games", type=click.IntRange(min=1), default=1000, show_default=True, help="How many games."
)
@click.option("--seed", default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--check", is_flag=True, help="Check the invariants after every step.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(
    *,
    players: int | None,
    variant: str | None,
    expansions: tuple[str, ...],
    edition: str,
    closing_actions: bool,
    bots: list[str],
    games: int,
    seed: int,
    check: bool,
    as_json: bool,
) -> None:
    """Play games on the engine alone: to check it, to see how fast it is, who plays better.

    Exits with 1 if a game was not finished or --check found a violation.
    """
    from tqdm import tqdm

    from coltexpress_server.game.options import InvalidOptions, Options
    from coltexpress_server.simulation import simulate as play

    if bots and players not in {None, len(bots)}:
        raise click.UsageError(f"--bots names {len(bots)}, --players says {players}")
    seats = players or len(bots) or _PLAYERS
    # disable=None: only on a terminal.
    with tqdm(total=games, unit="game", delay=2, disable=None, leave=False) as progress:

        def advance() -> None:
            progress.update()

        try:
            report = play(
                seats,
                games,
                seed,
                check=check,
                options=Options(
                    variant_for(variant, seats), expansions, edition, (), closing_actions
                ),
                bots=bots,
                after_game=advance,
            )
        except InvalidOptions as invalid:
            raise click.ClickException(invalid.message) from invalid
    if as_json:
        click.echo(json.dumps(report.to_json()))
    else:
        _print(report)
    if report.violations or report.finished < report.games:
        sys.exit(1)


def _print(report: Report) -> None:
    click.echo(
        f"{report.finished} of {report.games} games with {report.players} players finished\n"
        f"{report.games_per_second:,.0f} games/s, "
        f"{report.decisions_per_second:,.0f} decisions/s, "
        f"{report.mean_options:.1f} options a decision"
    )
    if report.goals_won is not None:
        share = report.goals_won / report.games
        click.echo(f"the Marshal won {share:.1%} of them")
    if report.standings:
        click.echo(
            "\nOf a level's seats so many won;"
            f" if all played alike, {report.standings[0].equal:.1%} would.\n"
            "level     seats     won    95 % interval  mean score  CPU ms a decision"
        )
    for one in report.standings:
        interval = f"{one.low:.1%} to {one.high:.1%}"
        click.echo(
            f"{one.level:8}  {one.seats:5}  {one.win_rate:6.1%}  {interval:>15}"
            f"  {f'${one.mean_score:,}':>10}  {one.ms_per_decision:17.2f}"
        )
    for violation in report.violations:
        click.echo(violation, err=True)
