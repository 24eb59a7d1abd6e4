"""Join codes over sockets: who sees them, who finds what by them, how often one may guess."""

from __future__ import annotations

import grpc
import pytest

from coltexpress.v1 import game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.service.join_codes import bucket_of, code_in, read_code
from coltexpress_server.store import BUCKETS
from tests.api.conftest import Start
from tests.api.tables import Service, Table, begun, get, join, lobby, new_id, refusal

VISIBILITIES = [
    game_pb2.VISIBILITY_PUBLIC,
    game_pb2.VISIBILITY_UNLISTED,
    game_pb2.VISIBILITY_PRIVATE,
]


async def find(service: Service, join_code: str) -> game_pb2.Game:
    found: game_pb2.Game = await service.games.FindGame(pb.FindGameRequest(join_code=join_code))
    return found


@pytest.mark.parametrize("visibility", VISIBILITIES, ids=["public", "unlisted", "private"])
async def test_a_game_is_found_by_its_code_until_it_begins(
    service: Service, visibility: game_pb2.Visibility.ValueType
) -> None:
    table = await lobby(service, visibility=visibility)
    code = table.join_code
    spoken = f" {code[:3].lower()} - {code[3:]}"
    found = await find(service, spoken)
    assert (found.name, found.join_code, found.HasField("viewer")) == (table.name, "", False)
    joined = await service.games.JoinGame(
        pb.JoinGameRequest(name=found.name, join_code=spoken, request_id=new_id())
    )
    assert joined.game.join_code == code


async def test_a_private_game_that_has_begun_is_not_found(service: Service) -> None:
    public = await begun(service)
    assert (await find(service, public.join_code)).state == game_pb2.Game.STATE_RUNNING
    private = await begun(service, visibility=game_pb2.VISIBILITY_PRIVATE)
    refused = await refusal(find(service, private.join_code))
    assert refused == await refusal(find(service, "222222"))
    assert (refused.code, refused.reason) == (grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND")


async def test_a_deleted_game_is_not_found(service: Service) -> None:
    table = await lobby(service)
    request = pb.DeleteGameRequest(name=table.name, request_id=new_id())
    await service.games.DeleteGame(request, metadata=table.as_host)
    assert (await refusal(find(service, table.join_code))).reason == "GAME_NOT_FOUND"


async def test_host_and_players_see_the_code(service: Service) -> None:
    table = await lobby(service)
    await join(service, table)
    assert table.join_code
    assert (await get(service, table)).join_code == ""
    assert (await get(service, table, 0)).join_code == table.join_code
    stream = service.games.WatchGame(pb.WatchGameRequest(name=table.name), metadata=table.as_host)
    assert (await stream.read()).game.join_code == table.join_code
    stream.cancel()


async def test_only_so_many_codes_may_be_tried_a_minute(start: Start) -> None:
    async with start(join_codes_per_minute=3) as service:
        table = await lobby(service, visibility=game_pb2.VISIBILITY_PRIVATE)
        for _ in range(5):  # one that is typed again is no further guess
            await find(service, table.join_code)
        for code in ("222222", "333333"):
            assert (await refusal(find(service, code))).reason == "GAME_NOT_FOUND"
        refused = await refusal(find(service, "444444"))
        assert (refused.code, refused.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY")
        guess = pb.JoinGameRequest(name=table.name, join_code="555555", request_id=new_id())
        assert (await refusal(service.games.JoinGame(guess))).reason == "TOO_MANY"
        assert (await find(service, table.join_code)).name == table.name


async def test_a_taken_code_is_passed_over(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    # All games of a bucket try the same two codes; of some ten games two come into one bucket.
    chances = {0: 7, 1: 8}
    monkeypatch.setattr(
        "coltexpress_server.service.keys.Keys.join_code",
        lambda self, game_id, number: code_in(int(game_id[:2], 16), chances[number]),
    )
    tables: dict[str, Table] = {}
    while True:
        table = await lobby(service)
        other = tables.setdefault(table.name[6:8], table)
        if other is not table:
            break
    assert bucket_of(other.join_code) == bucket_of(table.join_code)
    assert other.join_code != table.join_code
    for each in (other, table):
        assert (await find(service, each.join_code)).name == each.name


def test_codes_name_their_bucket() -> None:
    codes = {
        (bucket, chance): code_in(bucket, chance) for bucket in range(64) for chance in (0, 9**9)
    }
    assert len(set(codes.values())) == len(codes)
    for (bucket, _), code in codes.items():
        assert bucket_of(code) == bucket < len(BUCKETS)
        assert read_code(f"{code[:2]} {code[2:4]}-{code[4:]}".lower()) == code


@pytest.mark.parametrize("text", ["", "ABCDE", "ABCDEFG", "ABCDE0", "ABCDE1", "ABC_DE", "ÀBCDEF"])
def test_what_is_no_code(text: str) -> None:
    assert read_code(text) is None
