"""Keeping what a test does to logging to that test."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator

import structlog


@contextlib.contextmanager
def logs_kept() -> Iterator[None]:
    """Put logging back as it was at the beginning of the block."""
    before, root = structlog.get_config(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    structlog.configure(**before)
    root.handlers[:] = handlers
    root.setLevel(level)
