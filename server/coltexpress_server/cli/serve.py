"""`colt-express serve`: one process of the service.

Its options are the settings, each with the name, the help and the default that it has there.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args, get_origin

import click

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo


class _FromSettings(click.Command):
    """A command with an option for each setting."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The options; made when they are needed, since importing the settings takes its time."""
        if not self.params:
            from coltexpress_server.settings import PREFIX, Settings

            self.params = [
                _option(name, field, f"{PREFIX}{name.upper()}")
                for name, field in Settings.model_fields.items()
            ]
        return super().get_params(ctx)


def _option(name: str, field: FieldInfo, variable: str) -> click.Option:
    """The option for a setting; it has no value of its own unless one is given.

    What is right or wrong is for the settings to say, wherever a value comes from.
    """
    flag = f"--{name.replace('_', '-')}"
    default = field.get_default(call_default_factory=True, validated_data={})
    shown = f"{default:g}" if isinstance(default, float) else str(default)
    described = f"{field.description} [env: {variable}"
    described += "]" if default in (None, False, {}, ()) else f"; default: {shown}]"
    if field.annotation is bool:
        return click.Option([f"{flag}/--no-{flag[2:]}"], default=None, help=described)
    if get_origin(field.annotation) is Literal:
        words = click.Choice(get_args(field.annotation))
        return click.Option([flag], type=words, help=described)
    return click.Option([flag], metavar=_metavar(field.annotation), help=described)


def _metavar(annotation: object) -> str:
    if annotation is int:
        return "NUMBER"
    if annotation is float:
        return "SECONDS"
    return "PATH" if Path in (annotation, *get_args(annotation)) else "TEXT"


@click.command(cls=_FromSettings)
def serve(**given: object) -> None:
    """Run the service, until it is told to stop by SIGTERM or Ctrl-C.

    By default it keeps its games in an embedded store, in a folder of the user's, and listens on
    this machine alone. Exits with 2 where a setting is wrong, with 1 where it cannot start.
    """
    from coltexpress_server.server import serve as serve_with
    from coltexpress_server.settings import InvalidSettings, read_settings

    try:
        settings = read_settings(**{name: it for name, it in given.items() if it is not None})
    except InvalidSettings as error:
        raise click.UsageError(str(error)) from error
    sys.exit(serve_with(settings))
