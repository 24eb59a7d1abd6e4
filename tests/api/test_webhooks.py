"""Webhooks over sockets: what is sent to whom, tried again, given up; and where nothing is sent."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
import redis

from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1 import seat_service_pb2 as seat_pb
from coltexpress.v1.decision_pb2 import Decision
from coltexpress_server.game.vocabulary import parse
from coltexpress_server.metrics import Metrics
from coltexpress_server.service import play as playing
from coltexpress_server.service.callers import ANONYMOUS, Caller
from coltexpress_server.service.games import Games
from coltexpress_server.store import Store
from tests.api.conftest import Logs, MakeSettings, Start
from tests.api.receivers import LIMIT, Receiver, receiving
from tests.api.tables import (
    Service,
    Table,
    begun,
    deciding,
    join,
    lobby,
    new_id,
    play,
    refusal,
    submit,
)

Standing = seat_pb.Webhook.Standing
QUICK: dict[str, Any] = {
    "allow_private_webhooks": True,
    "webhook_timeout_s": 2,
    "webhook_retry_s": 0.01,
    "sweep_interval_s": 0.05,
}
THREE = ("DOC", "GHOST", "BELLE")


@pytest.fixture
async def service(start: Start) -> AsyncIterator[Service]:
    async with start(**QUICK) as service:
        yield service


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        yield receiver


async def set_(
    service: Service, table: Table, seat: int, url: str, request_id: str = ""
) -> seat_pb.Webhook:
    found: seat_pb.Webhook = await service.seats.SetWebhook(
        seat_pb.SetWebhookRequest(name=table.name, url=url, request_id=request_id or new_id()),
        metadata=table.as_seat(seat),
    )
    return found


async def get_(service: Service, table: Table, seat: int | None) -> seat_pb.Webhook:
    found: seat_pb.Webhook = await service.seats.GetWebhook(
        seat_pb.GetWebhookRequest(name=table.name), metadata=table.as_seat(seat)
    )
    return found


async def open_one(service: Service, table: Table) -> Decision:
    found = await deciding(service, table)
    assert found is not None
    return found


async def until_decides(service: Service, table: Table, seat: int) -> Decision:
    """Plays until a seat has been asked; returns the decision."""
    while (decision := await open_one(service, table)).seat != seat:
        await submit(service, table, decision, decision.options[0].option_id)
    return decision


async def test_a_seat_is_told_when_it_is_to_decide_and_nothing_else(
    service: Service, receiver: Receiver
) -> None:
    table = await begun(service, THREE)
    first = await open_one(service, table)
    seat = (first.seat + 1) % 3
    hook = await set_(service, table, seat, receiver.url("/hook?for=me"))
    assert (hook.seat, hook.standing) == (seat, Standing.STANDING_ACTIVE)
    decision = await until_decides(service, table, seat)
    received = await receiver.next()
    assert received.path == "/hook?for=me"
    assert received.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert received.headers["content-type"] == "application/json"
    assert received.is_signed_with(hook.secret)
    content = received.content
    assert dt.datetime.fromisoformat(content.pop("timestamp")).tzinfo is not None
    version = content["data"].pop("version")
    assert version <= (await get_version(service, table))
    assert content == {
        "type": "decision.opened",
        "data": {
            "game": table.name,
            "seat": seat,
            "decision": {"id": decision.id, "kind": "SCHEME"},
        },
    }
    assert not receiver.unread()


async def test_all_who_want_are_told_of_the_end(service: Service, receiver: Receiver) -> None:
    table = await begun(service, THREE)
    await play(service, table, choices=20)
    for seat in (0, 2):
        await set_(service, table, seat, receiver.url(f"/{seat}"))
    await play(service, table)
    over: set[int] = set()
    while over != {0, 2}:
        received = await receiver.next()
        if received.content["type"] == "game.over":
            assert received.path == f"/{received.content['data']['seat']}"
            over.add(received.content["data"]["seat"])


async def test_a_message_is_repeated_until_it_is_taken(start: Start) -> None:
    settings = QUICK | {"webhook_timeout_s": 0.3}
    async with receiving(500, 302, 200) as receiver, start(**settings) as service:
        table = await begun(service, THREE)
        seat = ((await open_one(service, table)).seat + 1) % 3
        hook = await set_(service, table, seat, receiver.url())
        await until_decides(service, table, seat)
        messages = [await receiver.next() for _ in range(3)]
        # A redirect is not followed.
        assert {message.path for message in messages} == {"/hook"}
        assert len({message.headers["webhook-id"] for message in messages}) == 1
        assert all(message.is_signed_with(hook.secret) for message in messages)
        assert (await get_(service, table, seat)).failures == 0


async def test_what_a_process_could_not_send_any_more_another_one_sends(
    service: Service, receiver: Receiver, make_settings: MakeSettings, valkey_url: str
) -> None:
    """A process that commits and is gone: here, one that never sends anything."""
    table = await begun(service, THREE)
    decision = await open_one(service, table)
    hook = await set_(service, table, (decision.seat + 1) % 3, receiver.url())
    store = Store(valkey_url)
    gone = Games(store, make_settings(**QUICK | {"webhook_timeout_s": 0.01}), Metrics())
    answer = parse(decision.options[0].option_id)
    assert answer is not None
    await playing.submit(
        gone,
        Caller(ANONYMOUS, table.tokens[decision.seat]),
        table.name.removeprefix("games/"),
        new_id(),
        decision_id=decision.id,
        answer=answer,
    )
    await store.close()
    received = await receiver.next()
    assert received.is_signed_with(hook.secret)
    assert received.content["data"]["decision"]["id"] == (await open_one(service, table)).id


@pytest.mark.parametrize(("status", "messages"), [(500, 2), (410, 1)])
async def test_a_webhook_that_does_not_work_is_disabled(
    start: Start, logs: Logs, status: int, messages: int
) -> None:
    settings = QUICK | {"webhook_attempts": 1, "webhook_failures": 2}
    async with receiving(status) as receiver, start(**settings) as service:
        table = await begun(service, THREE)
        if (decision := await open_one(service, table)).seat == 0:
            await submit(service, table, decision, decision.options[0].option_id)
        found = await set_(service, table, 0, receiver.url("/secret-path"))
        for number in range(messages):
            assert found.standing == Standing.STANDING_ACTIVE
            decision = await until_decides(service, table, 0)
            await receiver.next()
            async with asyncio.timeout(LIMIT):
                while (found := await get_(service, table, 0)).failures == number:
                    pass
            await submit(service, table, decision, decision.options[0].option_id)
        assert (found.standing, found.failures) == (Standing.STANDING_DISABLED, messages)
        again = await set_(service, table, 0, receiver.url())
        assert (again.standing, again.failures) == (Standing.STANDING_ACTIVE, 0)
        assert "secret-path" not in str(logs.lines)


async def test_a_webhook_is_the_seats_own_and_ends_with_its_token(
    service: Service, receiver: Receiver, behind: redis.Redis
) -> None:
    table = await lobby(service, THREE)
    await join(service, table)
    await join(service, table)
    hook = await set_(service, table, 0, receiver.url())
    found = await get_(service, table, 0)
    assert (found.url, found.secret) == (receiver.url(), "")
    assert (await get_(service, table, 1)).standing == Standing.STANDING_NONE
    assert (await refusal(get_(service, table, None))).reason == "TOKEN_MISSING"
    key = hook.secret.encode()
    assert not any(key in (behind.dump(each) or b"") for each in behind.keys("*"))
    await service.games.LeaveGame(
        pb.LeaveGameRequest(name=table.name, request_id=new_id()), metadata=table.as_seat(0)
    )
    table.tokens.pop(0)
    joined = await service.games.JoinGame(
        pb.JoinGameRequest(name=table.name, seat=0, request_id=new_id())
    )
    table.tokens.insert(0, joined.seat_token)
    assert (await get_(service, table, 0)).standing == Standing.STANDING_NONE


async def test_a_request_has_one_effect_and_one_answer(
    service: Service, receiver: Receiver
) -> None:
    table = await begun(service, THREE)
    request_id = new_id()
    first = await set_(service, table, 0, receiver.url(), request_id)
    removed = await set_(service, table, 0, "")
    assert removed.standing == Standing.STANDING_NONE
    assert await set_(service, table, 0, receiver.url(), request_id) == first
    assert (await get_(service, table, 0)).standing == Standing.STANDING_NONE
    found = await refusal(set_(service, table, 0, receiver.url("/other"), request_id))
    assert found.reason == "REQUEST_ID_REUSED"
    assert (await set_(service, table, 0, receiver.url())).secret != first.secret


async def test_changes_of_a_webhook_are_limited(service: Service, receiver: Receiver) -> None:
    table = await begun(service, THREE)
    for _ in range(20):
        await set_(service, table, 0, receiver.url())
    found = await refusal(set_(service, table, 0, receiver.url()))
    assert (found.code, found.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY")
    await set_(service, table, 1, receiver.url())


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/",
        "https://127.1/",
        "https://2130706433/",
        "https://localhost:8443/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://10.1.2.3/",
        "https://169.254.169.254/latest/meta-data",
        "https://0.0.0.0/",
        "http://203.0.114.1/",
        "https://user:password@203.0.114.1/",
        "https:///path",
        "ftp://203.0.114.1/",
        "x",
    ],
)
async def test_nothing_is_sent_where_it_could_do_harm(start: Start, url: str) -> None:
    async with start() as service:
        table = await begun(service, THREE)
        found = await refusal(set_(service, table, 0, url))
        assert (found.reason, found.details["field"]) == ("INVALID_FIELD", "url")
        assert (await get_(service, table, 0)).standing == Standing.STANDING_NONE


async def test_a_server_may_have_no_webhooks(start: Start, receiver: Receiver) -> None:
    async with start(**QUICK | {"webhooks_at_once": 0}) as service:
        table = await begun(service, THREE)
        found = await refusal(set_(service, table, 0, receiver.url()))
        assert found.reason == "WEBHOOKS_NOT_ALLOWED"


async def get_version(service: Service, table: Table) -> int:
    game = await service.games.GetGame(pb.GetGameRequest(name=table.name))
    return int(game.version)
