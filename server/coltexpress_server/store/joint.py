"""Work that many callers want done at the same time and that is done once for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")


class Joint(Generic[T]):
    """A coroutine function that is run anew only when no run of it is under way."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, T]], name: str) -> None:
        """`name` is that of the task."""
        self._work: Final = work
        self._name: Final = name
        self._task: asyncio.Task[T] | None = None

    async def done(self) -> T:
        """Wait for the run under way, or for a new one; a caller's cancellation does not end it."""
        if self._task is None:
            self._task = asyncio.create_task(self._work(), name=self._name)
            self._task.add_done_callback(self._end)
        return await asyncio.shield(self._task)

    async def cancel(self) -> None:
        """Cancel the run under way, if there is one, and wait for its end."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def _end(self, task: asyncio.Task[T]) -> None:
        self._task = None
        if not task.cancelled():
            task.exception()  # All who waited may have been cancelled; then nobody else asks.
