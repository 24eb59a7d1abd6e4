"""A client as a command: how it is started, what it is told, how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Final

Client = Callable[[Mapping[str, str], list[str]], Coroutine[Any, Any, int]]
"""Plays one game: it is given what a client is told, by variable, and a list for the lines that it
says. Returns the exit status; cancelled, it stops."""

_LONGEST_LINE: Final = 64 * 1024  # bytes


def command(arguments: Sequence[str]) -> Client:
    """A client that is this command, in a process of its own for each game.

    It inherits the environment, and ends with all processes that it has started.
    """

    async def play(told: Mapping[str, str], said: list[str]) -> int:
        process = await asyncio.create_subprocess_exec(
            *arguments,
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=PIPE,
            env={**os.environ, **told},
            limit=_LONGEST_LINE,
            start_new_session=True,  # a group of processes that can be ended together
        )
        try:
            if process.stderr is not None:
                while line := await _line(process.stderr):
                    said.append(line.decode(errors="replace").rstrip())
            return await process.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()

    return play


async def _line(source: asyncio.StreamReader) -> bytes:
    """The next line, or what fits; empty at the end."""
    try:
        return await source.readuntil()
    except asyncio.IncompleteReadError as error:
        return error.partial
    except asyncio.LimitOverrunError as error:
        return await source.read(error.consumed)
