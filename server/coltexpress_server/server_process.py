"""The service in a process of its own, for whoever needs one for a while: demo, bench, tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Final, Self

from coltexpress_server.settings import PREFIX
from coltexpress_server.store import die_with_parent

_STOP_LIMIT: Final = 30.0  # s


class NotStarted(Exception):
    """The process ended instead of serving; the message is what it said last."""


class ServerProcess:
    """`colt-express serve`, run while a `with` block lasts; it never outlives this process.

    arguments: for the command. Settings in the environment do not reach it, and unless the
        arguments say otherwise it takes free ports.
    log: file that gets what the process writes to standard error.
    address: HOST:PORT of gRPC, once the block is entered.
    http: URL of HTTP, likewise; empty where that is off.
    """

    def __init__(self, *arguments: str, log: Path) -> None:
        self.address = ""
        self.http = ""
        self._arguments: Final = arguments
        self._log: Final = log
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        """Start the process and wait until it serves. Raises NotStarted."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop the process in order, if it still runs."""
        self.stop()

    @property
    def pid(self) -> int:
        """The process id, while the process runs."""
        if self._process is None:
            raise RuntimeError("the process does not run")
        return self._process.pid

    def start(self) -> None:
        """Start the process, also after it was stopped or killed. Raises NotStarted."""
        command = [sys.executable, "-m", "coltexpress_server.cli", "serve"]
        with self._log.open("a") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own command
                [
                    *(sys.executable, die_with_parent.__file__, str(os.getpid())),
                    *(*command, "--grpc-port", "0", "--http-port", "0", *self._arguments),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={name: it for name, it in os.environ.items() if not name.startswith(PREFIX)},
                start_new_session=True,  # a Ctrl-C is ours; we stop it when we are done
            )
        said = self._process.stdout
        # The first line names gRPC's address, the second HTTP's or, without that, something else.
        announced = [said.readline(), said.readline()] if said else [""]
        if not announced[0]:
            self.stop()
            logged = self._log.read_text().splitlines()
            why = logged[-1].removeprefix("colt-express: ") if logged else "it ended at once"
            raise NotStarted(why)
        self.address = announced[0].split()[-1]
        self.http = next(iter(re.findall(r"https?://\S+", announced[1])), "")

    def stop(self) -> int | None:
        """Let the process drain and end; returns its exit status, None if it had ended already."""
        if self._process is None:
            return None
        self._process.terminate()
        return self._reap(self._process)

    def kill(self) -> None:
        """End the process at once, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._reap(self._process)

    def _reap(self, process: subprocess.Popen[str]) -> int:
        self._process = None
        try:
            process.communicate(timeout=_STOP_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        return process.returncode


@contextmanager
def temporary_server(*arguments: str, seed: int | None = None) -> Iterator[ServerProcess]:
    """A service with a store of its own, of which nothing is left afterwards.

    Callers may fix seeds. arguments: further ones for `colt-express serve`. seed: all games are
    shuffled from it, whatever players bring to the shuffle; None: each from a seed of its own.
    Raises NotStarted.
    """
    if seed is not None:
        arguments = ("--fixed-seed-hex", Random(seed).randbytes(32).hex(), *arguments)
    with TemporaryDirectory(prefix="colt-express-temporary-") as name:
        folder = Path(name)
        with ServerProcess(
            *("--data-dir", str(folder / "data"), "--appendfsync", "no"),
            *("--allow-fixed-seed", "--games-per-minute", "0"),
            *("--drain-s", "0", "--log-level", "warning"),
            *arguments,
            log=folder / "log",
        ) as server:
            yield server
