"""What holds however often, and to whichever of two processes on one store, a request is sent.

It is carried out once and answered the same way. Of many that exclude each other one succeeds.
Nothing is refused for what a process remembers of a game.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
import redis
from google.protobuf.message import Message

from coltexpress import ColtExpressError
from coltexpress.v1 import event_pb2, game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.conformance.proxy import Proxy
from coltexpress_server.store import EmbeddedValkey
from tests.api.tables import (
    SEED,
    Service,
    Table,
    bearer,
    begun,
    deciding,
    get,
    join,
    lobby,
    new_id,
    play,
    submit,
)
from tests.promises.conftest import Pair
from tests.promises.moves import BANDITS, STARTED, commit_in, history, open_decision, submission
from tests.promises.replicas import Metadata, answer, at_once, client_of, on_store, refusal, success

Services = tuple[Service, Service]

TEN = 10


def parted(
    outcomes: list[bytes | ColtExpressError],
) -> tuple[list[bytes], list[ColtExpressError]]:
    """Successes, and refusals."""
    return (
        [outcome for outcome in outcomes if isinstance(outcome, bytes)],
        [outcome for outcome in outcomes if isinstance(outcome, ColtExpressError)],
    )


# Ten at once


async def test_a_move_sent_ten_times_at_once_is_made_once(services: Services) -> None:
    table = await begun(services[0], BANDITS)
    chance = random.Random(1)
    version = STARTED
    started = time.perf_counter()
    while decision := await deciding(services[version % 2], table):
        request = submission(table, decision, chance.choice(decision.options).option_id)
        answers = await at_once(
            services, "SubmitAction", [request] * TEN, table.as_seat(decision.seat)
        )
        first, *others = answers
        assert isinstance(first, bytes), first
        assert others == [first] * (TEN - 1)
        version += 1
        assert commit_in(first).version == version
    moves = version - STARTED
    per_s = TEN * moves / (time.perf_counter() - started)
    print(f"\n{moves} moves, each sent {TEN} times to two processes: {per_s:.0f} calls/s")
    versions = [
        event_pb2.Commit.FromString(data).version for data in await history(services[1], table)
    ]
    assert versions == list(range(1, version + 1))


async def test_of_ten_moves_at_once_one_is_made(services: Services) -> None:
    table = await begun(services[0], BANDITS)
    chance = random.Random(2)
    version = STARTED
    while decision := await deciding(services[version % 2], table):
        requests = [
            submission(table, decision, chance.choice(decision.options).option_id)
            for _ in range(TEN)
        ]
        outcomes = await at_once(services, "SubmitAction", requests, table.as_seat(decision.seat))
        made, refused = parted(outcomes)
        assert len(made) == 1
        version += 1
        commit = commit_in(made[0])
        assert commit.version == version
        assert {(error.code, error.reason) for error in refused} == {
            (grpc.StatusCode.ABORTED, "DECISION_CLOSED")
        }
        assert (await history(services[version % 2], table, decision.seat))[-1] == (
            commit.SerializeToString()
        )
    assert len(await history(services[0], table)) == version


async def test_ten_equal_requests_of_each_kind_are_one(
    services: Services, behind: redis.Redis
) -> None:
    async def ten(method: str, request: Message, metadata: Metadata = ()) -> bytes:
        answers = await at_once(services, method, [request] * TEN, metadata)
        first, *others = answers
        assert isinstance(first, bytes), first
        assert others == [first] * (TEN - 1)
        return first

    create = pb.CreateGameRequest(
        game=game_pb2.Game(
            visibility=game_pb2.VISIBILITY_PRIVATE, seats=[game_pb2.Seat() for _ in BANDITS]
        ),
        request_id=new_id(),
    )
    created = pb.CreateGameResponse.FromString(await ten("CreateGame", create))
    name, host = created.game.name, bearer(created.host_token)
    assert len(behind.keys("coltexpress:*:game:*")) == 1
    joins = [
        pb.JoinGameRequest(name=name, join_code=created.game.join_code, request_id=new_id())
        for _ in range(4)
    ]
    first = pb.JoinGameResponse.FromString(await ten("JoinGame", joins[0]))
    assert [seat.taken for seat in first.game.seats] == [True, False, False]

    # Asked again, the game is told as it is by then; what the first answer gave is given again.
    for service in services:
        again = pb.CreateGameResponse.FromString(await success(service, "CreateGame", create))
        assert (again.host_token, again.game.join_code) == (
            created.host_token,
            created.game.join_code,
        )
        assert (again.game.name, again.game.version) == (name, 2)

    await ten(
        "LeaveGame", pb.LeaveGameRequest(name=name, request_id=new_id()), bearer(first.seat_token)
    )
    for number, request in enumerate(joins[1:]):
        seat = pb.JoinGameResponse.FromString(await ten("JoinGame", request))
        assert seat.seat == number
    start = pb.StartGameRequest(name=name, request_id=new_id())
    game = game_pb2.Game.FromString(await ten("StartGame", start, host))
    assert game.state == game_pb2.Game.STATE_RUNNING
    assert game.version == 1 + 1 + 1 + 3 + 1
    for service in services:
        for request in joins[1:]:
            again_there = pb.JoinGameResponse.FromString(
                await success(service, "JoinGame", request)
            )
            assert again_there.game.table.hands[again_there.seat].hand
        await success(service, "StartGame", start, host)
    delete = pb.DeleteGameRequest(name=name, request_id=new_id())
    await ten("DeleteGame", delete, host)
    assert behind.keys("coltexpress:*:game:*") == []
    for service in services:
        await success(service, "DeleteGame", delete, host)
        # What is deleted does not come back by an old request.
        assert (await refusal(service, "CreateGame", create)).reason == "GAME_NOT_FOUND"


async def test_of_ten_different_requests_of_each_kind_one_succeeds(services: Services) -> None:
    table = await lobby(services[0], BANDITS)

    async def ten(
        method: str, make: Callable[..., Message], metadata: Metadata = (), **fields: int
    ) -> tuple[list[bytes], set[str]]:
        requests = [make(name=table.name, request_id=new_id(), **fields) for _ in range(TEN)]
        made, refused = parted(await at_once(services, method, requests, metadata))
        return made, {error.reason for error in refused}

    made, reasons = await ten("JoinGame", pb.JoinGameRequest, seat=1)
    assert (len(made), reasons) == (1, {"SEAT_TAKEN"})
    token = pb.JoinGameResponse.FromString(made[0]).seat_token
    made, reasons = await ten("LeaveGame", pb.LeaveGameRequest, bearer(token))
    assert (len(made), reasons) == (1, {"TOKEN_MISSING"})
    made, reasons = await ten("JoinGame", pb.JoinGameRequest)
    seats = sorted(pb.JoinGameResponse.FromString(data).seat for data in made)
    assert (seats, reasons) == ([0, 1, 2], {"NO_SEAT_FREE"})
    made, reasons = await ten("StartGame", pb.StartGameRequest, table.as_host)
    assert (len(made), reasons) == (1, {"GAME_ALREADY_STARTED"})
    made, reasons = await ten("DeleteGame", pb.DeleteGameRequest, table.as_host)
    assert (len(made), reasons) == (1, {"GAME_NOT_FOUND"})


# Replies that are lost


@pytest.mark.parametrize("since", ["nothing", "another seat's move", "the end of the game"])
async def test_a_lost_reply_is_given_by_the_other_process(
    pair: Pair, services: Services, since: str
) -> None:
    table = await begun(services[0], BANDITS)
    decision = await open_decision(services[0], table)
    request, metadata = submission(table, decision), table.as_seat(decision.seat)
    await lose_reply(pair[0].address, table, request, metadata)
    match since:
        case "another seat's move":
            other = await open_decision(services[1], table)
            assert other.seat != decision.seat
            await submit(services[1], table, other, other.options[0].option_id)
        case "the end of the game":
            await play(services[0], table)
    version = (await get(services[1], table)).version
    for service in (services[1], services[0]):
        again = commit_in(await success(service, "SubmitAction", request, metadata))
        seen = (await history(service, table, decision.seat))[STARTED]
        assert again.SerializeToString() == seen
        assert [found.seat for found in again.decisions if found.options] in ([], [decision.seat])
    assert (await get(services[1], table)).version == version


async def test_a_lost_reply_is_given_after_both_processes_were_restarted(tmp_path: Path) -> None:
    async with EmbeddedValkey(tmp_path / "store", appendfsync="no") as valkey:
        with (
            on_store(valkey.url, tmp_path / "first") as first,
            on_store(valkey.url, tmp_path / "second") as second,
        ):
            async with client_of(first.address) as one, client_of(second.address) as two:
                table = await begun(one, BANDITS)
                decision = await open_decision(one, table)
                request, metadata = submission(table, decision), table.as_seat(decision.seat)
                await lose_reply(first.address, table, request, metadata)
                other = await open_decision(two, table)
                await submit(two, table, other, other.options[0].option_id)
                seen = (await history(two, table, decision.seat))[STARTED]
            await asyncio.gather(
                *(asyncio.to_thread(end) for end in (first.stop, second.kill)),
            )
            await asyncio.gather(*(asyncio.to_thread(each.start) for each in (first, second)))
            async with client_of(first.address) as one, client_of(second.address) as two:
                for service in (two, one):
                    again = await success(service, "SubmitAction", request, metadata)
                    assert commit_in(again).SerializeToString() == seen
                assert (await get(one, table)).version == STARTED + 2


async def lose_reply(
    address: str, table: Table, request: pb.SubmitActionRequest, metadata: Metadata
) -> None:
    """Makes a move of whose success its player does not learn."""
    async with (
        client_of(address) as spectator,
        Proxy(address).serving() as proxy,
        client_of(proxy.address) as player,
    ):
        before = await get(player, table)
        proxy.hold()
        sending = asyncio.create_task(answer(player, "SubmitAction", request, metadata))
        after = await get(spectator, table, wait_for_version=before.version + 1)
        assert after.version == before.version + 1
        proxy.cut()
        lost = await sending
        assert isinstance(lost, ColtExpressError)
        assert lost.code == grpc.StatusCode.UNAVAILABLE


# Request ids


async def test_a_request_id_stands_for_one_request(services: Services) -> None:
    table = await begun(services[0], BANDITS)
    decision = await open_decision(services[0], table)
    seat = table.as_seat(decision.seat)
    request = submission(table, decision)
    first = await success(services[0], "SubmitAction", request, seat)
    following = await open_decision(services[0], table)
    others: list[tuple[str, Message]] = [
        ("SubmitAction", submission(table, decision, option.option_id, request.request_id))
        for option in decision.options[1:]
    ]
    others += [
        ("SubmitAction", submission(table, following, "draw", request.request_id)),
        ("LeaveGame", pb.LeaveGameRequest(name=table.name, request_id=request.request_id)),
    ]
    for service in services:
        for method, other in others:
            error = await refusal(service, method, other, seat)
            assert (error.code, error.reason, error.field) == (
                grpc.StatusCode.ABORTED,
                "REQUEST_ID_REUSED",
                "request_id",
            )
        assert await success(service, "SubmitAction", request, seat) == first

    join_id, start_id = new_id(), new_id()
    table = await lobby(services[0], BANDITS)
    wanted = pb.JoinGameRequest(name=table.name, seat=0, request_id=join_id)
    joined = pb.JoinGameResponse.FromString(await success(services[0], "JoinGame", wanted))
    for service in services:
        for field, value in {
            "seat": 1,
            "figures": ["DOC"],
            "display_name": "Ma",
            "entropy": b"1",
            "join_code": "code",
        }.items():
            fields: dict[str, Any] = {"name": table.name, "seat": 0, "request_id": join_id}
            other = pb.JoinGameRequest(**fields | {field: value})
            assert (await refusal(service, "JoinGame", other)).reason == "REQUEST_ID_REUSED"
    for _ in BANDITS[1:]:
        await success(
            services[1], "JoinGame", pb.JoinGameRequest(name=table.name, request_id=new_id())
        )
    start = pb.StartGameRequest(name=table.name, request_id=start_id)
    await success(services[0], "StartGame", start, table.as_host)
    for service in services:
        delete = pb.DeleteGameRequest(name=table.name, request_id=start_id)
        error = await refusal(service, "DeleteGame", delete, table.as_host)
        assert error.reason == "REQUEST_ID_REUSED"
    assert joined.seat == 0


async def test_a_request_id_stands_for_one_game(services: Services) -> None:
    game = game_pb2.Game(seats=[game_pb2.Seat() for _ in BANDITS])
    request_id = new_id()
    request = pb.CreateGameRequest(game=game, request_id=request_id)
    await success(services[0], "CreateGame", request)
    larger = game_pb2.Game(seats=[*game.seats, game_pb2.Seat()])
    hidden = game_pb2.Game(seats=game.seats, visibility=game_pb2.VISIBILITY_UNLISTED)
    for service in services:
        for other in (
            pb.CreateGameRequest(game=game, request_id=request_id, seed=SEED),
            pb.CreateGameRequest(game=larger, request_id=request_id),
            pb.CreateGameRequest(game=hidden, request_id=request_id),
        ):
            assert (await refusal(service, "CreateGame", other)).reason == "REQUEST_ID_REUSED"


async def test_the_request_ids_of_seats_are_their_own(services: Services) -> None:
    table = await begun(services[0], BANDITS)
    request_id = new_id()
    made: dict[int, tuple[pb.SubmitActionRequest, bytes]] = {}
    while len(made) < len(BANDITS):
        decision = await open_decision(services[0], table)
        request = submission(
            table, decision, request_id="" if decision.seat in made else request_id
        )
        found = await success(services[0], "SubmitAction", request, table.as_seat(decision.seat))
        made.setdefault(decision.seat, (request, found))
    for service in services:
        for seat, (request, found) in made.items():
            assert await success(service, "SubmitAction", request, table.as_seat(seat)) == found


async def test_a_refused_request_leaves_its_id_free(services: Services) -> None:
    table = await begun(services[0], BANDITS)
    decision = await open_decision(services[0], table)
    request_id = new_id()
    illegal = submission(table, decision, "move:9.inside", request_id)
    seat = table.as_seat(decision.seat)
    for service in services:
        assert (await refusal(service, "SubmitAction", illegal, seat)).rule
    await success(services[1], "SubmitAction", submission(table, decision, "", request_id), seat)


@pytest.mark.parametrize(
    ("visibility", "joining_again", "leaving_again"),
    [
        (game_pb2.VISIBILITY_PUBLIC, "TOKEN_MISSING", ""),
        (game_pb2.VISIBILITY_PRIVATE, "GAME_NOT_FOUND", "GAME_NOT_FOUND"),
    ],
)
async def test_who_has_left_is_shown_nothing_by_asking_again(
    services: Services,
    visibility: game_pb2.Visibility.ValueType,
    joining_again: str,
    leaving_again: str,
) -> None:
    table = await lobby(services[0], BANDITS, visibility=visibility)
    joining = pb.JoinGameRequest(
        name=table.name, seat=0, join_code=table.join_code, request_id=new_id()
    )
    joined = pb.JoinGameResponse.FromString(await success(services[0], "JoinGame", joining))
    leaving = pb.LeaveGameRequest(name=table.name, request_id=new_id())
    token = bearer(joined.seat_token)
    await success(services[0], "LeaveGame", leaving, token)
    for _ in BANDITS:
        await join(services[0], table)
    for service in services:
        assert (await refusal(service, "JoinGame", joining)).reason == joining_again
        await success(service, "LeaveGame", leaving, token)
    start = pb.StartGameRequest(name=table.name, request_id=new_id())
    await success(services[0], "StartGame", start, table.as_host)
    for service in services:
        assert (await refusal(service, "JoinGame", joining)).reason == joining_again
        again = await answer(service, "LeaveGame", leaving, token)
        assert (again.reason if isinstance(again, ColtExpressError) else "") == leaving_again


# Answers late, twice, and by the wrong seat


async def test_a_decision_is_answered_once_in_time_and_by_its_seat(services: Services) -> None:
    table = await begun(services[0], BANDITS)
    decision = await open_decision(services[0], table)
    request = submission(table, decision)
    for service in services:
        for seat in range(len(BANDITS)):
            if seat != decision.seat:
                error = await refusal(service, "SubmitAction", request, table.as_seat(seat))
                assert error.reason == "NOT_YOUR_DECISION"
        error = await refusal(service, "SubmitAction", request, table.as_host)
        assert error.reason == "WRONG_ROLE"
        assert (await refusal(service, "SubmitAction", request)).reason == "TOKEN_MISSING"
    await success(services[0], "SubmitAction", request, table.as_seat(decision.seat))
    for moves in (0, 1, 5):
        await play(services[0], table, moves)
        version = (await get(services[0], table)).version
        for service in services:
            late = submission(table, decision)
            error = await refusal(service, "SubmitAction", late, table.as_seat(decision.seat))
            assert (error.code, error.reason, error.field) == (
                grpc.StatusCode.ABORTED,
                "DECISION_CLOSED",
                "decision_id",
            )
        assert (await get(services[1], table)).version == version


# What a process remembers of a game


def trips(behind: redis.Redis) -> int:
    """How many scripts the store has run: one is a trip to it."""
    statistics = behind.info("commandstats")
    return sum(
        statistics.get(f"cmdstat_{command}", {}).get("calls", 0) for command in ("evalsha", "eval")
    )


async def counted(behind: redis.Redis, call: Awaitable[object]) -> int:
    before = trips(behind)
    await call
    return trips(behind) - before


async def test_a_call_takes_one_trip_where_what_is_remembered_is_so(
    services: Services, behind: redis.Redis
) -> None:
    fresh, _ = services
    table = await begun(fresh, BANDITS)
    decision = await open_decision(fresh, table)
    seat = table.as_seat(decision.seat)
    request = submission(table, decision)
    assert await counted(behind, get(fresh, table)) == 1
    assert await counted(behind, success(fresh, "SubmitAction", request, seat)) == 1
    # Even what is known to be wrong is refused for what the store says.
    late = submission(table, decision)
    assert await counted(behind, refusal(fresh, "SubmitAction", late, seat)) == 1


async def test_nothing_is_refused_for_what_was_so_before(
    services: Services, behind: redis.Redis
) -> None:
    fresh, stale = services
    table = await lobby(fresh, BANDITS)
    trips_taken = []

    async def right(method: str, request: Message, metadata: Metadata = ()) -> bytes:
        """What the stale process's memory forbids and is right now."""
        found: list[bytes] = []

        async def call() -> None:
            found.append(await success(stale, method, request, metadata))

        trips_taken.append(await counted(behind, call()))
        return found[0]

    def joining(seat: int | None = None) -> pb.JoinGameRequest:
        return pb.JoinGameRequest(name=table.name, request_id=new_id(), seat=seat)

    # All seats taken, then one given up: NO_SEAT_FREE, SEAT_TAKEN.
    tokens = [
        pb.JoinGameResponse.FromString(await success(stale, "JoinGame", joining())).seat_token
        for _ in BANDITS
    ]
    for wanted in (None, 0):
        leave = pb.LeaveGameRequest(name=table.name, request_id=new_id())
        await success(fresh, "LeaveGame", leave, bearer(tokens[0]))
        seat = pb.JoinGameResponse.FromString(await right("JoinGame", joining(wanted)))
        assert seat.seat == 0
        tokens[0] = seat.seat_token
    # A token that is new: TOKEN_MISSING.
    leave = pb.LeaveGameRequest(name=table.name, request_id=new_id())
    await success(stale, "LeaveGame", leave, bearer(tokens[0]))
    await join(fresh, table)
    leave = pb.LeaveGameRequest(name=table.name, request_id=new_id())
    await right("LeaveGame", leave, bearer(table.tokens[0]))
    # The last seat taken: SEATS_FREE.
    table.tokens = []
    await join(fresh, table)
    table.tokens += tokens[1:]
    start = pb.StartGameRequest(name=table.name, request_id=new_id())
    await right("StartGame", start, table.as_host)
    # A decision that is new, again and again: DECISION_CLOSED.
    while len(trips_taken) < 20:
        await play(fresh, table, 1)
        decision = await open_decision(fresh, table)
        await right("SubmitAction", submission(table, decision), table.as_seat(decision.seat))
    # The end: GAME_NOT_OVER.
    await play(fresh, table)
    await success(stale, "GetReplay", pb.GetReplayRequest(name=table.name))
    assert set(trips_taken) == {2}


