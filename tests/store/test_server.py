from __future__ import annotations

import pytest
import redis

from coltexpress_server.store import Store, StoreUnfit
from coltexpress_server.store.server import examine
from tests.store.behind import contents, set_rights, until


def info(**changes: str) -> bytes:
    fields = {
        "redis_version": "7.2.4",
        "role": "master",
        "aof_enabled": "1",
        "maxmemory": "0",
        "maxmemory_policy": "noeviction",
        "cluster_enabled": "0",
    }
    lines = [f"{name}:{value}" for name, value in (fields | changes).items()]
    return "\r\n".join(["# Server", *lines, ""]).encode()


def test_a_server_set_up_well_passes_without_a_word() -> None:
    server = examine(info(valkey_version="9.1.2"))
    assert (server.version, server.append_only, server.warnings) == ("Valkey 9.1.2", True, ())
    assert examine(info(redis_version="6.2.0", aof_enabled="0")).version == "Redis 6.2.0"


def test_a_server_that_keeps_no_file_of_commits_is_warned_of() -> None:
    server = examine(info(aof_enabled="0"))
    assert not server.append_only
    [warning] = server.warnings
    assert "appendonly" in warning


@pytest.mark.parametrize("version", ["6.0.16", "5.0.0", "4.0"])
def test_an_old_server_is_refused(version: str) -> None:
    with pytest.raises(StoreUnfit, match=r"6\.2"):
        examine(info(redis_version=version))


def test_a_replica_and_a_node_of_a_cluster_are_refused() -> None:
    with pytest.raises(StoreUnfit, match="replica"):
        examine(info(role="slave"))
    with pytest.raises(StoreUnfit, match="cluster"):
        examine(info(cluster_enabled="1"))


def test_a_server_that_would_delete_games_is_refused_or_warned_of() -> None:
    (warning,) = examine(info(maxmemory_policy="allkeys-lru")).warnings
    assert "allkeys-lru" in warning
    with pytest.raises(StoreUnfit, match="volatile-ttl"):
        examine(info(maxmemory_policy="volatile-ttl", maxmemory="1000000"))
    assert examine(info(maxmemory="1000000")).warnings == ()


async def test_the_embedded_server_passes_and_the_trial_leaves_nothing(
    store: Store, behind: redis.Redis
) -> None:
    server = await store.check_server()
    assert server.version.startswith(("Valkey ", "Redis "))
    assert server.append_only
    assert server.warnings == ()
    await until(lambda: not contents(behind))  # its request is remembered for a millisecond


@pytest.mark.parametrize("command", ["xadd", "hmget", "zadd", "evalsha", "eval", "info"])
async def test_a_user_who_may_not_do_something_is_found_out_at_the_start(
    store: Store, behind: redis.Redis, command: str
) -> None:
    behind.script_flush()
    set_rights(behind, f"-{command}")
    try:
        with pytest.raises(StoreUnfit, match="refuses this user"):
            await store.check_server()
    finally:
        set_rights(behind, "+@all")
