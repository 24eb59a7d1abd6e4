"""Refused and malformed calls over sockets: errors name what is wrong, nothing has changed."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest
import redis
from google.protobuf import message_factory

from coltexpress.v1 import action_pb2, game_pb2, game_service_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1.decision_pb2 import Decision
from tests.api.conftest import Start
from tests.api.tables import (
    Refusal,
    Service,
    Table,
    bearer,
    begun,
    deciding,
    digest,
    get,
    join,
    lobby,
    new_id,
    play,
    refusal,
    submit,
)

METHODS = {
    method.name: message_factory.GetMessageClass(method.input_type)
    for method in game_service_pb2.DESCRIPTOR.services_by_name["GameService"].methods
}
NOBODYS = "games/" + "0" * 2 + "a" * 24
BANDITS = ("DOC", "GHOST", "BELLE", "TUCO")


def call(service: Service, method: str, request: Any, **how: Any) -> Awaitable[object]:
    """Calls any method; of a stream, reads the first message."""
    made = getattr(service.games, method)(request, **how)
    return made.read() if method == "WatchGame" else made  # type: ignore[no-any-return]


@pytest.mark.parametrize("method", [name for name in METHODS if name != "ListGames"])
async def test_an_empty_request_is_refused_by_the_field_that_is_missing(
    service: Service, behind: redis.Redis, method: str
) -> None:
    before = digest(behind)
    found = await refusal(call(service, method, METHODS[method]()))
    assert found.code is grpc.StatusCode.INVALID_ARGUMENT
    assert found.reason == "INVALID_FIELD"
    assert found.details["field"] in {"name", "parent", "game", "join_code"}
    assert digest(behind) == before


@pytest.mark.parametrize("method", METHODS)
async def test_an_unknown_api_key_is_refused_by_every_method(service: Service, method: str) -> None:
    metadata = (("x-api-key", "unknown"),)
    found = await refusal(call(service, method, METHODS[method](), metadata=metadata))
    assert found.code is grpc.StatusCode.UNAUTHENTICATED
    assert found.reason == "UNKNOWN_API_KEY"


async def test_an_api_key_that_is_known_is_accepted(start: Start) -> None:
    api_keys = {"ann": hashlib.sha256(b"key").hexdigest()}
    async with start(api_keys=api_keys) as service:
        await service.games.ListGames(pb.ListGamesRequest(), metadata=(("x-api-key", "key"),))


@pytest.mark.parametrize(
    "method", [name for name in METHODS if "name" in METHODS[name].DESCRIPTOR.fields_by_name]
)
async def test_a_game_that_is_none_is_not_found(service: Service, method: str) -> None:
    request: Any = METHODS[method](name=NOBODYS)
    if hasattr(request, "request_id"):
        request.request_id = new_id()
    if method == "SubmitAction":
        request.decision_id, request.option_id = "0.0.0000000000000000", "draw"
    if method == "AddBot":
        request.level = "RANDOM"
    if method == "RemovePlayer":
        request.seat = 0
    found = await refusal(call(service, method, request, metadata=bearer("seat_x")))
    assert (found.code, found.reason) == (grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND")


# --- creating


def creation(**game: Any) -> pb.CreateGameRequest:
    return pb.CreateGameRequest(game=game_pb2.Game(**game), request_id=new_id())


def seats(*figures: list[str]) -> list[game_pb2.Seat]:
    return [game_pb2.Seat(figures=names) for names in figures]


@pytest.mark.parametrize(
    ("game", "field"),
    [
        ({}, "game.seats"),
        ({"seats": seats([], [])}, "game.seats"),
        ({"seats": seats(*[[]] * 7)}, "game.seats"),
        ({"seats": seats([], ["ZORRO"], [])}, "game.seats[1].figures"),
        ({"seats": seats(["DOC"], [], ["DOC"])}, "game.seats[2].figures"),
        ({"seats": seats(["DOC", "TUCO"], [], [])}, "game.seats[0].figures"),
        (
            {"seats": seats([], [], []), "options": game_pb2.GameOptions(cars=["A"])},
            "game.options.cars",
        ),
        (
            {"seats": seats([], [], []), "options": game_pb2.GameOptions(cars=["A", "B", "X"])},
            "game.options.cars[2]",
        ),
    ],
)
async def test_a_game_that_cannot_be_is_not_created(
    service: Service, behind: redis.Redis, game: dict[str, Any], field: str
) -> None:
    before = digest(behind)
    found = await refusal(service.games.CreateGame(creation(**game)))
    assert (found.code, found.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_OPTIONS")
    assert found.details["field"] == field
    assert digest(behind) == before


async def test_a_seed_is_refused_where_that_is_not_allowed(start: Start) -> None:
    request = creation(seats=seats([], [], []))
    request.seed = bytes(32)
    async with start(allow_fixed_seed=False) as service:
        found = await refusal(service.games.CreateGame(request))
    assert (found.code, found.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SEED_NOT_ALLOWED")


# --- the lobby

Case = Callable[[Service, Table], Awaitable[object]]


def joining(table: Table, **other: Any) -> pb.JoinGameRequest:
    return pb.JoinGameRequest(name=table.name, request_id=new_id(), **other)


def leaving(table: Table) -> pb.LeaveGameRequest:
    return pb.LeaveGameRequest(name=table.name, request_id=new_id())


def starting(table: Table) -> pb.StartGameRequest:
    return pb.StartGameRequest(name=table.name, request_id=new_id())


def deleting(table: Table) -> pb.DeleteGameRequest:
    return pb.DeleteGameRequest(name=table.name, request_id=new_id())


def adding_bot(table: Table, **other: Any) -> pb.AddBotRequest:
    return pb.AddBotRequest(name=table.name, level="RANDOM", request_id=new_id(), **other)


def removing(table: Table) -> pb.RemovePlayerRequest:
    return pb.RemovePlayerRequest(name=table.name, seat=0, request_id=new_id())


def setting_auto_play(table: Table) -> pb.SetAutoPlayRequest:
    return pb.SetAutoPlayRequest(name=table.name, level="RANDOM", request_id=new_id())


LOBBY: list[tuple[Case, grpc.StatusCode, str, dict[str, str]]] = [
    (
        lambda service, table: service.games.JoinGame(joining(table, seat=0)),
        grpc.StatusCode.FAILED_PRECONDITION,
        "SEAT_TAKEN",
        {"field": "seat"},
    ),
    (
        lambda service, table: service.games.JoinGame(joining(table, seat=4)),
        grpc.StatusCode.INVALID_ARGUMENT,
        "INVALID_FIELD",
        {"field": "seat"},
    ),
    (
        lambda service, table: service.games.JoinGame(joining(table, figures=["ZORRO"])),
        grpc.StatusCode.INVALID_ARGUMENT,
        "INVALID_FIELD",
        {"field": "figures[0]"},
    ),
    (
        lambda service, table: service.games.JoinGame(joining(table, figures=["DOC"])),
        grpc.StatusCode.FAILED_PRECONDITION,
        "FIGURE_TAKEN",
        {"field": "figures[0]"},
    ),
    (
        lambda service, table: service.games.LeaveGame(leaving(table)),
        grpc.StatusCode.UNAUTHENTICATED,
        "TOKEN_MISSING",
        {},
    ),
    (
        lambda service, table: service.games.LeaveGame(leaving(table), metadata=table.as_host),
        grpc.StatusCode.PERMISSION_DENIED,
        "WRONG_ROLE",
        {},
    ),
    (
        lambda service, table: service.games.AddBot(adding_bot(table), metadata=table.as_seat(0)),
        grpc.StatusCode.PERMISSION_DENIED,
        "WRONG_ROLE",
        {},
    ),
    (
        lambda service, table: service.games.AddBot(
            adding_bot(table, seat=0), metadata=table.as_host
        ),
        grpc.StatusCode.FAILED_PRECONDITION,
        "SEAT_TAKEN",
        {"field": "seat"},
    ),
    (
        lambda service, table: service.games.AddBot(
            adding_bot(table, figures=["DOC"]), metadata=table.as_host
        ),
        grpc.StatusCode.FAILED_PRECONDITION,
        "FIGURE_TAKEN",
        {"field": "figures[0]"},
    ),
    (
        lambda service, table: service.games.SetAutoPlay(
            setting_auto_play(table), metadata=table.as_seat(0)
        ),
        grpc.StatusCode.FAILED_PRECONDITION,
        "GAME_NOT_STARTED",
        {},
    ),
    (
        lambda service, table: service.games.StartGame(starting(table)),
        grpc.StatusCode.UNAUTHENTICATED,
        "TOKEN_MISSING",
        {},
    ),
    (
        lambda service, table: service.games.StartGame(starting(table), metadata=table.as_seat(0)),
        grpc.StatusCode.PERMISSION_DENIED,
        "WRONG_ROLE",
        {},
    ),
    (
        lambda service, table: service.games.StartGame(starting(table), metadata=table.as_host),
        grpc.StatusCode.FAILED_PRECONDITION,
        "SEATS_FREE",
        {},
    ),
    (
        lambda service, table: service.games.DeleteGame(deleting(table), metadata=table.as_seat(0)),
        grpc.StatusCode.PERMISSION_DENIED,
        "WRONG_ROLE",
        {},
    ),
    (
        lambda service, table: service.games.GetReplay(pb.GetReplayRequest(name=table.name)),
        grpc.StatusCode.FAILED_PRECONDITION,
        "GAME_NOT_OVER",
        {},
    ),
    (
        lambda service, table: service.games.SubmitAction(
            pb.SubmitActionRequest(
                name=table.name,
                decision_id="0.0.0000000000000000",
                option_id="draw",
                request_id=new_id(),
            ),
            metadata=table.as_seat(0),
        ),
        grpc.StatusCode.FAILED_PRECONDITION,
        "GAME_NOT_STARTED",
        {},
    ),
    (
        lambda service, table: service.games.GetGame(
            pb.GetGameRequest(name=table.name), metadata=bearer("seat_nobodys")
        ),
        grpc.StatusCode.UNAUTHENTICATED,
        "TOKEN_MISSING",
        {},
    ),
    (
        lambda service, table: service.games.GetGame(
            pb.GetGameRequest(name=table.name, wait_for_version=-1)
        ),
        grpc.StatusCode.INVALID_ARGUMENT,
        "INVALID_FIELD",
        {"field": "wait_for_version"},
    ),
    (
        lambda service, table: service.games.ListEvents(
            pb.ListEventsRequest(parent=table.name, page_token="x")
        ),
        grpc.StatusCode.INVALID_ARGUMENT,
        "INVALID_FIELD",
        {"field": "page_token"},
    ),
    (
        lambda service, table: service.games.ListEvents(
            pb.ListEventsRequest(parent=table.name, page_size=-1)
        ),
        grpc.StatusCode.INVALID_ARGUMENT,
        "INVALID_FIELD",
        {"field": "page_size"},
    ),
    (
        lambda service, table: service.games.ListGames(pb.ListGamesRequest(page_token="x")),
        grpc.StatusCode.INVALID_ARGUMENT,
        "INVALID_FIELD",
        {"field": "page_token"},
    ),
    (
        lambda service, table: service.games.WatchGame(
            pb.WatchGameRequest(name=table.name, cursor="x")
        ).read(),
        grpc.StatusCode.INVALID_ARGUMENT,
        "INVALID_FIELD",
        {"field": "cursor"},
    ),
]


@pytest.mark.parametrize("number", range(len(LOBBY)))
async def test_what_a_lobby_refuses(service: Service, behind: redis.Redis, number: int) -> None:
    make, code, reason, details = LOBBY[number]
    table = await lobby(service, BANDITS)
    await join(service, table)
    before = digest(behind)
    found = await refusal(make(service, table))
    assert (found.code, found.reason) == (code, reason)
    assert details.items() <= found.details.items()
    assert found.message
    assert digest(behind) == before


async def test_a_full_table_takes_nobody(service: Service) -> None:
    table = await lobby(service, BANDITS)
    for _ in BANDITS:
        await join(service, table)
    found = await refusal(service.games.JoinGame(joining(table)))
    assert (found.code, found.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NO_SEAT_FREE")


async def test_a_private_game_does_not_exist_for_others(service: Service) -> None:
    table = await lobby(service, visibility=game_pb2.VISIBILITY_PRIVATE)
    assert table.join_code

    async def outcome(request: Any, method: str, **how: Any) -> Refusal:
        found = await refusal(call(service, method, request, **how))
        assert found.details.pop("game") == request.name
        return found

    missing = await outcome(pb.GetGameRequest(name=NOBODYS), "GetGame")
    for metadata in ((), bearer("seat_nobodys")):
        for request in (
            pb.GetGameRequest(name=table.name),
            pb.WatchGameRequest(name=table.name),
            joining(table),
            joining(table, join_code="wrong"),
        ):
            method = type(request).__name__.removesuffix("Request")
            assert await outcome(request, method, metadata=metadata) == missing
    assert table.name not in [game.name for game in await listed(service)]
    await join(service, table)
    assert (await get(service, table, 0)).viewer == 0


async def listed(service: Service) -> list[game_pb2.Game]:
    return list((await service.games.ListGames(pb.ListGamesRequest())).games)


# --- playing


@pytest.fixture
async def playing(service: Service) -> tuple[Table, Decision]:
    """A game that has just begun, and its first decision."""
    table = await begun(service, BANDITS)
    decision = await deciding(service, table)
    assert decision is not None
    return table, decision


def submission(table: Table, decision: Decision, **other: Any) -> pb.SubmitActionRequest:
    return pb.SubmitActionRequest(
        name=table.name, decision_id=decision.id, request_id=new_id(), **other
    )


async def test_what_a_running_game_refuses(
    service: Service, behind: redis.Redis, playing: tuple[Table, Decision]
) -> None:
    table, decision = playing
    own = table.as_seat(decision.seat)
    other = table.as_seat((decision.seat + 1) % len(BANDITS))
    draw = submission(table, decision, option_id="draw")
    started, role = grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.PERMISSION_DENIED
    closed = pb.SubmitActionRequest(
        name=table.name, decision_id="77.0.0000000000000000", option_id="draw", request_id=new_id()
    )
    before = digest(behind)
    for request, metadata, code, reason in [
        (joining(table), (), started, "GAME_ALREADY_STARTED"),
        (adding_bot(table), table.as_host, started, "GAME_ALREADY_STARTED"),
        (removing(table), table.as_host, started, "GAME_ALREADY_STARTED"),
        (setting_auto_play(table), table.as_host, role, "WRONG_ROLE"),
        (setting_auto_play(table), (), grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"),
        (starting(table), table.as_host, started, "GAME_ALREADY_STARTED"),
        (draw, (), grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"),
        (draw, table.as_host, role, "WRONG_ROLE"),
        (draw, other, started, "NOT_YOUR_DECISION"),
        (closed, own, grpc.StatusCode.ABORTED, "DECISION_CLOSED"),
        (
            submission(table, decision, option_id="dance"),
            own,
            grpc.StatusCode.INVALID_ARGUMENT,
            "UNKNOWN_OPTION",
        ),
    ]:
        method = type(request).__name__.removesuffix("Request")
        found = await refusal(call(service, method, request, metadata=metadata))
        assert (found.code, found.reason) == (code, reason)
    assert digest(behind) == before


async def test_an_illegal_choice_is_refused_by_its_rule_in_either_form(
    service: Service, behind: redis.Redis, playing: tuple[Table, Decision]
) -> None:
    table, decision = playing
    before = digest(behind)
    move = action_pb2.Action(move=action_pb2.Move(space="1.inside"))
    for answer in ({"option_id": "move:1.inside"}, {"action": move}):
        found = await refusal(
            service.games.SubmitAction(
                submission(table, decision, **answer), metadata=table.as_seat(decision.seat)
            )
        )
        assert found.code is grpc.StatusCode.FAILED_PRECONDITION
        assert (found.reason, found.details["rule"]) == ("WRONG_CHOICE", "1.5.2")
    assert digest(behind) == before


async def test_every_option_is_accepted_as_the_action_it_carries(
    service: Service, playing: tuple[Table, Decision]
) -> None:
    table, decision = playing
    request = submission(table, decision, action=decision.options[0].action)
    answer = await service.games.SubmitAction(request, metadata=table.as_seat(decision.seat))
    assert answer.commit.version == (await get(service, table)).version


async def test_a_request_id_is_good_for_one_request(
    service: Service, behind: redis.Redis, playing: tuple[Table, Decision]
) -> None:
    table, decision = playing
    request_id = new_id()
    [first, second, *_] = decision.options
    commit = await submit(service, table, decision, first.option_id, request_id)
    before = digest(behind)
    assert await submit(service, table, decision, first.option_id, request_id) == commit
    found = await refusal(submit(service, table, decision, second.option_id, request_id))
    assert (found.code, found.reason) == (grpc.StatusCode.ABORTED, "REQUEST_ID_REUSED")
    assert request_id not in found.message
    assert digest(behind) == before


async def test_a_finished_game_takes_no_choice(service: Service) -> None:
    table = await begun(service, BANDITS[:3])
    await play(service, table)
    for decision_id, code, reason in (
        ("0.0.0000000000000000", grpc.StatusCode.ABORTED, "DECISION_CLOSED"),
        ("9999.0.0000000000000000", grpc.StatusCode.FAILED_PRECONDITION, "GAME_OVER"),
    ):
        request = pb.SubmitActionRequest(
            name=table.name, decision_id=decision_id, option_id="draw", request_id=new_id()
        )
        found = await refusal(service.games.SubmitAction(request, metadata=table.as_seat(0)))
        assert (found.code, found.reason) == (code, reason)
    replay = await service.games.GetReplay(pb.GetReplayRequest(name=table.name))
    assert replay.name == table.name
    assert replay.document.startswith("{")


async def test_a_request_that_is_too_large_is_refused(
    service: Service, behind: redis.Redis
) -> None:
    before = digest(behind)
    request = pb.GetGameRequest(name="x" * 100_000)
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await service.games.GetGame(request)
    assert raised.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert digest(behind) == before


async def test_no_error_repeats_a_long_text(service: Service) -> None:
    long = "x" * 60_000
    for method, message in METHODS.items():
        for field in message.DESCRIPTOR.fields:
            if field.cpp_type == field.CPPTYPE_STRING and not field.is_repeated:
                request = message()
                setattr(
                    request, field.name, long if field.type == field.TYPE_STRING else long.encode()
                )
                found = call(service, method, request)
                with pytest.raises(grpc.aio.AioRpcError) as raised:
                    await found
                assert raised.value.code() is grpc.StatusCode.INVALID_ARGUMENT
                assert len(raised.value.details() or "") < 200


async def test_a_call_whose_time_is_up_ends_at_once(service: Service) -> None:
    table = await lobby(service)
    request = pb.GetGameRequest(name=table.name, wait_for_version=99)
    async with asyncio.timeout(5):
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await service.games.GetGame(request, timeout=0.05)
    assert raised.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
