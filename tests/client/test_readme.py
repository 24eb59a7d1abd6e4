"""The bot in the READMEs plays."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import pytest

from coltexpress import Client, Game
from tests.client.games import PLAYERS, play_out

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("readme", ["README.md", "clients/python/README.md"])
async def test_the_bot_plays_a_game_to_its_end(
    readme: str, client: Client, server: str, tmp_path: Path
) -> None:
    (code,) = re.findall(
        r"```python\n(import asyncio.*?)```", (ROOT / readme).read_text(), re.DOTALL
    )
    assert len(code.splitlines()) <= 10
    host = await client.create(PLAYERS)
    bot = tmp_path / "bot.py"
    bot.write_text(replaced(replaced(code, "localhost:50051", server), "games/...", host.game))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-W", "error", bot, stderr=asyncio.subprocess.PIPE
    )
    others = [await client.join(host.game) for _ in range(1, PLAYERS)]
    game = await host.get()
    while not all(seat.taken for seat in game.seats):
        game = await client.get(host.game, wait_for_version=game.version + 1, wait=30)
    assert "Ten lines" in [seat.display_name for seat in game.seats]
    await host.start()
    await play_out(*others)
    _, said = await process.communicate()
    assert (process.returncode, said) == (0, b"")
    assert (await host.get()).state == Game.STATE_FINISHED


def replaced(text: str, what: str, by: str) -> str:
    assert text.count(what) == 1
    return text.replace(what, by)
