"""The command as a user sees it: its two streams and its status."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from coltexpress_server.cli import main
from tests.logs_kept import logs_kept


@dataclass
class Done:
    """What came of a command."""

    status: int
    out: str
    err: str

    @property
    def only_line(self) -> str:
        """Of an output of one line, on whichever stream."""
        (line,) = (self.out + self.err).splitlines()
        return line


Run = Callable[..., Done]


@pytest.fixture
def colt_express(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Run:
    """Runs the command with these arguments, in an empty folder of a user without settings.

    Further keywords are variables of the environment.
    """
    for name in os.environ:
        if "COLTEXPRESS_" in name:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, **variables: str) -> Done:
        with monkeypatch.context() as patch, logs_kept():
            for name, value in variables.items():
                patch.setenv(name, value)
            with pytest.raises(SystemExit) as exited:
                main(arguments)
        assert isinstance(exited.value.code, int)
        return Done(exited.value.code, *capfd.readouterr())

    return run
