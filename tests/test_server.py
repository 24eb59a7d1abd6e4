"""A process of the service: how it starts, says what is wrong, and ends."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import grpc
import pytest
import redis

from coltexpress.v1 import game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server import server
from coltexpress_server.settings import read_settings
from tests.api.tables import Service, lobby
from tests.logs_kept import logs_kept

Serve = Callable[..., Awaitable[Process]]

PROGRAM = """
import sys
from coltexpress_server.server import serve
from coltexpress_server.settings import read_settings
sys.exit(serve(read_settings()))
"""
LIMIT = 20  # s
KEY = "5e" * 32


@pytest.fixture
async def serve(tmp_path: Path) -> AsyncIterator[Serve]:
    """Starts processes that serve, with settings; those that still run are killed."""
    processes: list[Process] = []

    async def start(**settings: object) -> Process:
        given = {"data_dir": tmp_path / "data", "grpc_port": 0, "http_port": 0, "drain_s": 0}
        given |= settings
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", PROGRAM),
            stdout=PIPE,
            stderr=PIPE,
            env=os.environ | {f"COLTEXPRESS_{name.upper()}": str(it) for name, it in given.items()},
            start_new_session=True,
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def address(process: Process) -> str:
    """Where it serves, once it does."""
    assert process.stdout is not None
    async with asyncio.timeout(LIMIT):
        line = (await process.stdout.readline()).decode()
    assert line.startswith("Colt Express "), line
    return line.split()[-1]


async def ended(process: Process) -> tuple[int, list[str], list[str]]:
    """Its exit status, and the lines of both outputs not read yet."""
    async with asyncio.timeout(LIMIT):
        out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode().splitlines(), err.decode().splitlines()


async def has_game(found: str, name: str) -> bool:
    async with grpc.aio.insecure_channel(found) as channel:
        listing = await Service(channel, found).games.ListGames(pb.ListGamesRequest())
    return name in [game.name for game in listing.games]


async def new_game(found: str) -> str:
    async with grpc.aio.insecure_channel(found) as channel:
        return (await lobby(Service(channel, found), seed=b"")).name


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_in_order_and_games_are_there_again(
    serve: Serve, tmp_path: Path, number: signal.Signals
) -> None:
    process = await serve()
    found = await address(process)
    name = await new_game(found)
    process.send_signal(number)
    status, out, err = await ended(process)
    assert status == 0
    assert out[0].startswith("and HTTP on http://127.0.0.1:")
    assert out[1] == f"Games are kept in {tmp_path / 'data'}"
    assert f"demo --server {found}" in out[2]
    assert [line for line in err if '"level":"info"' not in line] == []
    again = await serve()
    assert await has_game(await address(again), name)


async def test_where_the_store_is_is_said_and_its_password_is_not(
    serve: Serve, valkey_url: str
) -> None:
    with redis.Redis.from_url(valkey_url) as client:
        client.execute_command("ACL", "SETUSER", "belle", "on", ">s3cret", "~*", "&*", "+@all")
        try:
            url = valkey_url.replace("unix://", "unix://belle:s3cret@")
            process = await serve(redis=url, service_key_hex=KEY)
            await address(process)
            process.terminate()
            status, out, _ = await ended(process)
        finally:
            client.execute_command("ACL", "DELUSER", "belle")
    assert status == 0
    [line] = [line for line in out if line.startswith("Games are kept in ")]
    assert line.startswith("Games are kept in Valkey ")
    assert line.endswith(f" at {valkey_url}")


async def test_a_second_signal_ends_it_at_once_and_nothing_is_lost(serve: Serve) -> None:
    process = await serve(drain_s=60)
    name = await new_game(await address(process))
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    async with asyncio.timeout(LIMIT):
        while b"stopping" not in await process.stderr.readline():
            pass
    process.send_signal(signal.SIGINT)
    status, _, err = await ended(process)
    assert status == 128 + signal.SIGINT
    assert not err
    again = await serve()
    assert await has_game(await address(again), name)


async def test_a_watch_is_told_where_to_go_on_when_it_ends(serve: Serve) -> None:
    process = await serve()
    found = await address(process)
    async with grpc.aio.insecure_channel(found) as channel:
        service = Service(channel, found)
        table = await lobby(service, seed=b"")
        stream = service.games.WatchGame(pb.WatchGameRequest(name=table.name))
        game: game_pb2.Game = (await stream.read()).game
        process.terminate()
        end = (await stream.read()).end
        assert end.reason == pb.EndOfStream.REASON_DRAINING
        assert end.cursor == game.cursor
    status, _, _ = await ended(process)
    assert status == 0


async def test_a_data_folder_in_use_is_one_clear_line(serve: Serve, tmp_path: Path) -> None:
    first = await serve()
    await address(first)
    status, out, err = await ended(await serve())
    assert status == 1
    assert not out
    [line] = err
    assert line.startswith(f"colt-express: the data folder {tmp_path / 'data'}")
    assert "in use by process" in line


def refused_start(capsys: pytest.CaptureFixture[str], **settings: object) -> str:
    """Expects that no service starts with these settings; returns the line that says why."""
    with logs_kept():
        assert server.serve(read_settings(**({"grpc_port": 0, "http_port": 0} | settings))) == 1
    out, err = capsys.readouterr()
    assert not out
    [line] = err.splitlines()
    assert line.startswith("colt-express: ")
    return str(line)


class TestOneClearLine:
    """Why a service does not start."""

    def test_a_port_in_use(self, capsys: pytest.CaptureFixture[str], valkey_url: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            line = refused_start(capsys, grpc_port=port, redis=valkey_url, service_key_hex=KEY)
        assert line.endswith(f"cannot listen on 127.0.0.1:{port}: Address already in use")

    def test_a_store_that_does_not_answer(self, capsys: pytest.CaptureFixture[str]) -> None:
        url = "redis://:s3cret@127.0.0.1:1"
        line = refused_start(capsys, redis=url, service_key_hex=KEY)
        assert "the store does not answer: " in line
        assert "s3cret" not in line

    def test_an_url_of_no_store(self, capsys: pytest.CaptureFixture[str]) -> None:
        line = refused_start(capsys, redis="http://s3cret", service_key_hex=KEY)
        assert "the store's URL" in line
        assert "s3cret" not in line

    def test_a_folder_that_cannot_be_used(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        (tmp_path / "file").touch()
        assert str(tmp_path / "file") in refused_start(capsys, data_dir=tmp_path / "file")

    def test_a_key_that_is_none(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path, valkey_url: str
    ) -> None:
        (tmp_path / "key").write_text("none")
        line = refused_start(capsys, redis=valkey_url, service_key_file=tmp_path / "key")
        assert "should be 64 hexadecimal digits" in line
