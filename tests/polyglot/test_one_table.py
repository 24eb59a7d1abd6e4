"""Bots in several languages, in processes of their own, at one table."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random

from coltexpress import Client, Game, Host, play, random_bot
from coltexpress_server.server_process import ServerProcess, temporary_server
from tests.polyglot.conftest import run

WITHIN = 100.0
"""Seconds in which a game is over."""

RESTART_AT = 30
"""A version in the middle of every game."""


async def test_bots_in_three_languages_play_a_game_to_its_end_over_a_restart(
    checkout: Path, go_client: Path, typescript_client: Path, tmp_path: Path
) -> None:
    python = [sys.executable, "-m", "coltexpress_server.cli", "bot"]
    sources = os.pathsep.join(str(checkout / each) for each in ("server", "clients/python/src"))
    typescript = ["node", str(typescript_client / "build/examples/bot.js")]
    settings = ("--data-dir", str(tmp_path / "data"), "--drain-s", "0")
    log = tmp_path / "log"
    with ServerProcess(*settings, log=log) as server:
        address, http = server.address, server.http
        async with Client(address) as client, AsyncExitStack() as stack:
            host = await client.create(4)
            given = where(server, host.game)
            bots = [
                await stack.enter_async_context(bot(command, environment))
                for command, environment in (
                    ([*python, "--server", address, "--game", host.game], {"PYTHONPATH": sources}),
                    ([str(go_client / "bot")], given),
                    (typescript, given),
                    ([*typescript, "--service", address], given),
                )
            ]
            async with asyncio.timeout(WITHIN):
                game = await full(client, host, bots)
                assert {seat.display_name for seat in game.seats} == {
                    *("Bot", "Go bot", "TypeScript bot")
                }
                await host.start()
                await client.get(host.game, wait_for_version=RESTART_AT, wait=30)
                server.stop()
                ports = ("--grpc-port", port_of(address), "--http-port", port_of(http))
                with ServerProcess(*settings, *ports, log=log):
                    assert [await each.wait() for each in bots] == [0] * len(bots), await said(bots)
                    game = await host.get()
    assert game.state == Game.STATE_FINISHED
    assert not any(seat.bot or seat.auto_play for seat in game.seats)


async def test_the_bots_of_the_readmes_play(go_client: Path, typescript_client: Path) -> None:
    with temporary_server() as server:
        async with Client(server.address) as client, AsyncExitStack() as stack:
            host = await client.create(3)
            code = taken_from(go_client / "README.md", "go", server.address, host.game)
            assert code.partition("func main() {\n")[2].count("\n") <= 12
            source = go_client / "examples/readme/main.go"
            source.parent.mkdir()
            source.write_text(code)
            run(go_client, "go", "build", "-o", "readme", str(source.parent))
            code = taken_from(typescript_client / "README.md", "ts", server.http, host.game)
            assert code.count("\n") <= 10
            (typescript_client / "examples/readme.ts").write_text(code)
            run(typescript_client, "npx", "tsc", "--build")
            bots = [
                await stack.enter_async_context(bot([str(go_client / "readme")], {})),
                await stack.enter_async_context(
                    bot(["node", str(typescript_client / "build/examples/readme.js")], {})
                ),
            ]
            seat = await client.join(host.game)
            async with asyncio.timeout(WITHIN):
                await full(client, host, bots)
                await host.start()
                await play(seat, random_bot(Random(1)))
                assert [await each.wait() for each in bots] == [0, 0], await said(bots)


async def full(client: Client, host: Host, bots: list[Process]) -> Game:
    """The game when all seats are taken."""
    game = await host.get()
    while not all(seat.taken for seat in game.seats):
        game = await client.get(host.game, wait_for_version=game.version + 1, wait=30)
        assert all(each.returncode is None for each in bots), await said(bots)
    return game


def taken_from(readme: Path, language: str, address: str, game: str) -> str:
    """The first program in a README, with the server and the game that it is for."""
    code: str = re.findall(rf"```{language}\n(.*?)```", readme.read_text(), re.DOTALL)[0]
    for placeholder, value in (
        (r"http://localhost:8080|localhost:50051", address),
        (r"games/\.\.\.", game),
    ):
        code, times = re.subn(placeholder, value, code)
        assert times == 1
    return code


def port_of(address: str) -> str:
    return address.rpartition(":")[2]


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
