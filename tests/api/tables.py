"""Tables with games on them, played by calls over a channel."""

from __future__ import annotations

import hashlib
import random
import uuid
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest
import redis
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from coltexpress.v1 import (
    admin_service_pb2_grpc,
    catalog_service_pb2_grpc,
    event_pb2,
    game_pb2,
    game_service_pb2_grpc,
    seat_service_pb2_grpc,
    server_service_pb2_grpc,
)
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1.action_pb2 import Action, KeepCards
from coltexpress.v1.decision_pb2 import Decision
from coltexpress.v1.vocabulary_pb2 import Expansion, Variant

SEED = bytes(range(32))

Metadata = tuple[tuple[str, str], ...]


def new_id() -> str:
    return str(uuid.uuid4())


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


class Service:
    """The stubs of one channel to the server at an address; http: the URL of its other port."""

    def __init__(self, channel: grpc.aio.Channel, address: str, http: str = "") -> None:
        self.channel = channel
        self.address = address
        self.http = http
        # The generated constructors have no annotations.
        self.admin: Any = admin_service_pb2_grpc.AdminServiceStub(channel)
        self.catalog: Any = catalog_service_pb2_grpc.CatalogServiceStub(channel)
        self.games: Any = game_service_pb2_grpc.GameServiceStub(channel)
        self.seats: Any = seat_service_pb2_grpc.SeatServiceStub(channel)
        self.server: Any = server_service_pb2_grpc.ServerServiceStub(channel)


@dataclass
class Table:
    """A game, and the tokens of those who have a part in it, by seat."""

    name: str
    host_token: str
    join_code: str = ""
    tokens: list[str] = field(default_factory=list)

    def as_seat(self, seat: int | None) -> tuple[tuple[str, str], ...]:
        """The metadata of a seat's calls, or of a spectator's."""
        return () if seat is None else bearer(self.tokens[seat])

    @property
    def as_host(self) -> tuple[tuple[str, str], ...]:
        return bearer(self.host_token)


async def lobby(
    service: Service,
    bandits: Sequence[str] = ("DOC", "GHOST", "BELLE", "TUCO"),
    *,
    seed: bytes = SEED,
    visibility: game_pb2.Visibility.ValueType = game_pb2.VISIBILITY_PUBLIC,
    variant: Variant.ValueType = Variant.VARIANT_STANDARD,
    expansions: Sequence[Expansion.ValueType] = (),
    clock: game_pb2.Clock | None = None,
    stand_in: str = "",
) -> Table:
    """A game, all its seats free; bandits: for each seat, joined by + where there are several."""
    created = await service.games.CreateGame(
        pb.CreateGameRequest(
            game=game_pb2.Game(
                visibility=visibility,
                options=game_pb2.GameOptions(variant=variant, expansions=expansions),
                seats=[
                    game_pb2.Seat(figures=names.split("+") if names else ()) for names in bandits
                ],
                clock=clock,
                stand_in=stand_in,
            ),
            seed=seed,
            request_id=new_id(),
        )
    )
    return Table(created.game.name, created.host_token, created.game.join_code)


async def join(service: Service, table: Table, metadata: Metadata = ()) -> str:
    """Takes the next seat; returns its token. metadata: an API key, for one."""
    joined = await service.games.JoinGame(
        pb.JoinGameRequest(name=table.name, request_id=new_id(), join_code=table.join_code),
        metadata=metadata,
    )
    assert joined.seat == len(table.tokens)
    table.tokens.append(joined.seat_token)
    return str(joined.seat_token)


async def begun(
    service: Service,
    bandits: Sequence[str] = ("DOC", "GHOST", "BELLE", "TUCO"),
    metadata: Metadata = (),
    **how: Any,
) -> Table:
    """A game that has just begun; metadata: what all its players come with."""
    table = await lobby(service, bandits, **how)
    for _ in bandits:
        await join(service, table, metadata)
    await service.games.StartGame(
        pb.StartGameRequest(name=table.name, request_id=new_id()), metadata=table.as_host
    )
    return table


async def get(service: Service, table: Table, seat: int | None = None, **how: Any) -> game_pb2.Game:
    """The game as a seat, or a spectator, sees it."""
    game: game_pb2.Game = await service.games.GetGame(
        pb.GetGameRequest(name=table.name, **how), metadata=table.as_seat(seat)
    )
    return game


async def submit(
    service: Service, table: Table, decision: Decision, option_id: str, request_id: str = ""
) -> event_pb2.Commit:
    """Answers a decision of the seat that it is put to."""
    answer = await service.games.SubmitAction(
        pb.SubmitActionRequest(
            name=table.name,
            decision_id=decision.id,
            option_id=option_id,
            request_id=request_id or new_id(),
        ),
        metadata=table.as_seat(decision.seat),
    )
    commit: event_pb2.Commit = answer.commit
    return commit


async def answer(
    service: Service, table: Table, decision: Decision, chance: random.Random
) -> event_pb2.Commit:
    """Answers a decision at random, with any part of a set where one is asked for."""
    if not decision.HasField("set"):
        return await submit(service, table, decision, chance.choice(decision.options).option_id)
    kept = [card for card in decision.set.cards if chance.random() < 0.5][: decision.set.most]
    answered = await service.games.SubmitAction(
        pb.SubmitActionRequest(
            name=table.name,
            decision_id=decision.id,
            action=Action(keep_cards=KeepCards(cards=kept)),
            request_id=new_id(),
        ),
        metadata=table.as_seat(decision.seat),
    )
    commit: event_pb2.Commit = answered.commit
    return commit


async def deciding(service: Service, table: Table) -> Decision | None:
    """The open decision, with its options; None when the game is over."""
    for open_one in (await get(service, table, 0)).decisions:
        game = await get(service, table, open_one.seat)
        return next(found for found in game.decisions if found.seat == open_one.seat)
    return None


async def play(service: Service, table: Table, choices: int = 1_000_000, seed: int = 1) -> int:
    """Plays so many random choices, or to the end; returns how many were made."""
    chance = random.Random(seed)
    for made in range(choices):
        decision = await deciding(service, table)
        if decision is None:
            return made
        await submit(service, table, decision, chance.choice(decision.options).option_id)
    return choices


@dataclass
class Refusal:
    """What a refused call was answered with."""

    code: grpc.StatusCode
    reason: str
    details: dict[str, str]
    message: str


async def refusal(call: Awaitable[object]) -> Refusal:
    """Expects a call to be refused."""
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await call
    return refusal_in(raised.value)


def refusal_in(error: grpc.aio.AioRpcError) -> Refusal:
    """What an error says: in the status, and in its details, which must agree."""
    metadata = dict(error.trailing_metadata())
    data = metadata["grpc-status-details-bin"]
    assert isinstance(data, bytes)
    status = Status.FromString(data)
    info = ErrorInfo()
    assert status.details[0].Unpack(info)
    assert (status.code, status.message) == (error.code().value[0], error.details())
    return Refusal(error.code(), info.reason, dict(info.metadata), status.message)


def digest(behind: redis.Redis) -> str:
    """Tells contents of the store apart, but for what is only counted against a limit."""
    found: Any = behind.keys()  # redis-py's annotations leave open whether this is to be awaited
    keys = [key for key in found if not key.startswith(b"coltexpress:counted:")]
    return hashlib.sha256(
        b"".join(repr((key, behind.dump(key))).encode() for key in sorted(keys))
    ).hexdigest()
