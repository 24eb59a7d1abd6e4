"""What operators do, over sockets: who may, what they see, ending a game, moving one."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
import redis

from coltexpress.v1 import admin_service_pb2 as pb
from coltexpress.v1 import game_pb2, game_service_pb2
from coltexpress.v1.event_pb2 import Commit
from coltexpress.v1.vocabulary_pb2 import Variant
from tests.api.conftest import Logs, Start
from tests.api.tables import (
    Service,
    Table,
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

KEY = "the operator's key"
OPERATOR = (("x-admin-key", KEY),)
HASHED = {"olga": hashlib.sha256(KEY.encode()).hexdigest()}
PRIVATE = game_pb2.VISIBILITY_PRIVATE


@pytest.fixture
async def service(start: Start) -> AsyncIterator[Service]:
    api_keys = {"app": hashlib.sha256(b"an API key").hexdigest()}
    async with start(admin_keys=HASHED, api_keys=api_keys) as service:
        yield service


def requests(name: str) -> dict[str, Any]:
    """A request of each method, in order but for the document of an import."""
    return {
        "ListAllGames": pb.ListAllGamesRequest(),
        "InspectGame": pb.InspectGameRequest(name=name),
        "AbortGame": pb.AbortGameRequest(name=name, request_id=new_id()),
        "ExportGame": pb.ExportGameRequest(name=name),
        "ImportGame": pb.ImportGameRequest(document=b"x"),
    }


async def ask(service: Service, method: str, request: Any, metadata: Any = OPERATOR) -> Any:
    return await getattr(service.admin, method)(request, metadata=metadata)


async def abort(service: Service, table: Table, reason: str = "", request_id: str = "") -> Any:
    request = pb.AbortGameRequest(name=table.name, reason=reason, request_id=request_id or new_id())
    return await ask(service, "AbortGame", request)


async def test_it_takes_an_admin_key(
    service: Service, start: Start, behind: redis.Redis, logs: Logs
) -> None:
    table = await begun(service)
    before = digest(behind)
    for method, request in requests(table.name).items():
        for metadata in (
            (),
            table.as_host,
            (("x-api-key", "an API key"),),
            (("x-admin-key", "an API key"),),
            (("x-admin-key", ""),),
        ):
            found = await refusal(ask(service, method, request, metadata))
            assert (found.code, found.reason, found.details) == (
                grpc.StatusCode.UNAUTHENTICATED,
                "ADMIN_KEY_MISSING",
                {"field": "x-admin-key"},
            )
    async with start() as without_keys:
        found = await refusal(ask(without_keys, "ListAllGames", pb.ListAllGamesRequest()))
        assert found.reason == "ADMIN_KEY_MISSING"
    assert digest(behind) == before
    # An admin key makes nobody a player or a host.
    playing = game_service_pb2.DeleteGameRequest(name=table.name, request_id=new_id())
    found = await refusal(service.games.DeleteGame(playing, metadata=OPERATOR))
    assert found.reason == "TOKEN_MISSING"
    await ask(service, "ListAllGames", pb.ListAllGamesRequest())
    line = [line for line in logs.lines if line.get("method") == "ListAllGames"][-1]
    assert line["operator"] == "olga"
    assert KEY not in str(logs.lines)


@pytest.mark.parametrize(
    ("method", "fields", "wrong"),
    [
        ("ListAllGames", {"page_size": -1}, "page_size"),
        ("ListAllGames", {"page_token": "x"}, "page_token"),
        ("ListAllGames", {"states": [1, 99]}, "states[1]"),
        ("ListAllGames", {"variants": [0]}, "variants[0]"),
        ("ListAllGames", {"visibilities": [99]}, "visibilities[0]"),
        ("InspectGame", {"name": "games/x"}, "name"),
        ("InspectGame", {"as_seat": 4}, "as_seat"),
        ("InspectGame", {"as_seat": -1}, "as_seat"),
        ("AbortGame", {"name": ""}, "name"),
        ("AbortGame", {"reason": "x" * 201}, "reason"),
        ("AbortGame", {"reason": "a\nb"}, "reason"),
        ("AbortGame", {"request_id": "x"}, "request_id"),
        ("ExportGame", {"name": "x"}, "name"),
        ("ImportGame", {"document": b""}, "document"),
        ("ImportGame", {"document": b"colt-express-game\n" + bytes(99)}, "document"),
    ],
)
async def test_a_wrong_field_is_named(
    service: Service, method: str, fields: dict[str, Any], wrong: str
) -> None:
    table = await lobby(service)
    request = requests(table.name)[method]
    changed = type(request)(**{field.name: value for field, value in request.ListFields()} | fields)
    found = await refusal(ask(service, method, changed))
    assert (found.reason, found.details["field"]) == ("INVALID_FIELD", wrong)


async def test_all_games_are_listed(service: Service) -> None:
    public = await lobby(service, variant=Variant.VARIANT_EXPERT)
    private = await begun(service, visibility=PRIVATE)

    async def shown(**how: Any) -> set[str]:
        page = await ask(service, "ListAllGames", pb.ListAllGamesRequest(**how))
        return {game.name for game in page.games}

    assert await shown() == {public.name, private.name}
    assert await shown(visibilities=[PRIVATE]) == {private.name}
    assert await shown(variants=[Variant.VARIANT_EXPERT]) == {public.name}
    assert await shown(states=[game_pb2.Game.STATE_RUNNING]) == {private.name}
    first = await ask(service, "ListAllGames", pb.ListAllGamesRequest(page_size=1))
    second = await ask(
        service, "ListAllGames", pb.ListAllGamesRequest(page_token=first.next_page_token)
    )
    assert {first.games[0].name, second.games[0].name} == {public.name, private.name}


async def test_hands_are_shown_only_where_asked_for(service: Service) -> None:
    table = await begun(service, visibility=PRIVATE)
    await play(service, table, 6)
    found = await ask(service, "InspectGame", pb.InspectGameRequest(name=table.name))
    assert not any(hand.hand for hand in found.game.table.hands)
    assert found.commits == found.game.version
    assert found.state_size > 1_000
    assert found.history_size > 1_000
    now = found.game.update_time.ToMilliseconds()
    assert now < found.due_time.ToMilliseconds() <= found.expire_time.ToMilliseconds()
    for seat in range(4):
        request = pb.InspectGameRequest(name=table.name, as_seat=seat)
        assert (await ask(service, "InspectGame", request)).game == await get(service, table, seat)


@pytest.mark.parametrize("choices", [None, 3], ids=["lobby", "running"])
async def test_a_game_that_is_ended_is_over_for_everybody(
    service: Service, choices: int | None
) -> None:
    table = await begun(service) if choices else await lobby(service)
    if choices:
        await play(service, table, choices)
    else:
        await join(service, table)
    decision = await deciding(service, table)
    stream = service.games.WatchGame(game_service_pb2.WatchGameRequest(name=table.name))
    await stream.read()
    request_id = new_id()
    ended = await abort(service, table, "Maintenance", request_id)
    assert (ended.state, ended.aborted) == (game_pb2.Game.STATE_FINISHED, True)
    assert not ended.decisions
    assert not ended.HasField("result")
    commit = (await stream.read()).commit
    assert commit.trigger == Commit.TRIGGER_OPERATOR
    assert [event.game_aborted.reason for event in commit.events] == ["Maintenance"]
    end = (await stream.read()).end
    assert end.reason == game_service_pb2.EndOfStream.REASON_GAME_OVER
    assert await abort(service, table, "Maintenance", request_id) == ended
    assert (await refusal(abort(service, table))).reason == "GAME_OVER"
    seen = await get(service, table, 0)
    assert (seen.version, seen.aborted) == (ended.version, True)
    if decision is not None:
        late = submit(service, table, decision, decision.options[0].option_id)
        assert (await refusal(late)).reason == "GAME_OVER"
    replay = game_service_pb2.GetReplayRequest(name=table.name)
    assert (await refusal(service.games.GetReplay(replay))).reason == "GAME_NOT_OVER"
    again = await service.games.Rematch(
        game_service_pb2.RematchRequest(name=table.name), metadata=table.as_seat(0)
    )
    assert again.seat == 0


async def export(service: Service, table: Table) -> bytes:
    exported = await ask(service, "ExportGame", pb.ExportGameRequest(name=table.name))
    assert exported.name == table.name
    return bytes(exported.document)


async def put(service: Service, document: bytes) -> game_pb2.Game:
    found: game_pb2.Game = await ask(service, "ImportGame", pb.ImportGameRequest(document=document))
    return found


async def test_an_exported_game_goes_on_in_another_store(
    service: Service, start: Start, behind: redis.Redis
) -> None:
    table = await begun(service, visibility=PRIVATE)
    await play(service, table, 9)
    decision = await deciding(service, table)
    assert decision is not None
    option, request_id = decision.options[0].option_id, new_id()
    commit = await submit(service, table, decision, option, request_id)
    views = [await get(service, table, seat) for seat in range(4)]
    document = await export(service, table)
    for secret in (table.host_token, table.join_code, *table.tokens):
        assert secret.encode() not in document
    # The same store once more, but for that it is another one.
    behind.flushall()
    async with start(admin_keys=HASHED) as other:
        assert (await refusal(get(other, table, 0))).reason == "GAME_NOT_FOUND"
        imported = await put(other, document)
        assert imported.version == views[0].version
        assert [await get(other, table, seat) for seat in range(4)] == views
        # What was answered there is answered again here.
        assert await submit(other, table, decision, option, request_id) == commit
        found = await ask(other, "ListAllGames", pb.ListAllGamesRequest())
        assert [game.name for game in found.games] == [table.name]
        # Once more does nothing; but a game that has gone on is not put back.
        assert await put(other, document) == imported
        await play(other, table, 3)
        refused = await refusal(put(other, document))
        assert (refused.code, refused.reason) == (grpc.StatusCode.ALREADY_EXISTS, "GAME_EXISTS")
        await play(other, table)
        assert (await get(other, table, 0)).HasField("result")


async def test_what_was_changed_or_sealed_elsewhere_is_not_taken(
    service: Service, start: Start, behind: redis.Redis
) -> None:
    document = await export(service, await lobby(service))
    behind.flushall()
    for place in (0, 20, 50, len(document) // 2, len(document) - 1):
        changed = bytearray(document)
        changed[place] ^= 1
        assert (await refusal(put(service, bytes(changed)))).reason == "INVALID_FIELD"
    async with start(admin_keys=HASHED, service_key_hex="6f" * 32) as other:
        assert (await refusal(put(other, document))).reason == "INVALID_FIELD"
    assert not behind.keys("*:game:*")
