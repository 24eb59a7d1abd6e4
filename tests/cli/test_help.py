from __future__ import annotations

import subprocess
import sys

import click
import pytest

from coltexpress.bots import LEVELS
from coltexpress_server.cli.bot import bot
from coltexpress_server.settings import PREFIX, Settings
from tests.cli.conftest import Run

COMMANDS = [
    *("admin", "bot", "check-client", "demo", "descriptors", "export", "fixture"),
    *("replay", "scenario", "serve", "simulate"),
]


def test_help_names_every_command(colt_express: Run) -> None:
    done = colt_express("--help")
    assert done.status == 0
    listed = done.out.split("Commands:\n")[1].splitlines()
    assert [line.split()[0] for line in listed] == COMMANDS


def test_without_a_command_there_is_help(colt_express: Run) -> None:
    done = colt_express()
    assert done.status == 2
    assert "Commands:" in done.err
    assert "colt-express: " not in done.err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_explained(colt_express: Run, command: str) -> None:
    done = colt_express(command, "--help")
    assert done.status == 0
    assert done.out.startswith(f"Usage: colt-express {command}")


def test_every_setting_is_an_option_with_its_help(colt_express: Run) -> None:
    shown = " ".join(colt_express("serve", "--help").out.split())
    for name, field in Settings.model_fields.items():
        assert f"--{name.replace('_', '-')} " in shown
        assert f"{PREFIX}{name.upper()}" in shown
        assert field.description
        assert " ".join(field.description.split()) in shown


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import contextlib, io, sys\n"
        "from coltexpress_server.cli import main\n"
        "with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):\n"
        "    main(['--help'])\n"
        "print(*{'asyncio', 'coltexpress', 'grpc', 'pydantic', 'redis', 'tqdm', 'yaml'}"
        " & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split() == []


def test_the_levels_are_those_there_are() -> None:
    (level,) = (option for option in bot.params if option.name == "level")
    assert isinstance(level.type, click.Choice)
    assert list(level.type.choices) == list(LEVELS)


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-command"],
        ["simulate", "--players", "9"],
        ["simulate", "--games", "many"],
        ["simulate", "--no-such-option"],
        ["bot"],
        ["bot", "--game", "x", "--create", "3"],
        ["replay", "no-such-file"],
        ["scenario"],
        ["check-client"],
        ["check-client", "--only", "sunshine", "--", "true"],
        ["check-client", "--", "no-such-command-anywhere"],
        ["fixture", "--seed", "many"],
        ["serve", "--log-level", "loud"],
        ["serve", "--grpc-port", "70000"],
        ["serve", "--tls-cert", "cert.pem"],
    ],
    ids=" ".join,
)
def test_a_wrong_use_is_one_line_and_a_two(colt_express: Run, arguments: list[str]) -> None:
    done = colt_express(*arguments)
    assert done.status == 2
    assert done.out == ""
    assert done.only_line.startswith("colt-express: ")


def test_a_wrong_setting_in_the_environment_is_named(colt_express: Run) -> None:
    done = colt_express("serve", COLTEXPRESS_GRPC_PORT="high")
    assert done.status == 2
    assert "COLTEXPRESS_GRPC_PORT" in done.only_line


@pytest.mark.parametrize(
    "arguments", [["demo"], ["bot", "--create", "3"], ["export", "x"]], ids=" ".join
)
def test_where_no_service_answers(colt_express: Run, arguments: list[str]) -> None:
    done = colt_express(*arguments, "--server", "127.0.0.1:1")
    assert done.status == 1
    assert done.only_line.startswith("colt-express: no service answers at 127.0.0.1:1: ")
