"""Bots in processes of their own, on one game."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from coltexpress_server.server_process import temporary_server
from tests.cli.conftest import Run


def test_one_creates_a_game_and_the_others_join_it(colt_express: Run) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(temporary_server()).address
        ann = stack.enter_context(bot(server, "--create", "3", "--name", "Ann", "--seat", "1"))
        game = next(ann).removeprefix("Ann has seat 1 of ")
        assert game.startswith("games/")
        assert next(ann).endswith(game)

        refused = colt_express("bot", "--server", server, "--game", game, "--seat", "1")
        assert refused.status == 1
        assert "SEAT_TAKEN" in refused.only_line

        ben = stack.enter_context(bot(server, "--game", game, "--name", "Ben"))
        cid = stack.enter_context(bot(server, "--game", game, "--name", "Cid"))
        assert next(ben).startswith("Ben has seat ")
        assert next(cid).startswith("Cid has seat ")
        sheet = list(ann)
        assert list(ben) == list(cid) == sheet
    assert len(sheet) == 3
    assert all(any(f"({name})" in line for line in sheet) for name in ("Ann", "Ben", "Cid"))


@contextmanager
def bot(server: str, *arguments: str) -> Iterator[Iterator[str]]:
    """A bot in a process, and the lines that it prints; it must end well."""
    command = [sys.executable, "-m", "coltexpress_server.cli", "bot", "--server", server]
    with subprocess.Popen(
        [*command, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            yield (line.rstrip() for line in process.stdout)
            assert process.wait(timeout=60) == 0
        finally:
            process.kill()
