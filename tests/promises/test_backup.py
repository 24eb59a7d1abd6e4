"""What docs/RUNBOOK.md says of backup, restore and the service's key, with a game in play."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from coltexpress.v1 import game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.server_process import ServerProcess
from tests.api.tables import Service, Table, begun, get, play
from tests.promises.replicas import client_of, on_store, refusal
from tests.store.behind import until
from tests.store.fleet import Server, free_ports

LIMIT = 60

APPENDING = ("appendonly yes", "appendfsync always", 'save ""')


async def started(folder: Path, *options: str) -> Server:
    """A server of its own that has loaded what it was given."""
    [port] = free_ports(1)
    server = Server(folder, port, *options)
    try:
        await until(server.is_up)
    except BaseException:
        server.close()
        raise
    return server


def url(server: Server) -> str:
    return f"redis://127.0.0.1:{server.port}"


async def has_done(server: Server, work: str) -> None:
    """Wait until the server is not at this work, a field of INFO."""
    await until(lambda: server.ask("INFO", "persistence")[work] == 0)


async def back_up_snapshot(server: Server, live: Path, copy: Path) -> None:
    server.ask("BGSAVE")
    await has_done(server, "rdb_bgsave_in_progress")
    shutil.copy(live / "dump.rdb", copy)


async def restored_snapshot(folder: Path, copy: Path) -> Server:
    server = await started(folder, "appendonly no", f"dir {copy}")
    server.ask("CONFIG", "SET", "appendonly", "yes")
    await has_done(server, "aof_rewrite_in_progress")
    return server


async def back_up_files(server: Server, live: Path, copy: Path) -> None:
    server.ask("CONFIG", "SET", "auto-aof-rewrite-percentage", 0)
    await has_done(server, "aof_rewrite_in_progress")
    shutil.copytree(live / "appendonlydir", copy / "appendonlydir")
    server.ask("CONFIG", "SET", "auto-aof-rewrite-percentage", 100)


async def restored_files(folder: Path, copy: Path) -> Server:
    return await started(folder, *APPENDING, f"dir {copy}")


async def went_back(service: Service, table: Table, to: game_pb2.Game, later: str) -> None:
    """The game is as it was, says so to who has seen more, and goes on to its end."""
    assert await get(service, table, 0) == to
    ahead = service.games.WatchGame(
        pb.WatchGameRequest(name=table.name, cursor=later), metadata=table.as_seat(0)
    )
    assert (await ahead.read()).end.reason == pb.EndOfStream.REASON_CURSOR_UNKNOWN
    await play(service, table)
    assert (await get(service, table, 0)).state == game_pb2.Game.STATE_FINISHED


@pytest.mark.parametrize(
    ("back_up", "restored"),
    [(back_up_snapshot, restored_snapshot), (back_up_files, restored_files)],
    ids=["snapshot", "append-only files"],
)
async def test_a_store_is_restored_from_a_copy_made_while_it_was_used(
    back_up: Callable[[Server, Path, Path], Awaitable[None]],
    restored: Callable[[Path, Path], Awaitable[Server]],
    tmp_path: Path,
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    server = await started(tmp_path / "live", *APPENDING)
    try:
        with on_store(url(server), tmp_path / "log") as replica:
            async with asyncio.timeout(LIMIT), client_of(replica.address) as service:
                table = await begun(service)
                await play(service, table, 10)
                then = await get(service, table, 0)
                await back_up(server, tmp_path / "live", copy)
                await play(service, table, 10)
                later = (await get(service, table, 0)).cursor
    finally:
        server.close()
    server = await restored(tmp_path / "new", copy)
    try:
        with on_store(url(server), tmp_path / "log") as replica:
            async with asyncio.timeout(LIMIT), client_of(replica.address) as service:
                await went_back(service, table, then, later)
    finally:
        server.close()
    # Set up as before the server still has all of it.
    server = await started(tmp_path / "again", *APPENDING, f"dir {copy}")
    try:
        assert server.ask("EXISTS", *server.ask("KEYS", "*")) > 0
    finally:
        server.close()


async def test_a_snapshot_is_passed_over_by_a_server_that_appends(tmp_path: Path) -> None:
    """Why the runbook has such a server started without."""
    live, copy = tmp_path / "live", tmp_path / "copy"
    copy.mkdir()
    server = await started(live, *APPENDING)
    try:
        server.ask("SET", "game", 1)
        await back_up_snapshot(server, live, copy)
    finally:
        server.close()
    for options, kept in ((APPENDING, 0), (("appendonly no",), 1)):
        server = await started(tmp_path / f"new{kept}", *options, f"dir {copy}")
        try:
            assert server.ask("DBSIZE") == kept
        finally:
            server.close()
        shutil.rmtree(copy / "appendonlydir", ignore_errors=True)


async def test_with_another_key_a_game_is_watched_and_not_played(
    valkey_url: str, tmp_path: Path
) -> None:
    with on_store(valkey_url, tmp_path / "log") as replica:
        async with asyncio.timeout(LIMIT), client_of(replica.address) as service:
            table = await begun(service)
            await play(service, table, 10)
            version = (await get(service, table)).version
    key = ("--service-key-hex", "7a" * 32)
    with on_store(valkey_url, tmp_path / "log", *key) as replica:
        async with asyncio.timeout(LIMIT), client_of(replica.address) as service:
            assert (await get(service, table)).version == version
            refused = await refusal(
                service, "GetGame", pb.GetGameRequest(name=table.name), table.as_seat(0)
            )
            assert refused.reason == "TOKEN_MISSING"
            await play(service, await begun(service), 10)


async def test_a_data_folder_is_restored_from_a_copy(tmp_path: Path) -> None:
    live, copy = tmp_path / "live", tmp_path / "copy"
    arguments = ("--drain-s", "0", "--allow-fixed-seed", "--data-dir")
    with ServerProcess(*arguments, str(live), log=tmp_path / "log") as alone:
        async with asyncio.timeout(LIMIT), client_of(alone.address) as service:
            table = await begun(service)
            await play(service, table, 10)
            then = await get(service, table, 0)
        alone.stop()
        shutil.copytree(live, copy)
        alone.start()
        async with asyncio.timeout(LIMIT), client_of(alone.address) as service:
            await play(service, table, 10)
            later = (await get(service, table, 0)).cursor
    with ServerProcess(*arguments, str(copy), log=tmp_path / "log") as alone:
        async with asyncio.timeout(LIMIT), client_of(alone.address) as service:
            await went_back(service, table, then, later)
