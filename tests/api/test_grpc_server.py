"""The server itself: health, reflection, TLS, draining."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from coltexpress.errors import error_of
from coltexpress.v1 import game_pb2, server_service_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.api.listening import CannotListen
from coltexpress_server.server import serving
from coltexpress_server.settings import Settings
from tests.api.conftest import MakeSettings, Start
from tests.api.tables import Service, begun, get, lobby

Task = asyncio.Task[None]

Status = health_pb2.HealthCheckResponse
ADMIN = "coltexpress.v1.AdminService"
GAMES = "coltexpress.v1.GameService"
SEATS = "coltexpress.v1.SeatService"
SERVER = "coltexpress.v1.ServerService"
CATALOG = "coltexpress.v1.CatalogService"
TLS = Path(__file__).parent / "tls"


def health(service: Service) -> Any:
    return health_pb2_grpc.HealthStub(service.channel)


@pytest.mark.parametrize("name", ["", ADMIN, GAMES, SEATS, SERVER, CATALOG])
async def test_every_service_is_healthy(service: Service, name: str) -> None:
    found = await health(service).Check(health_pb2.HealthCheckRequest(service=name))
    assert found.status == Status.SERVING


async def test_the_health_of_another_service_is_not_known(service: Service) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await health(service).Check(health_pb2.HealthCheckRequest(service="x"))
    assert raised.value.code() is grpc.StatusCode.NOT_FOUND


async def test_only_so_many_calls_are_open_and_others_are_told_to_come_back(start: Start) -> None:
    async with start(max_calls=1) as service:
        table = await lobby(service)
        watch: Any = service.games.WatchGame(pb.WatchGameRequest(name=table.name))
        assert (await watch.read()).HasField("game")
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await get(service, table)
        error = error_of(raised.value)
        assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY")
        assert error.retry_after is not None
        # Whoever looks whether it is alive is let in.
        found = await health(service).Check(health_pb2.HealthCheckRequest(service=GAMES))
        assert found.status == Status.SERVING
        watch.cancel()
        async with asyncio.timeout(9):
            while reason := await reason_of(get(service, table)):
                assert reason == "TOO_MANY"


async def reason_of(call: Awaitable[Any]) -> str:
    """Why a call is refused; empty if it is not."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return error_of(error).reason
    return ""


async def test_the_services_are_told_by_reflection(service: Service) -> None:
    channel: Any = service.channel  # the annotation knows of synchronous channels only
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
    call = stub.ServerReflectionInfo(
        iter(
            [
                reflection_pb2.ServerReflectionRequest(list_services=""),
                reflection_pb2.ServerReflectionRequest(file_containing_symbol=GAMES),
            ]
        )
    )
    listed, described = [answer async for answer in call]
    names = {each.name for each in listed.list_services_response.service}
    assert names == {
        *(ADMIN, GAMES, SEATS, SERVER, CATALOG, "grpc.health.v1.Health"),
        "grpc.reflection.v1alpha.ServerReflection",
    }
    assert described.file_descriptor_response.file_descriptor_proto


@contextlib.asynccontextmanager
async def leaving(settings: Settings) -> AsyncIterator[tuple[Service, Callable[[], Task]]]:
    """A client that stays where the server goes, and how to make it go."""
    async with contextlib.AsyncExitStack() as server:
        found = await server.enter_async_context(serving(settings))
        async with grpc.aio.insecure_channel(found.address) as channel:
            tasks: list[Task] = []

            def leave() -> Task:
                tasks.append(asyncio.create_task(server.pop_all().aclose()))
                return tasks[0]

            yield Service(channel, found.address), leave
        await asyncio.gather(*tasks)


async def test_watches_and_long_polls_end_when_the_server_drains(
    make_settings: MakeSettings,
) -> None:
    async with leaving(make_settings(grace_s=20)) as (service, leave), asyncio.timeout(15):
        table = await begun(service)
        stream = service.games.WatchGame(pb.WatchGameRequest(name=table.name))
        game = (await stream.read()).game
        healthy = health(service).Watch(health_pb2.HealthCheckRequest(service=GAMES))
        assert (await healthy.read()).status == Status.SERVING
        poll = asyncio.ensure_future(get(service, table, wait_for_version=99))
        # Answered after the poll has been taken up: one connection keeps the order.
        await get(service, table)
        gone = leave()
        assert (await healthy.read()).status == Status.NOT_SERVING
        end = (await stream.read()).end
        assert end.reason == pb.EndOfStream.REASON_DRAINING
        assert end.cursor == game.cursor
        assert await stream.read() is grpc.aio.EOF
        assert (await poll).version == game.version
        healthy.cancel()
        await gone


