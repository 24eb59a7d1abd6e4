"""Arranging and inspecting the server behind a store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

import pytest
import redis

from coltexpress_server.store.keys import wake_channel

LIMIT: Final = 20.0
"""Seconds after which a test gives up on what should come at once."""


def contents(server: redis.Redis) -> dict[Any, Any]:
    """All keys, each with its value in the server's own serial form."""
    return {key: server.dump(key) for key in server.keys("*")}


def set_rights(server: redis.Redis, rights: str) -> None:
    """Change what the default user may do."""
    # A method of redis-py's without annotations.
    server.execute_command(f"ACL SETUSER default {rights}")  # type: ignore[no-untyped-call]


def skip_before_7(server: redis.Redis, why: str) -> None:
    """Skip a test of what servers before Redis 7.0 do not do."""
    version = server.info("server")["redis_version"]
    if int(version.split(".")[0]) < 7:
        pytest.skip(f"Redis {version}: {why}")


async def until(condition: Callable[[], bool]) -> None:
    """Wait for what happens in another process and cannot be waited for otherwise."""
    async with asyncio.timeout(LIMIT):
        while not condition():  # noqa: ASYNC110 (there is no event)
            await asyncio.sleep(0.001)


async def until_subscribed(server: redis.Redis, game_id: str) -> None:
    """Wait until wake-ups about a game reach somebody."""
    await until(lambda: server.pubsub_numsub(wake_channel(game_id))[0][1] > 0)
