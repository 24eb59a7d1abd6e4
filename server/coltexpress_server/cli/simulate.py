"""`colt-express simulate`: random games on the bare engine."""

from __future__ import annotations

import json
import sys

import click

from coltexpress_server.cli.variant import PLAYERS, variant_for, variant_option


@click.command()
@click.option("--players", type=PLAYERS, default=4, show_default=True, help="Seats.")
@variant_option
@click.option(
    "--games", type=click.IntRange(min=1), default=1000, show_default=True, help="How many games."
)
@click.option("--seed", default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--check", is_flag=True, help="Check the invariants after every step.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(
    *, players: int, variant: str | None, games: int, seed: int, check: bool, as_json: bool
) -> None:
    """Play random games on the engine alone, to check it and to see how fast it is.

    Exits with 1 if a game was not finished or --check found a violation.
    """
    from tqdm import tqdm

    from coltexpress_server.game.options import InvalidOptions
    from coltexpress_server.simulation import simulate as play

    # disable=None: only on a terminal.
    with tqdm(total=games, unit="game", delay=2, disable=None, leave=False) as progress:

        def advance() -> None:
            progress.update()

        try:
            report = play(
                players,
                games,
                seed,
                check=check,
                variant=variant_for(variant, players),
                after_game=advance,
            )
        except InvalidOptions as invalid:
            raise click.ClickException(invalid.message) from invalid
    if as_json:
        click.echo(json.dumps(report.to_json()))
    else:
        click.echo(
            f"{report.finished} of {report.games} games with {report.players} players finished\n"
            f"{report.games_per_second:,.0f} games/s, "
            f"{report.decisions_per_second:,.0f} decisions/s, "
            f"{report.mean_options:.1f} options a decision"
        )
        for violation in report.violations:
            click.echo(violation, err=True)
    if report.violations or report.finished < report.games:
        sys.exit(1)
