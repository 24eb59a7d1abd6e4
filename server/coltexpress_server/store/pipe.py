"""One connection that many calls share."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections import deque
from typing import Any, Final

import hiredis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError, ResponseError

Command = tuple[str | bytes | int, ...]


class Pipe:
    """A connection on which commands go out as they come and replies come back in that order.

    Compared with a connection for each call it saves two thirds of the work for a command, since
    what many calls send in one turn of the event loop goes out at once. And a call that is
    cancelled can do no harm: its reply is taken off the connection all the same, and dropped.
    """

    def __init__(self, connection: AbstractConnection) -> None:
        """Take over a connection that is open, and close it in the end."""
        self._connection: Final = connection
        self._outgoing: list[bytes] = []
        self._unanswered: Final[deque[asyncio.Future[Any]]] = deque()
        self._work: Final = asyncio.Event()
        self._broken: str | None = None  # why
        self._clock: Final = asyncio.get_running_loop().time
        self._heard_at = self._clock()
        self._tasks: Final = (
            asyncio.create_task(self._write(), name="store pipe, sending"),
            asyncio.create_task(self._read(), name="store pipe, receiving"),
        )

    @property
    def is_broken(self) -> bool:
        """Whether no more commands can be sent."""
        return self._broken is not None

    def is_silent_since(self, time: float) -> bool:
        """Whether replies are owed and none has come since a time of the event loop."""
        return bool(self._unanswered) and self._heard_at <= time

    def send(self, command: Command) -> asyncio.Future[Any]:
        """Send a command; the future gets its reply, or the error that it or the connection met."""
        reply: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self._broken is not None:
            reply.set_exception(RedisConnectionError(self._broken))
        else:
            # hiredis' annotations know of commands of one word only.
            self._outgoing.append(hiredis.pack_command(command))  # type: ignore[arg-type]
            self._unanswered.append(reply)
            self._work.set()
        return reply

    def break_off(self, reason: str) -> None:
        """Give the connection up; calls under way are told why."""
        if self._broken is None:
            self._broken = reason
            for task in self._tasks:
                if task is not asyncio.current_task():
                    task.cancel()
            while self._unanswered:
                reply = self._unanswered.popleft()
                if not reply.done():
                    reply.set_exception(RedisConnectionError(reason))

    async def close(self) -> None:
        """Give the connection up and wait until it is closed."""
        self.break_off("the store was closed")
        await asyncio.wait(self._tasks)

    async def _write(self) -> None:
        try:
            while True:
                await self._work.wait()
                self._work.clear()
                commands, self._outgoing = self._outgoing, []
                await self._connection.send_packed_command(commands, check_health=False)
        except RedisError as error:
            self.break_off(str(error))

    async def _read(self) -> None:
        try:
            while True:
                reply: Any
                try:
                    reply = await self._connection.read_response(timeout=math.inf)
                except ResponseError as error:
                    reply = error
                self._heard_at = self._clock()
                if not self._unanswered:
                    raise RedisConnectionError("the server sent a reply to nothing")
                future = self._unanswered.popleft()
                if future.done():
                    continue  # The call was cancelled.
                if isinstance(reply, ResponseError):
                    future.set_exception(reply)
                else:
                    future.set_result(reply)
        except RedisError as error:
            self.break_off(str(error))
        finally:
            with contextlib.suppress(RedisError):
                await self._connection.disconnect(nowait=True)
