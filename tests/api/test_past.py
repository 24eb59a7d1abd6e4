"""Finished games as they were, and as others saw them, over sockets."""

from __future__ import annotations

import random
from typing import Any

import grpc

from coltexpress.v1 import event_pb2, game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from tests.api.tables import (
    Service,
    Table,
    answer,
    begun,
    deciding,
    get,
    join,
    lobby,
    new_id,
    refusal,
)

SEATS = (None, 0, 1, 2, 3)


async def commits(
    service: Service, table: Table, seat: int | None, **how: Any
) -> list[event_pb2.Commit]:
    found = await service.games.ListEvents(
        pb.ListEventsRequest(parent=table.name, page_size=1000, **how),
        metadata=table.as_seat(seat),
    )
    return list(found.commits)


async def test_a_finished_game_is_shown_as_each_seat_saw_it(service: Service) -> None:
    table = await begun(service)
    chance = random.Random(5)
    shown: dict[int, list[game_pb2.Game]] = {}
    while (decision := await deciding(service, table)) is not None:
        version = (await get(service, table)).version
        if version % 9 == 0:
            shown[version] = [await get(service, table, seat) for seat in SEATS]
        await answer(service, table, decision, chance)
    assert len(shown) > 5
    for version, games in shown.items():
        for seat, game in zip(SEATS, games, strict=True):
            game.join_code = ""
            assert game == await get(service, table, at_version=version, as_seat=seat)
    last = (await get(service, table)).version
    for seat in SEATS[1:]:
        whole = await get(service, table, seat)
        whole.join_code = ""
        assert await get(service, table, as_seat=seat) == whole
        assert await get(service, table, at_version=last, as_seat=seat) == whole
        assert await commits(service, table, None, as_seat=seat) == await commits(
            service, table, seat
        )
    refused = await refusal(get(service, table, at_version=3))
    assert (refused.code, refused.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "GAME_NOT_STARTED",
    )
    refused = await refusal(get(service, table, at_version=last + 1))
    assert (refused.reason, refused.details["field"]) == ("INVALID_FIELD", "at_version")


async def test_until_the_end_each_sees_with_his_own_eyes_what_is(service: Service) -> None:
    table = await begun(service)
    game = await get(service, table, 1)
    assert await get(service, table, 1, at_version=game.version, as_seat=1) == game
    for seat in SEATS[1:]:
        if seat != 1:
            for viewer in (None, 1):
                refused = await refusal(get(service, table, viewer, as_seat=seat))
                assert (refused.code, refused.reason) == (
                    grpc.StatusCode.PERMISSION_DENIED,
                    "WRONG_ROLE",
                )
                refused = await refusal(commits(service, table, viewer, as_seat=seat))
                assert refused.reason == "WRONG_ROLE"
    refused = await refusal(get(service, table, 1, at_version=game.version - 1))
    assert refused.reason == "GAME_NOT_OVER"


async def test_a_private_game_stays_so_after_its_end(service: Service) -> None:
    table = await lobby(service, visibility=game_pb2.VISIBILITY_PRIVATE)
    for how in ({"as_seat": 0}, {"at_version": 1}):
        assert (await refusal(get(service, table, **how))).reason == "GAME_NOT_FOUND"


async def test_it_is_told_who_played_which_seat_then(service: Service) -> None:
    """Bots that came and went before the start, and players who left during the game."""
    table = await lobby(service)

    async def host(method: str, request: type[Any], **how: Any) -> game_pb2.Game:
        wanted = request(request_id=new_id(), **how)
        game: game_pb2.Game = await getattr(service.games, method)(wanted, metadata=table.as_host)
        return game

    await host("AddBot", pb.AddBotRequest, name=table.name, seat=3, level="RANDOM")
    await host("RemovePlayer", pb.RemovePlayerRequest, name=table.name, seat=3)
    fewer = game_pb2.Game(name=table.name, seats=[game_pb2.Seat()] * 3, stand_in="RANDOM")
    await host("UpdateGame", pb.UpdateGameRequest, game=fewer)
    await host("AddBot", pb.AddBotRequest, name=table.name, seat=2, level="RANDOM")
    for _ in range(2):
        await join(service, table)
    begun_at = (await host("StartGame", pb.StartGameRequest, name=table.name)).version
    left = []
    for seat in (0, 1):
        leave = pb.LeaveGameRequest(name=table.name, request_id=new_id())
        game = await service.games.LeaveGame(leave, metadata=table.as_seat(seat))
        left.append(game.version)
    stream = service.games.WatchGame(pb.WatchGameRequest(name=table.name))
    while not (await stream.read()).HasField("end"):
        pass
    for version, bots in (
        (begun_at, ["", "", "RANDOM"]),
        (left[0], ["RANDOM", "", "RANDOM"]),
        (left[1], ["RANDOM", "RANDOM", "RANDOM"]),
    ):
        seats = (await get(service, table, at_version=version)).seats
        assert [seat.bot for seat in seats] == bots
        assert all(seat.taken for seat in seats)
