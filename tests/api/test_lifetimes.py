"""How long games are kept: in the lobby, in play, when they are over; and what is left of them."""

from __future__ import annotations

import asyncio
from typing import Any

import redis

from coltexpress.v1 import game_service_pb2 as pb
from tests.api.conftest import Start
from tests.api.tables import begun, get, join, lobby, new_id, refusal

BANDITS = ("DOC", "GHOST", "BELLE")
LIMIT_S = 30.0


def lives_s(behind: redis.Redis, name: str) -> set[int]:
    """How long the keys of a game, but for its index entries, live: seconds, rounded up."""
    store: Any = behind
    keys = list(store.scan_iter(f"*{name.removeprefix('games/')}"))
    assert len(keys) >= 3
    return {-(-store.pttl(key) // 1000) for key in keys}


async def test_each_state_of_a_game_has_its_own_lifetime(start: Start, behind: redis.Redis) -> None:
    async with start(lobby_ttl_s=1_000, running_ttl_s=2_000, finished_ttl_s=3_000) as service:
        table = await lobby(service, BANDITS, stand_in="RANDOM")
        assert lives_s(behind, table.name) == {1_000}
        for _ in BANDITS:
            await join(service, table)
        request = pb.StartGameRequest(name=table.name, request_id=new_id())
        await service.games.StartGame(request, metadata=table.as_host)
        assert lives_s(behind, table.name) == {2_000}
        for seat in range(len(BANDITS)):
            leave = pb.LeaveGameRequest(name=table.name, request_id=new_id())
            await service.games.LeaveGame(leave, metadata=table.as_seat(seat))
        async with asyncio.timeout(LIMIT_S):
            while not (game := await get(service, table)).HasField("result"):
                await get(service, table, wait_for_version=game.version + 1)
        assert lives_s(behind, table.name) == {3_000}


async def test_nothing_is_left_of_a_game_that_has_expired(
    start: Start, behind: redis.Redis
) -> None:
    async with start(running_ttl_s=0.2, sweep_interval_s=0.1) as service:
        table = await begun(service, BANDITS)
        store: Any = behind
        async with asyncio.timeout(LIMIT_S):
            # Nobody asks for it: a look at what is due takes it out of the indexes.
            while [key for key in store.scan_iter() if b":counted:" not in key]:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert (await refusal(get(service, table))).reason == "GAME_NOT_FOUND"
