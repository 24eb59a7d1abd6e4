"""How often and how fast a failed call is tried again.

Repeating a call is safe: all that changes something carries a request id, and the service carries a
request out once however often it comes.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass

import grpc

from coltexpress.errors import ColtExpressError, Unavailable


@dataclass(frozen=True, kw_only=True)
class Retries:
    """When to give up, and how long to wait between attempts; all in seconds.

    attempt: how long one attempt may take.
    patience: how long after the first failure no further attempt is begun and the error is raised;
        0 never tries twice.
    first_wait: before the second attempt, doubled before each further one; what is waited is a
        random part of it, so that clients do not come back all at once.
    longest_wait: what doubling stops at.
    """

    attempt: float = 10.0
    patience: float = 60.0
    first_wait: float = 0.1
    longest_wait: float = 5.0


class Trying:
    """The attempts at one request."""

    def __init__(self, retries: Retries) -> None:
        self._retries = retries
        self.succeeded()

    def succeeded(self) -> None:
        """Forget the failures so far."""
        self._give_up: float | None = None
        self._wait = self._retries.first_wait

    async def wait_after(self, error: ColtExpressError) -> None:
        """Wait before the next attempt.

        Raises:
            ColtExpressError: the one given, if another attempt is of no use or comes too late.
        """
        if not _may_pass(error):
            raise error
        now = asyncio.get_running_loop().time()
        if self._give_up is None:
            self._give_up = now + self._retries.patience
        wait = error.retry_after
        if wait is None:
            wait = self._wait * random.uniform(0.5, 1.0)
            self._wait = min(2 * self._wait, self._retries.longest_wait)
        if now + wait > self._give_up:
            raise error
        await asyncio.sleep(wait)


def _may_pass(error: ColtExpressError) -> bool:
    """Whether the same request may succeed later."""
    return (
        isinstance(error, Unavailable)
        or error.reason == "CONFLICT"
        or (error.code == grpc.StatusCode.RESOURCE_EXHAUSTED and error.retry_after is not None)
    )
