"""Three replicas behind Envoy: whichever goes, games go on. `make bench-cluster` does much more."""

from __future__ import annotations

from pathlib import Path

import pytest

from coltexpress import Client
from tests.deploy.crowd import Audit, Crowd
from tests.deploy.fleet import Fleet

TABLES = 6
THINK_S = 0.1
MOVES = 40
"""Answered after each upheaval, before the next one."""


@pytest.mark.timeout(240)
async def test_games_go_on_whichever_replica_goes(valkey_url: str, tmp_path: Path) -> None:
    async with Fleet(valkey_url, 3, tmp_path) as fleet, Client(fleet.address) as client:
        crowd = Crowd(client, TABLES, think_s=THINK_S)
        async with crowd.playing():
            await crowd.moves(MOVES)
            await fleet.drain(0)
            await crowd.moves(MOVES)
            await fleet.kill(1)
            await crowd.moves(MOVES)
            await fleet.replace(2)
            await crowd.moves(MOVES)
        found = Audit()
        await found.add(client, crowd.accounts)
    assert found.moves > 4 * MOVES
    assert found == Audit(games=found.games, finished=found.games, moves=found.moves)
    assert found.games >= TABLES