async def test_what_has_become_wrong_is_refused_for_what_is_so_now(
    services: Services, behind: redis.Redis
) -> None:
    fresh, stale = services
    table = await begun(fresh, BANDITS)
    for _ in range(10):
        decision = await open_decision(stale, table)
        await submit(fresh, table, decision, decision.options[-1].option_id)
        request, seat = submission(table, decision), table.as_seat(decision.seat)
        assert await counted(behind, refusal(stale, "SubmitAction", request, seat)) == 1
        assert (await refusal(stale, "SubmitAction", request, seat)).reason == "DECISION_CLOSED"
    # A decision that is open, as this process remembers, of a game that is gone.
    decision = await open_decision(stale, table)
    delete = pb.DeleteGameRequest(name=table.name, request_id=new_id())
    await success(fresh, "DeleteGame", delete, table.as_host)
    request, seat = submission(table, decision), table.as_seat(decision.seat)
    assert (await refusal(stale, "SubmitAction", request, seat)).reason == "GAME_NOT_FOUND"


async def test_a_game_is_not_begun_in_the_memory_of_another_process(services: Services) -> None:
    fresh, stale = services
    table = await lobby(fresh, BANDITS)
    for _ in BANDITS:
        await join(stale, table)
    start = pb.StartGameRequest(name=table.name, request_id=new_id())
    await success(fresh, "StartGame", start, table.as_host)
    decision = await open_decision(fresh, table)
    await success(stale, "SubmitAction", submission(table, decision), table.as_seat(decision.seat))


