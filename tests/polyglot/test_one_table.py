"""Bots in several languages, in processes of their own, at one table."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from coltexpress import Client, Game
from coltexpress_server.server_process import ServerProcess, temporary_server

WITHIN = 60.0
"""Seconds in which a game is over."""


async def test_bots_in_three_languages_play_a_game_to_its_end(
    checkout: Path, go_client: Path, typescript_client: Path
) -> None:
    python = [sys.executable, "-m", "coltexpress_server.cli", "bot"]
    typescript = ["node", str(typescript_client / "build/examples/bot.js")]
    sources = os.pathsep.join(str(checkout / each) for each in ("server", "clients/python/src"))
    with temporary_server() as server:
        async with Client(server.address) as client, AsyncExitStack() as stack:
            host = await client.create(4)
            bots = [
                await stack.enter_async_context(bot(command, environment))
                for command, environment in (
                    (
                        [*python, "--server", server.address, "--game", host.game],
                        {"PYTHONPATH": sources},
                    ),
                    ([str(go_client / "bot")], where(server, host.game)),
                    (typescript, where(server, host.game)),
                    ([*typescript, "--service", server.address], where(server, host.game)),
                )
            ]
            game = await host.get()
            async with asyncio.timeout(WITHIN):
                while not all(seat.taken for seat in game.seats):
                    version = game.version + 1
                    game = await client.get(host.game, wait_for_version=version, wait=30)
                    assert all(each.returncode is None for each in bots), await said(bots)
                await host.start()
                assert [await each.wait() for each in bots] == [0] * len(bots), await said(bots)
            game = await host.get()
    assert game.state == Game.STATE_FINISHED
    assert not any(seat.bot or seat.auto_play for seat in game.seats)
    names = {seat.display_name for seat in game.seats}
    assert names == {"Bot", "Go bot", "TypeScript bot"}


def where(server: ServerProcess, game: str) -> dict[str, str]:
    """How a bot is told what to play."""
    return {
        "COLTEXPRESS_TARGET": server.address,
        "COLTEXPRESS_HTTP": server.http,
        "COLTEXPRESS_GAME": game,
        "COLTEXPRESS_SEAT": "",
        "COLTEXPRESS_JOIN_CODE": "",
    }


@asynccontextmanager
async def bot(command: list[str], environment: dict[str, str]) -> AsyncIterator[Process]:
    """A bot in a process, which is ended with the block."""
    process = await asyncio.create_subprocess_exec(
        *command, env=os.environ | environment, stdout=PIPE, stderr=PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def said(bots: list[Process]) -> str:
    """What ended bots have written to standard error."""
    ended = [each for each in bots if each.returncode is not None]
    return "\n".join([(await each.communicate())[1].decode() for each in ended])
