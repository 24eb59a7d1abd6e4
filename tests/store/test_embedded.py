from __future__ import annotations

import asyncio
import contextlib
import os
import select
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis

from coltexpress_server.store import (
    DataFolderInUse,
    EmbeddedStoreError,
    EmbeddedValkey,
    History,
    Loaded,
    StoreUnavailable,
)
from tests.store.behind import LIMIT, until, until_subscribed
from tests.store.commits import Stores, commit_of, committed, make_game

# Another process with an embedded store: says where it is, then waits until it is told to end.
_SERVICE = textwrap.dedent(
    """
    import asyncio, signal, sys
    from pathlib import Path
    from coltexpress_server.store import EmbeddedValkey

    async def main():
        ended = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
        async with EmbeddedValkey(Path(sys.argv[1])) as valkey:
            print(valkey.url, valkey.pid, flush=True)
            await ended.wait()
            with __import__("redis").Redis.from_url(valkey.url) as client:
                print("still there" if client.ping() else "", flush=True)

    asyncio.run(main())
    """
)


class Service:
    """A process with an embedded store on a folder."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _SERVICE, str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        )
        self.url, pid = self.line().split()
        self.valkey_pid = int(pid)
        self._valkey = os.pidfd_open(self.valkey_pid)

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def valkey_has_ended(self) -> bool:
        """Wait for the server to end, though it is not our child."""
        readable, _, _ = select.select([self._valkey], [], [], LIMIT)
        return bool(readable)

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()
        os.close(self._valkey)


@contextlib.contextmanager
def service(folder: Path) -> Iterator[Service]:
    running = Service(folder)
    try:
        yield running
    finally:
        running.close()


async def test_all_is_there_again_after_a_restart(tmp_path: Path, stores: Stores) -> None:
    async with EmbeddedValkey(tmp_path) as valkey:
        store = stores(valkey.url)
        game_id, cursor = await make_game(store, 5, request_key=b"", due_ms=1)
    async with EmbeddedValkey(tmp_path) as valkey:
        store = stores(valkey.url)
        loaded = await store.load(game_id, known=cursor)
        assert isinstance(loaded, Loaded)
        assert loaded.cursor == cursor
        assert (await store.due_games()).game_ids == (game_id,)
        await committed(store, commit_of(game_id, cursor))


async def test_it_serves_its_own_user_on_a_private_socket_only(tmp_path: Path) -> None:
    folder = tmp_path / "made" / "for it"
    async with EmbeddedValkey(folder) as valkey:
        socket = Path(urlsplit(valkey.url).path)
        for path, mode in [(folder, 0o700), (socket.parent, 0o700), (socket, 0o700)]:
            assert stat.S_IMODE(path.stat().st_mode) == mode
        with redis.Redis.from_url(valkey.url) as client:
            settings = client.config_get()
        assert settings["port"] == "0"
        assert settings["maxmemory-policy"] == "noeviction"
        assert settings["appendonly"] == "yes"
        assert settings["appendfsync"] == "always"
        assert settings["save"] == ""
    assert not socket.parent.exists()


async def test_a_folder_is_served_by_one_process(tmp_path: Path) -> None:
    with service(tmp_path) as other:
        with pytest.raises(DataFolderInUse, match=f"process {other.process.pid}"):
            async with EmbeddedValkey(tmp_path):
                pass
        # Who gives in does the other one no harm.
        with redis.Redis.from_url(other.url) as client:
            assert client.ping()


async def test_ctrl_c_leaves_it_running_until_we_are_done(tmp_path: Path) -> None:
    with service(tmp_path) as other:
        os.killpg(other.process.pid, signal.SIGINT)
        assert other.line() == "still there\n"
        assert other.process.wait(LIMIT) == 0
        assert other.valkey_has_ended()


async def test_it_ends_when_we_are_killed_and_loses_nothing(tmp_path: Path, stores: Stores) -> None:
    with service(tmp_path) as other:
        store = stores(other.url)
        game_id, cursor = await make_game(store, 3)
        other.process.kill()
        # The next one on the folder waits for it, and removes what was left lying about.
        async with EmbeddedValkey(tmp_path) as valkey:
            assert other.valkey_has_ended()
            assert not Path(urlsplit(other.url).path).parent.exists()
            store = stores(valkey.url)
            loaded = await store.load(game_id)
            assert isinstance(loaded, Loaded)
            assert loaded.cursor == cursor


async def test_a_commit_whose_writing_was_torn_is_there_as_a_whole_or_not_at_all(
    tmp_path: Path, stores: Stores
) -> None:
    async with EmbeddedValkey(tmp_path / "whole") as valkey:
        store = stores(valkey.url)
        game_id, cursor = await make_game(store, 3)
        (file,) = (tmp_path / "whole" / "appendonlydir").glob("*.incr.aof")
        before = file.stat().st_size
        commit = commit_of(game_id, cursor, request_key=b"torn")
        await committed(store, commit)
        after = file.stat().st_size
    found = []
    for cut in (*range(before, after, (after - before) // 7), after):
        torn = tmp_path / str(cut)
        shutil.copytree(tmp_path / "whole", torn)
        os.truncate(torn / file.relative_to(tmp_path / "whole"), cut)
        async with EmbeddedValkey(torn, appendfsync="no") as valkey:
            store = stores(valkey.url)
            loaded = await store.load(game_id, request_key=b"torn")
            history = await store.entries(game_id)
            assert isinstance(loaded, Loaded)
            assert isinstance(history, History)
            found.append(loaded.cursor.version)
            assert len(history.entries) == loaded.cursor.version
            assert (loaded.repeated is not None) == (loaded.cursor.version == 4)
            assert (await committed(store, commit)).version == 4
    assert found == sorted(found)
    assert (found[0], found[-1]) == (3, 4)


async def test_it_is_started_again_when_it_is_killed(tmp_path: Path, stores: Stores) -> None:
    async with EmbeddedValkey(tmp_path) as valkey:
        store = stores(valkey.url, poll_interval=3600)
        game_id, cursor = await make_game(store)
        with store.watch(game_id, cursor) as watcher:
            waiting = asyncio.create_task(anext(watcher))
            with redis.Redis.from_url(valkey.url) as client:
                await until_subscribed(client, game_id)
            first = valkey.pid
            os.kill(first, signal.SIGKILL)
            await until(lambda: valkey.pid != first)
            commit = commit_of(game_id, cursor)
            async with asyncio.timeout(LIMIT):
                while True:
                    with contextlib.suppress(StoreUnavailable):
                        cursor = await committed(store, commit)
                        break
                    await asyncio.sleep(0.01)
                assert (await waiting).cursor == cursor


async def test_why_it_does_not_start_is_told(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").write_text("not a folder")
    with pytest.raises(EmbeddedStoreError, match="appendonlydir"):
        async with EmbeddedValkey(tmp_path):
            pass
    (tmp_path / "appendonlydir").unlink()
    async with EmbeddedValkey(tmp_path):
        pass


async def test_it_is_there_inside_its_block_only(tmp_path: Path) -> None:
    valkey = EmbeddedValkey(tmp_path)
    with pytest.raises(RuntimeError, match="async with"):
        _ = valkey.url
    async with valkey:
        await until(lambda: Path(urlsplit(valkey.url).path).exists())
    with pytest.raises(RuntimeError, match="async with"):
        _ = valkey.pid


async def test_a_long_temporary_folder_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 80)
    long.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(long))
    async with EmbeddedValkey(tmp_path / "data") as valkey:
        assert len(urlsplit(valkey.url).path) < 104


async def test_where_only_the_data_can_be_written_the_socket_is_beside_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none() -> str:
        raise FileNotFoundError

    with tempfile.TemporaryDirectory(dir="/tmp") as data:  # a short path
        # As in a container with a root that is only read.
        monkeypatch.setattr(tempfile, "gettempdir", none)
        monkeypatch.setattr(os, "access", lambda path, _: path == data)
        async with EmbeddedValkey(Path(data)) as valkey:
            assert Path(urlsplit(valkey.url).path).parents[1] == Path(data)
