"""The file with the service's key: 32 random bytes as 64 hexadecimal digits."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from pathlib import Path
from typing import Final

KEY_BYTES: Final = 32


class Unusable(Exception):
    """The file cannot be read, cannot be made, or holds no key."""


def read_or_make(path: Path) -> bytes:
    """The key in this file, which is made, for its owner alone, if it is missing.

    Of several processes that make it at once, one succeeds, and all get that key.

    Raises:
        Unusable: see there.
    """
    try:
        if not path.exists():
            _make(path)
        return _read(path)
    except OSError as error:
        raise Unusable(f"the service's key in {path}: {error.strerror}") from error


def _read(path: Path) -> bytes:
    text = path.read_text("ascii", "replace").strip()
    with contextlib.suppress(ValueError):
        key = bytes.fromhex(text)
        if len(key) == KEY_BYTES:
            return key
    raise Unusable(f"the service's key in {path} should be {2 * KEY_BYTES} hexadecimal digits")


def _make(path: Path) -> None:
    """Makes the whole file under another name first, so that nobody ever reads half of it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=path.name) as file:
        file.write(f"{secrets.token_hex(KEY_BYTES)}\n")
        file.flush()
        os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(file.name, path)
