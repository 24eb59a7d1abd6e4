"""A whole game over sockets: what each seat is told of it agrees with what it can look up."""

from __future__ import annotations

import asyncio
import hashlib
import random

import grpc
import pytest

from coltexpress.v1 import event_pb2, game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1.vocabulary_pb2 import Expansion, Variant
from tests.api.account import Account
from tests.api.tables import SEED, Service, Table, answer, begun, deciding, get

HORSES = (Expansion.EXPANSION_HORSES_AND_STAGECOACH,)
MARSHAL = (Expansion.EXPANSION_MARSHAL_AND_PRISONERS,)

GAMES = [
    (Variant.VARIANT_STANDARD, (), ("DOC", "GHOST", "BELLE", "TUCO"), 1),
    (Variant.VARIANT_STANDARD, (), ("DOC", "GHOST", "BELLE", "TUCO"), 2),
    (Variant.VARIANT_EXPERT, (), ("DJANGO", "GHOST", "CHEYENNE"), 3),
    (Variant.VARIANT_EXPERT, (), ("TUCO+CHEYENNE", "DJANGO+DOC"), 4),
    (Variant.VARIANT_TEAMS, (), ("DOC", "GHOST", "BELLE", "TUCO"), 5),
    (Variant.VARIANT_STANDARD, HORSES, ("DOC", "GHOST", "BELLE", "TUCO"), 6),
    (Variant.VARIANT_EXPERT, HORSES, ("DJANGO", "GHOST", "CHEYENNE"), 7),
    (Variant.VARIANT_EXPERT, HORSES, ("TUCO+CHEYENNE", "DJANGO+DOC"), 8),
    (Variant.VARIANT_TEAMS, HORSES, ("DOC", "GHOST", "BELLE", "TUCO"), 9),
    (Variant.VARIANT_STANDARD, MARSHAL, ("MARSHAL", "GHOST", "MEI", "TUCO"), 10),
    (Variant.VARIANT_EXPERT, MARSHAL, ("MARSHAL", "DJANGO", "CHEYENNE"), 11),
    (Variant.VARIANT_STANDARD, (*HORSES, *MARSHAL), ("", "DOC", "BELLE", "TUCO"), 12),
]


class Spectator:
    """One who watches through the eyes of a seat, or nobody's."""

    def __init__(self, service: Service, table: Table, seat: int | None) -> None:
        self._service = service
        self._table = table
        self._seat = seat
        self._stream = service.games.WatchGame(
            pb.WatchGameRequest(name=table.name), metadata=table.as_seat(seat)
        )
        self.commits: list[event_pb2.Commit] = []

    async def first(self) -> None:
        """Reads the game as it is."""
        message = await self._stream.read()
        assert message.WhichOneof("message") == "game"
        assert message.game == await self._look()
        self.account = Account(message.game)

    async def next(self) -> None:
        """Reads the next commit, and compares what it makes of the game with the game."""
        message = await self._stream.read()
        assert message.WhichOneof("message") == "commit"
        self.commits.append(message.commit)
        self.account.add(message.commit)
        game = await self._look()
        assert game.cursor == message.commit.cursor
        self.account.check(game)

    async def last(self) -> None:
        """Reads that the game is over."""
        message = await self._stream.read()
        assert message.end.reason == pb.EndOfStream.REASON_GAME_OVER
        assert await self._stream.read() is grpc.aio.EOF

    async def _look(self) -> game_pb2.Game:
        return await get(self._service, self._table, self._seat)


@pytest.mark.parametrize(("variant", "expansions", "bandits", "seed"), GAMES)
async def test_every_viewer_can_follow_the_game_by_its_commits_alone(
    service: Service,
    variant: Variant.ValueType,
    expansions: tuple[Expansion.ValueType, ...],
    bandits: tuple[str, ...],
    seed: int,
) -> None:
    table = await begun(service, bandits, variant=variant, expansions=expansions)
    viewers = (*range(len(bandits)), None)
    spectators = [Spectator(service, table, seat) for seat in viewers]
    await asyncio.gather(*(spectator.first() for spectator in spectators))
    chance = random.Random(seed)
    while (decision := await deciding(service, table)) is not None:
        commit = await answer(service, table, decision, chance)
        await asyncio.gather(*(spectator.next() for spectator in spectators))
        assert commit == spectators[decision.seat].commits[-1]
    await asyncio.gather(*(spectator.last() for spectator in spectators))
    game = await get(service, table)
    assert game.state == game_pb2.Game.STATE_FINISHED
    assert len(game.table.round_cards) == 5
    for spectator in spectators:
        ended = spectator.account.result
        assert ended is not None
        assert list(ended.scores) == [seat.score for seat in game.result.seats]
        assert list(ended.winners) == list(game.result.winners)
        assert ended.seed == game.fairness.seed == SEED
        assert hashlib.sha256(ended.seed).digest() == game.fairness.seed_hash
        history = await service.games.ListEvents(
            pb.ListEventsRequest(parent=table.name, page_size=1000),
            metadata=table.as_seat(spectator.account.viewer),
        )
        assert list(history.commits)[-len(spectator.commits) :] == spectator.commits
