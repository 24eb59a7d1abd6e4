"""The embedded store's folders: the data folder that one process has, and the socket's folder."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import IO, Final

from coltexpress_server.store.errors import DataFolderInUse, EmbeddedStoreError

_LOCK_FILE: Final = "in-use-by"
_LIMIT: Final = 3.0  # s; a process that was killed, and its server, take a moment to be gone
_PAUSE: Final = 0.05  # s
_SOCKET_FOLDER: Final = "colt-express-"
_PARENT_LIMIT: Final = 70  # bytes; every system allows 104 for the path of a socket


@contextlib.asynccontextmanager
async def locked(data_dir: Path) -> AsyncIterator[IO[str]]:
    """Make a folder private and hold the lock on it: an open file that names this process.

    Who inherits the open file holds the lock too, until both have closed it or ended.
    Raises DataFolderInUse where another process has the folder.
    """
    with _lock_file(data_dir) as file:
        try:
            async with asyncio.timeout(_LIMIT):
                while not _is_ours(file):  # noqa: ASYNC110 (a lock gives no notice)
                    await asyncio.sleep(_PAUSE)
        except TimeoutError:
            holder = (_lines(file) or ["unknown"])[0]
            raise DataFolderInUse(
                f"the data folder {data_dir} is in use by process {holder}"
            ) from None
        yield file


@contextlib.contextmanager
def socket_folder(lock: IO[str]) -> Iterator[Path]:
    """Make a private folder with a path short enough for a socket, and note it in the lock file.

    A process that was killed left its own behind: it is removed.
    """
    for left_behind in _lines(lock)[1:]:
        if Path(left_behind).name.startswith(_SOCKET_FOLDER):
            shutil.rmtree(left_behind, ignore_errors=True)
    parent = _short_parent(Path(lock.name).parent)
    with tempfile.TemporaryDirectory(prefix=_SOCKET_FOLDER, dir=parent) as path:
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n{path}\n")
        lock.flush()
        yield Path(path)


def _lock_file(data_dir: Path) -> IO[str]:
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    data_dir.chmod(0o700)
    return (data_dir / _LOCK_FILE).open("a+", encoding="utf-8")


def _short_parent(data_dir: Path) -> str:
    """Find a folder for temporary folders whose path is short."""
    # Whose parent does not matter, since the folder made in it is private.
    for parent in (os.environ.get("XDG_RUNTIME_DIR", ""), *_temporary(), "/tmp", str(data_dir)):  # noqa: S108
        if len(os.fsencode(parent)) <= _PARENT_LIMIT and os.access(parent, os.W_OK | os.X_OK):
            return parent
    raise EmbeddedStoreError("no folder with a short path for the store's socket, not even /tmp")


def _temporary() -> list[str]:
    """The folder for temporary files; none in a container where only the data can be written."""
    try:
        return [tempfile.gettempdir()]
    except FileNotFoundError:
        return []


def _lines(file: IO[str]) -> list[str]:
    file.seek(0)
    return file.read().splitlines()


def _is_ours(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
