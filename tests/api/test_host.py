"""What only a host may do before the start, over sockets: changing the game, removing players."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from google.protobuf.field_mask_pb2 import FieldMask

from coltexpress.v1 import game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1.vocabulary_pb2 import EDITION_FIRST, Variant
from tests.api.tables import Refusal, Service, Table, begun, get, join, lobby, new_id, refusal


async def update(
    service: Service, table: Table, *paths: str, metadata: Any = None, **game: Any
) -> game_pb2.Game:
    """Updates fields of a game, as its host unless told otherwise."""
    request = pb.UpdateGameRequest(
        game=game_pb2.Game(name=table.name, **game),
        update_mask=FieldMask(paths=paths),
        request_id=new_id(),
    )
    metadata = table.as_host if metadata is None else metadata
    updated: game_pb2.Game = await service.games.UpdateGame(request, metadata=metadata)
    return updated


async def remove(service: Service, table: Table, seat: int) -> game_pb2.Game:
    request = pb.RemovePlayerRequest(name=table.name, seat=seat, request_id=new_id())
    removed: game_pb2.Game = await service.games.RemovePlayer(request, metadata=table.as_host)
    return removed


def seats(*bandits: str) -> list[game_pb2.Seat]:
    return [game_pb2.Seat(figures=name.split()) for name in bandits]


def why(refused: Refusal) -> tuple[str, str]:
    return refused.reason, refused.details.get("field", "")


async def test_a_host_changes_what_is_to_be_played(service: Service) -> None:
    table = await lobby(service)
    await join(service, table)
    stream = service.games.WatchGame(pb.WatchGameRequest(name=table.name))
    await stream.read()
    changed = await update(
        service,
        table,
        visibility=game_pb2.VISIBILITY_UNLISTED,
        options=game_pb2.GameOptions(variant=Variant.VARIANT_EXPERT),
        seats=seats("DOC", "", "TUCO"),
    )
    assert changed.visibility == game_pb2.VISIBILITY_UNLISTED
    assert changed.options.variant == Variant.VARIANT_EXPERT
    assert [list(seat.figures) for seat in changed.seats] == [["DOC"], [], ["TUCO"]]
    assert [seat.taken for seat in changed.seats] == [True, False, False]
    assert changed == await get_as_host(service, table)
    [event] = (await stream.read()).commit.events
    assert event.game_updated.visibility == changed.visibility
    assert event.game_updated.options == changed.options
    assert list(event.game_updated.seats) == list(changed.seats)
    stream.cancel()
    page = await service.games.ListGames(pb.ListGamesRequest())
    assert not page.games
    # Played as it is now, not as it was created.
    for _ in range(2):
        await join(service, table)
    start = pb.StartGameRequest(name=table.name, request_id=new_id())
    begun_now = await service.games.StartGame(start, metadata=table.as_host)
    assert len(begun_now.seats) == 3


async def get_as_host(service: Service, table: Table) -> game_pb2.Game:
    game: game_pb2.Game = await service.games.GetGame(
        pb.GetGameRequest(name=table.name), metadata=table.as_host
    )
    return game


async def test_a_mask_says_what_is_changed(service: Service) -> None:
    table = await lobby(service)
    options = game_pb2.GameOptions(
        variant=Variant.VARIANT_EXPERT, edition=EDITION_FIRST, cars=["A", "C", "B", "D"]
    )
    game = await update(service, table, "options.edition", options=options)
    assert (game.options.edition, game.options.variant) == (EDITION_FIRST, 1)
    game = await update(service, table, "options", options=options, seats=seats("DOC"))
    assert (game.options, len(game.seats)) == (options, 4)
    game = await update(service, table, "options.cars", "visibility")
    assert (list(game.options.cars), game.options.variant) == ([], Variant.VARIANT_EXPERT)
    assert game.visibility == game_pb2.VISIBILITY_PUBLIC
    game = await update(service, table, "*", seats=seats("", "", ""))
    assert (game.options.variant, len(game.seats)) == (Variant.VARIANT_STANDARD, 3)
    refused = await refusal(update(service, table, "version"))
    assert (refused.code, *why(refused)) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        "INVALID_FIELD",
        "update_mask",
    )


async def test_who_sits_keeps_seat_and_bandit(service: Service) -> None:
    table = await lobby(service, ("", "", "", ""))
    request = pb.JoinGameRequest(name=table.name, seat=3, figures=["DOC"], request_id=new_id())
    await service.games.JoinGame(request)
    before = await get(service, table)
    for refused, expected in [
        (update(service, table, seats=seats("", "", "")), ("SEAT_TAKEN", "game.seats")),
        (
            update(service, table, seats=seats("", "", "", "TUCO")),
            ("SEAT_TAKEN", "game.seats[3].figures"),
        ),
        (
            update(service, table, seats=seats("DOC", "", "", "")),
            ("INVALID_OPTIONS", "game.seats[3].figures"),
        ),
        (
            update(service, table, options=game_pb2.GameOptions(cars=["A"])),
            ("INVALID_OPTIONS", "game.options.cars"),
        ),
    ]:
        assert why(await refusal(refused)) == expected
    assert await get(service, table) == before
    changed = await update(service, table, seats=seats("", "", "", "", "TUCO"))
    assert list(changed.seats[3].figures) == ["DOC"]


async def test_a_removed_player_is_out_and_his_streams_end(service: Service) -> None:
    table = await lobby(service)
    joining = pb.JoinGameRequest(name=table.name, request_id=new_id())
    table.tokens.append((await service.games.JoinGame(joining)).seat_token)
    stream = service.games.WatchGame(
        pb.WatchGameRequest(name=table.name), metadata=table.as_seat(0)
    )
    await stream.read()
    game = await remove(service, table, 0)
    assert not game.seats[0].taken
    [event] = (await stream.read()).commit.events
    assert (event.seat_left.seat, event.seat_left.removed) == (0, True)
    assert (await stream.read()).end.reason == pb.EndOfStream.REASON_TOKEN_REVOKED
    assert (await refusal(get(service, table, 0))).reason == "TOKEN_MISSING"
    assert (await refusal(service.games.JoinGame(joining))).reason == "TOKEN_MISSING"
    assert why(await refusal(remove(service, table, 0))) == ("SEAT_FREE", "seat")
    assert why(await refusal(remove(service, table, 9))) == ("INVALID_FIELD", "seat")


async def test_who_has_no_part_sees_no_more_of_a_game_that_is_made_private(
    service: Service,
) -> None:
    table = await lobby(service)
    await join(service, table)
    streams = []
    for metadata in ((), table.as_host, table.as_seat(0)):
        watching = pb.WatchGameRequest(name=table.name)
        streams.append(service.games.WatchGame(watching, metadata=metadata))
        await streams[-1].read()
    await update(service, table, visibility=game_pb2.VISIBILITY_PRIVATE)
    for stream in streams:
        assert (await stream.read()).commit.events[0].HasField("game_updated")
    end = (await streams[0].read()).end
    assert end == pb.EndOfStream(reason=pb.EndOfStream.REASON_GAME_HIDDEN)
    await join(service, table)
    for stream in streams[1:]:
        assert (await stream.read()).commit.events[0].HasField("seat_taken")
        stream.cancel()
    assert (await refusal(get(service, table))).reason == "GAME_NOT_FOUND"


@pytest.mark.parametrize("started", [False, True])
async def test_only_a_host_and_only_before_the_start(service: Service, started: bool) -> None:
    table = await begun(service) if started else await lobby(service)
    if not started:
        await join(service, table)
    removing = pb.RemovePlayerRequest(name=table.name, seat=0, request_id=new_id())
    for metadata, reason in [
        ((), "TOKEN_MISSING"),
        (table.as_seat(0), "WRONG_ROLE"),
        *([(table.as_host, "GAME_ALREADY_STARTED")] if started else []),
    ]:
        unlisted = game_pb2.VISIBILITY_UNLISTED
        refused = await refusal(update(service, table, metadata=metadata, visibility=unlisted))
        assert refused.reason == reason
        refused = await refusal(service.games.RemovePlayer(removing, metadata=metadata))
        assert refused.reason == reason
