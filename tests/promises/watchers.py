"""Watchers that check what they see, and moves for them to see."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

import grpc

from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1.decision_pb2 import Decision
from coltexpress.v1.event_pb2 import Commit
from coltexpress.v1.game_pb2 import Game
from coltexpress_server.game.engine import apply, decisions, new_game
from coltexpress_server.game.generator import mix
from coltexpress_server.game.options import STANDARD
from tests.api.tables import SEED, Service, Table, new_id

Reason = pb.EndOfStream.Reason


@dataclass(frozen=True)
class Move:
    """A decision's answer, worked out before the game is played."""

    seat: int
    option_id: str

    def request(self, table: Table, open_ones: Iterable[Decision]) -> pb.SubmitActionRequest:
        """The request that makes this move, with an id of its own; open_ones: what is asked."""
        (decision_id,) = (each.id for each in open_ones if each.seat == self.seat)
        return pb.SubmitActionRequest(
            name=table.name,
            decision_id=decision_id,
            option_id=self.option_id,
            request_id=new_id(),
        )


def moves_of(bandits: Sequence[str], number: int) -> list[Move]:
    """The moves of one whole random game between these bandits on `tables.begun`."""
    chance = random.Random(number)
    state = new_game(STANDARD, [[name] for name in bandits], mix(SEED, [b""] * len(bandits)))
    moves = []
    while not state.finished:
        decision = decisions(state)[0]
        choice = chance.choice(decision.options)
        moves.append(Move(decision.seat, choice.text))
        apply(state, decision.seat, choice)
    return moves


def watch(service: Service, table: Table, cursor: str = "", seat: int | None = None) -> Any:
    """Opens a stream of a game's commits, as a seat or as a spectator."""
    return service.games.WatchGame(
        pb.WatchGameRequest(name=table.name, cursor=cursor), metadata=table.as_seat(seat)
    )


class Follower:
    """Somebody who follows a game over many streams.

    It is a failure of the test if one of them skips, repeats or ends without a word.

    seat: None for a spectator. cursor: where to begin; empty to begin with the game as it is.
    """

    def __init__(self, table: Table, seat: int | None = None, cursor: str = "") -> None:
        self.table: Final = table
        self.seat: Final = seat
        self.cursor = cursor
        """Where this one is, by what it has read."""
        self.game: Game | None = None
        """The game as it was in the beginning, where that was asked for."""
        self.commits: Final[list[Commit]] = []
        """All that was read since."""
        self.read_at: Final[list[float]] = []
        """When each of them was read."""
        self.heartbeats = 0
        self.streams = 0
        self._news: Final = asyncio.Event()
        self._reading: asyncio.Task[pb.EndOfStream | None] | None = None

    async def follow(self, service: Service, most: float = float("inf")) -> pb.EndOfStream | None:
        """Reads on in a new stream; drops it after so many messages, if it does not end before.

        Returns what the stream ended with. Raises AioRpcError where it breaks.
        """
        self.streams += 1
        stream = watch(service, self.table, self.cursor, self.seat)
        try:
            read = 0
            while read < most:
                message = await stream.read()
                assert message is not grpc.aio.EOF, "the stream ended without a word"
                if message.HasField("end"):
                    assert await stream.read() is grpc.aio.EOF
                    end: pb.EndOfStream = message.end
                    return end
                self._take(message)
                read += 1
            return None
        finally:
            stream.cancel()

    async def begin(self, service: Service) -> asyncio.Task[pb.EndOfStream | None]:
        """Begins to follow, and goes on with it in a task; for one who has no cursor yet."""
        self._reading = asyncio.create_task(self.follow(service))
        self._reading.add_done_callback(lambda _: self._news.set())
        await self.has_read(1)
        return self._reading

    async def has_read(self, version: int) -> None:
        """Waits until the task begun has read so far. Raises what it fails with."""
        while _version(self.cursor) < version:
            await self._more()

    async def hears(self) -> None:
        """Waits until the task begun has got a heartbeat. Raises what it fails with."""
        before = self.heartbeats
        while self.heartbeats == before:
            await self._more()

    async def _more(self) -> None:
        if self._reading is not None and self._reading.done():
            raise AssertionError(f"the stream ended too soon: {await self._reading}")
        self._news.clear()
        await self._news.wait()

    def _take(self, message: pb.WatchGameResponse) -> None:
        self._news.set()
        match message.WhichOneof("message"):
            case "game":
                assert not self.cursor, "the game comes first, and once"
                self.game = message.game
                self.cursor = message.game.cursor
            case "commit":
                assert message.commit.version == _version(self.cursor) + 1
                self.commits.append(message.commit)
                self.read_at.append(perf_counter())
                self.cursor = message.commit.cursor
            case "heartbeat":
                assert message.heartbeat.cursor == self.cursor
                self.heartbeats += 1


def _version(cursor: str) -> int:
    return int(cursor.partition("-")[0] or 0)


async def history(service: Service, table: Table, seat: int | None = None) -> list[Commit]:
    """The commits of a game as ListEvents shows them to a seat, or to a spectator."""
    request = pb.ListEventsRequest(parent=table.name, page_size=1000)
    found = await service.games.ListEvents(request, metadata=table.as_seat(seat))
    assert not found.next_page_token
    return list(found.commits)
