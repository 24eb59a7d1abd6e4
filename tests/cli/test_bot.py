"""Bots in processes of their own, on one game."""

from __future__ import annotations

import subprocess
import sys

from coltexpress_server.server_process import temporary_server
from tests.cli.conftest import Run


def test_one_creates_a_game_and_the_others_join_it(colt_express: Run) -> None:
    with temporary_server() as service:
        host = bot(service.address, "--create", "3", "--name", "Ann", "--seat", "1")
        assert host.stdout is not None
        game = host.stdout.readline().strip().removeprefix("Ann has seat 1 of ")
        assert game.startswith("games/")

        refused = colt_express("bot", "--server", service.address, "--game", game, "--seat", "1")
        assert refused.status == 1
        assert "SEAT_TAKEN" in refused.only_line

        others = {
            name: bot(service.address, "--game", game, "--name", name) for name in ("Ben", "Cid")
        }
        waiting, *sheet = host.communicate(timeout=60)[0].splitlines()
        assert host.returncode == 0
        assert game in waiting
        for name, other in others.items():
            taken, *same = other.communicate(timeout=60)[0].splitlines()
            assert other.returncode == 0
            assert taken.startswith(f"{name} has seat ")
            assert same == sheet
    assert len(sheet) == 3
    assert all(any(f"({name})" in line for line in sheet) for name in ("Ann", "Ben", "Cid"))


def bot(server: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "coltexpress_server.cli", "bot", "--server", server]
    return subprocess.Popen(
        [*command, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
