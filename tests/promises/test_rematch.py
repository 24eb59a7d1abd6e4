"""A rematch: one of a game, whoever asks for it, over two processes; its seats are kept."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import redis

from coltexpress.v1 import game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.store.keys import game_keys
from tests.api.tables import (
    Service,
    Table,
    bearer,
    begun,
    get,
    lobby,
    new_id,
    play,
    refusal,
)

Services = tuple[Service, Service]


async def ask(service: Service, table: Table, metadata: Any, **how: Any) -> pb.RematchResponse:
    request = pb.RematchRequest(name=table.name, **how)
    found: pb.RematchResponse = await service.games.Rematch(request, metadata=metadata)
    return found


async def over(service: Service, **how: Any) -> Table:
    table = await begun(service, **how)
    await play(service, table)
    return table


async def everybody(services: Services, table: Table) -> list[pb.RematchResponse]:
    """What host and players are answered who all ask at once, twice."""
    callers = [table.as_host, *(table.as_seat(seat) for seat in range(4))]
    return await asyncio.gather(
        *(ask(services[number % 2], table, who) for number, who in enumerate(callers * 2))
    )


async def test_all_who_ask_at_once_get_the_same_game(services: Services) -> None:
    table = await over(services[0], visibility=game_pb2.VISIBILITY_PRIVATE)
    before = await get(services[0], table, 0)
    waiting = asyncio.create_task(get(services[1], table, 3, wait_for_version=before.version + 1))
    answers = await everybody(services, table)
    (name,) = {answer.game.name for answer in answers}
    again = Table(name, answers[0].host_token, answers[0].game.join_code)
    again.tokens = [answer.seat_token for answer in answers[1:5]]
    assert [answer.seat for answer in answers[1:5]] == [0, 1, 2, 3]
    assert len({table.host_token, again.host_token, *table.tokens, *again.tokens}) == 10
    for first, second in zip(answers[:5], answers[5:], strict=True):
        assert (first.seat_token, first.host_token) == (second.seat_token, second.host_token)
    assert [bool(answer.host_token) for answer in answers[:5]] == [True] + [False] * 4
    assert not answers[0].HasField("seat")
    # Those who watched the old game learn of the new one.
    assert (await waiting).rematch == name
    stream = services[0].games.WatchGame(
        pb.WatchGameRequest(name=table.name, cursor=before.cursor), metadata=table.as_seat(1)
    )
    [event] = (await stream.read()).commit.events
    assert event.rematch_created.game == name
    assert (await stream.read()).end.reason == pb.EndOfStream.REASON_GAME_OVER
    # The new game is like the old one, and dealt anew.
    game = await get(services[1], again, 2)
    assert (game.visibility, game.options) == (before.visibility, before.options)
    assert [list(seat.figures) for seat in game.seats] == [["DOC"], ["GHOST"], ["BELLE"], ["TUCO"]]
    assert all(seat.taken and not seat.reserved for seat in game.seats)
    assert game.fairness.seed_hash != before.fairness.seed_hash
    start = pb.StartGameRequest(name=name, request_id=new_id())
    await services[0].games.StartGame(start, metadata=again.as_host)
    await play(services[1], again, 5)
    # And the old one can still be checked.
    replay = pb.GetReplayRequest(name=table.name)
    assert (await services[1].games.GetReplay(replay, metadata=table.as_seat(0))).document


async def test_a_seat_is_kept_until_it_is_taken_or_given_away(
    services: Services, behind: redis.Redis
) -> None:
    table = await over(services[0])
    found = await ask(services[0], table, table.as_seat(2), entropy=b"mine")
    name = found.game.name
    again = Table(name, (await ask(services[1], table, table.as_host)).host_token)
    seats = (await get(services[1], again)).seats
    assert [(seat.taken, seat.reserved) for seat in seats] == [
        (seat == 2, seat != 2) for seat in range(4)
    ]
    join = pb.JoinGameRequest(name=name, request_id=new_id())
    assert (await refusal(services[0].games.JoinGame(join))).reason == "NO_SEAT_FREE"
    join.seat = 1
    assert (await refusal(services[0].games.JoinGame(join))).reason == "SEAT_TAKEN"
    start = pb.StartGameRequest(name=name, request_id=new_id())
    starting = services[0].games.StartGame(start, metadata=again.as_host)
    assert (await refusal(starting)).reason == "SEATS_FREE"
    free = pb.RemovePlayerRequest(name=name, seat=1, request_id=new_id())
    await services[0].games.RemovePlayer(free, metadata=again.as_host)
    assert (await services[1].games.JoinGame(join)).seat == 1
    refused = await refusal(ask(services[0], table, table.as_seat(1)))
    assert refused.reason == "SEAT_TAKEN"
    # Who has left is out; his token does not come back to life.
    leave = pb.LeaveGameRequest(name=name, request_id=new_id())
    await services[0].games.LeaveGame(leave, metadata=bearer(found.seat_token))
    for service in services:
        refused = await refusal(ask(service, table, table.as_seat(2)))
        assert refused.reason == "TOKEN_MISSING"


async def test_a_rematch_that_was_forgotten_is_created_anew(
    service: Service, behind: redis.Redis
) -> None:
    table = await over(service)
    found = await ask(service, table, table.as_seat(0))
    keys = game_keys(found.game.name.removeprefix("games/"))
    behind.delete(keys.game, keys.entries, keys.requests)  # as time does
    again = await ask(service, table, table.as_seat(0))
    assert (again.game.name, again.seat_token) == (found.game.name, found.seat_token)
    assert [seat.reserved for seat in again.game.seats] == [False, True, True, True]


@pytest.mark.parametrize("visibility", [1, 3], ids=["public", "private"])
async def test_a_rematch_is_for_those_who_played_and_follows_the_end(
    service: Service, visibility: Any
) -> None:
    table = await begun(service, visibility=visibility)
    other = await lobby(service)
    assert (await refusal(ask(service, table, table.as_seat(0)))).reason == "GAME_NOT_OVER"
    await play(service, table)
    missing = "GAME_NOT_FOUND" if visibility == 3 else "TOKEN_MISSING"
    for stranger in ((), bearer("made up"), other.as_host):
        assert (await refusal(ask(service, table, stranger))).reason == missing
    found = await ask(service, table, table.as_host)
    delete = pb.DeleteGameRequest(name=found.game.name, request_id=new_id())
    await service.games.DeleteGame(delete, metadata=bearer(found.host_token))
    assert (await refusal(ask(service, table, table.as_seat(1)))).reason == "GAME_NOT_FOUND"


@pytest.fixture
async def service(services: Services) -> Service:
    return services[0]
