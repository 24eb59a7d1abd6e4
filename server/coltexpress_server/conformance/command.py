"""A client as a command: how it is started, what it is told, how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import DEVNULL
from collections.abc import Callable, Coroutine, Mapping, Sequence
from tempfile import TemporaryFile
from typing import Any, Final

Client = Callable[[Mapping[str, str], list[str]], Coroutine[Any, Any, int]]
"""Plays one game: it is given what a client is told, by variable, and a list for the lines that it
says. Returns the exit status; cancelled, it stops."""

_MOST_SAID: Final = 16 * 1024  # bytes


def command(arguments: Sequence[str]) -> Client:
    """A client that is this command, in a process of its own for each game.

    It inherits the environment, and ends with all processes that it has started.
    """

    async def play(told: Mapping[str, str], said: list[str]) -> int:
        # Not a pipe: it would be open for as long as anything is that the command has started.
        with TemporaryFile() as errors:
            process = await asyncio.create_subprocess_exec(
                *arguments,
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=errors,
                env={**os.environ, **told},
                start_new_session=True,  # a group of processes that can be ended together
            )
            try:
                return await process.wait()
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
                errors.seek(max(0, errors.seek(0, os.SEEK_END) - _MOST_SAID))
                said += errors.read().decode(errors="replace").splitlines()

    return play
