"""`colt-express admin` against a service: a game is looked at, moved, ended."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from coltexpress import Client, Visibility
from coltexpress_server.server_process import temporary_server
from tests.cli.conftest import Run

KEY = "an operator's key"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    keys = json.dumps({"olga": hashlib.sha256(KEY.encode()).hexdigest()})
    with temporary_server("--admin-keys", keys) as process:
        yield process.address


async def _create(server: str) -> tuple[str, str]:
    async with Client(server) as client:
        host = await client.create(3, visibility=Visibility.VISIBILITY_PRIVATE)
        return host.game, host.token


async def _delete(server: str, game: str, token: str) -> None:
    async with Client(server) as client:
        await client.host(game, token).delete()


def test_a_game_is_looked_at_moved_and_ended(
    colt_express: Run, server: str, tmp_path: Path
) -> None:
    game, token = asyncio.run(_create(server))

    def admin(*arguments: str) -> str:
        done = colt_express("admin", *arguments, "--server", server, COLTEXPRESS_ADMIN_KEY=KEY)
        assert done.status == 0, done.err
        return done.out

    assert f"{game}  LOBBY  PRIVATE  0/3 seats  version 1  " in admin("list", "--state", "lobby")
    assert json.loads(admin("inspect", game))["game"]["name"] == game
    file = tmp_path / "game"
    admin("export", game, "--output", str(file))
    asyncio.run(_delete(server, game, token))
    assert game not in admin("list")
    assert game in admin("import", str(file))
    assert "  ABORTED  " in admin("abort", game.removeprefix("games/"), "--reason", "Over.")
    assert "  ABORTED  " in admin("list")


def test_it_takes_an_admin_key(colt_express: Run, server: str, tmp_path: Path) -> None:
    done = colt_express("admin", "list", "--server", server)
    assert (done.status, "--admin-key" in done.only_line) == (2, True)
    wrong = tmp_path / "key"
    wrong.write_text("not this one\n")
    done = colt_express("admin", "list", "--server", server, "--admin-key-file", str(wrong))
    assert (done.status, "ADMIN_KEY_MISSING" in done.only_line) == (1, True)
    assert "not this one" not in done.err