async def test_seats_change_hands_once(services: Services) -> None:
    async def ten(method: str, request: Message, metadata: Metadata) -> None:
        answers = await at_once(services, method, [request] * TEN, metadata)
        assert all(isinstance(answer, bytes) for answer in answers), answers

    table = await lobby(services[0], BANDITS, stand_in="RANDOM")
    for _ in BANDITS[:2]:
        await join(services[0], table)
    add = pb.AddBotRequest(name=table.name, level="RANDOM", request_id=new_id())
    await ten("AddBot", add, table.as_host)
    again = pb.AddBotRequest(name=table.name, level="RANDOM", seat=1, request_id=add.request_id)
    reused = await refusal(services[1], "AddBot", again, table.as_host)
    assert reused.reason == "REQUEST_ID_REUSED"
    start = pb.StartGameRequest(name=table.name, request_id=new_id())
    await success(services[0], "StartGame", start, table.as_host)
    away = pb.SetAutoPlayRequest(name=table.name, level="RANDOM", request_id=new_id())
    await ten("SetAutoPlay", away, table.as_seat(0))
    leave = pb.LeaveGameRequest(name=table.name, request_id=new_id())
    await ten("LeaveGame", leave, table.as_seat(1))
    kinds = [
        event.WhichOneof("event")
        for data in await history(services[1], table)
        for event in event_pb2.Commit.FromString(data).events
    ]
    for kind in ("auto_play_started", "seat_handed_over"):
        assert kinds.count(kind) == 1
    assert kinds.count("seat_taken") == len(BANDITS)