async def test_a_server_goes_on_serving_while_it_turns_clients_away(
    make_settings: MakeSettings,
) -> None:
    async with leaving(make_settings(drain_s=1)) as (service, leave):
        table = await lobby(service)
        healthy = health(service).Watch(health_pb2.HealthCheckRequest(service=""))
        assert (await healthy.read()).status == Status.SERVING
        leave()
        assert (await healthy.read()).status == Status.NOT_SERVING
        assert (await get(service, table)).state == game_pb2.Game.STATE_LOBBY
        healthy.cancel()


async def test_calls_that_do_not_end_are_cut_off_after_the_grace_time(
    make_settings: MakeSettings,
) -> None:
    async with leaving(make_settings(grace_s=0.2)) as (service, leave), asyncio.timeout(10):
        table = await lobby(service)
        healthy = health(service).Watch(health_pb2.HealthCheckRequest(service=""))
        await healthy.read()  # whoever watches the health is not told to go
        await leave()
        assert (await healthy.read()).status == Status.NOT_SERVING
        with pytest.raises(grpc.aio.AioRpcError):
            await get(service, table)


async def test_a_stream_begun_behind_a_cursor_goes_on_at_another_server(start: Start) -> None:
    async with start() as other:
        async with start() as service:
            table = await begun(service)
            stream = service.games.WatchGame(pb.WatchGameRequest(name=table.name))
            cursor = (await stream.read()).game.cursor
            stream.cancel()
        resumed = other.games.WatchGame(pb.WatchGameRequest(name=table.name, cursor=cursor))
        commit = asyncio.ensure_future(resumed.read())
        decision = (await get(other, table)).decisions[0]
        await other.games.SubmitAction(
            pb.SubmitActionRequest(
                name=table.name,
                decision_id=decision.id,
                option_id="draw",
                request_id="01234567-89ab-4cde-8f01-23456789abcd",
            ),
            metadata=table.as_seat(decision.seat),
        )
        assert (await commit).commit.version == 7


async def test_a_port_in_use_is_said_to_be_so(start: Start, make_settings: MakeSettings) -> None:
    async with start() as service:
        port = int(service.address.rpartition(":")[2])
        with pytest.raises(CannotListen, match=f"127.0.0.1:{port}: Address already in use"):
            async with serving(make_settings(grpc_port=port)):
                pass


async def test_tls(make_settings: MakeSettings) -> None:
    settings = make_settings(tls_cert=TLS / "cert.pem", tls_key=TLS / "key.pem")
    roots = grpc.ssl_channel_credentials((TLS / "cert.pem").read_bytes())
    async with (
        serving(settings) as found,
        grpc.aio.secure_channel(found.address, roots) as channel,
        grpc.aio.insecure_channel(found.address) as plain,
    ):
        request = server_service_pb2.GetServerInfoRequest()
        info = await Service(channel, found.address).server.GetServerInfo(request)
        assert info.version
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await Service(plain, found.address).server.GetServerInfo(request)
        assert raised.value.code() is grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize(
    ("cert", "key", "reason"),
    [
        ("none.pem", "key.pem", "No such file"),
        ("key.pem", "key.pem", "no certificate with its key"),
        ("cert.pem", "cert.pem", "no certificate with its key"),
    ],
)
async def test_certificates_that_are_no_good_are_named(
    make_settings: MakeSettings, cert: str, key: str, reason: str
) -> None:
    with pytest.raises(CannotListen, match=reason) as unusable:
        async with serving(make_settings(tls_cert=TLS / cert, tls_key=TLS / key)):
            pass
    assert str(TLS / cert) in str(unusable.value)


async def test_connections_have_an_age_where_that_is_set(start: Start) -> None:
    """The client is asked to connect anew, and notices nothing."""
    async with start(max_connection_age_s=0.1, max_connection_age_grace_s=5) as service:
        table = await lobby(service)
        states = []
        state = service.channel.get_state()
        async with asyncio.timeout(10):
            while grpc.ChannelConnectivity.IDLE not in states:
                await service.channel.wait_for_state_change(state)
                state = service.channel.get_state()
                states.append(state)
        assert (await get(service, table)).name == table.name
