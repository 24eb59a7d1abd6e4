"""Leaks: no secret is written anywhere: not into logs, errors, traces, the store or its files.

Secrets are tokens, join codes, request ids, API keys, the service's key, what webhooks are signed
with, seeds and hidden cards.
They are looked for in clear and in every form that encoding would give them.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import socket
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import grpc
import msgspec
import pytest
import redis
from google.protobuf.message import Message

from coltexpress.v1 import admin_service_pb2 as admin_pb
from coltexpress.v1 import game_pb2, vocabulary_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1 import seat_service_pb2 as seat_pb
from coltexpress_server.game.codec import RULES_REVISION, SCHEMA
from coltexpress_server.server_process import ServerProcess
from coltexpress_server.store import EmbeddedValkey
from coltexpress_server.store.keys import game_keys
from tests.api.tables import Service, Table, bearer, deciding
from tests.collectors import Collector
from tests.promises.replicas import client_of
from tests.promises.wire import GAMES, Answer, Metadata, call

API_KEY = "an API key, 7d1ce9e0c0ffee"
ADMIN_KEY = "the operator's own key, 5eeded"
COLLECTOR_KEY = "a-key-of-the-collector-c0ffee"
PLAYER = "Ann of Arizona"
SERVICE_KEY = bytes(range(100, 132))
CAST = ("DOC", "GHOST", "BELLE", "TUCO")

WEBHOOK = "http://127.0.0.1:1/webhook-path-of-a-player"
"""Nobody listens there."""

LOGGED = {
    *("timestamp", "level", "event", "method", "game", "seat", "version"),
    *("code", "reason", "latency_ms", "cause", "defect", "warning"),
    *("trace_id", "span_id"),
    *("attempt", "given_up", "why", "operator"),
}
"""What a line of the log may tell."""

TRACED = {
    *("rpc.system.name", "rpc.method", "rpc.response.status_code", "error.type"),
    *("db.system.name", "db.operation.name", "db.stored_procedure.name"),
    *("http.request.method", "http.response.status_code"),
    *("coltexpress.game", "coltexpress.seat", "coltexpress.version", "coltexpress.reason"),
}
"""What a span may tell of such games."""


@dataclass
class Secrets:
    """What must be written nowhere."""

    texts: list[str] = field(default_factory=list)
    seeds: list[bytes] = field(default_factory=list)

    def new_id(self) -> str:
        """A request id, kept."""
        self.texts.append(str(uuid.uuid4()))
        return self.texts[-1]

    def add(self, *texts: str) -> None:
        self.texts += [text for text in texts if text]

    def found_in(self, data: bytes, *, seeds_too: bool = True) -> list[bytes]:
        """The forms of secrets that occur in some bytes."""
        wanted = [form for text in self.texts for form in forms_of_text(text)]
        if seeds_too:
            wanted += [form for seed in (*self.seeds, SERVICE_KEY) for form in forms(seed)]
        return [form for form in wanted if form in data]


def forms_of_text(text: str) -> Iterator[bytes]:
    """A text, and what it stands for: a UUID's or a token's bytes."""
    yield from forms(text.encode())
    if re.fullmatch(r"[0-9a-f-]{36}", text):
        yield from forms(uuid.UUID(text).bytes)
    kind, _, token = text.partition("_")
    if kind == "whsec":
        yield from forms(base64.b64decode(token))
    if kind in {"seat", "host"}:
        yield token.encode()
        yield from forms(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))


def forms(secret: bytes) -> Iterator[bytes]:
    """Bytes in clear, in hexadecimal digits, in base64 wherever in a longer text they stand."""
    yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    for before in range(3):
        whole = base64.b64encode(bytes(before) + secret)
        # Only what does not depend on what stands around it.
        inner = whole[(before * 8 + 5) // 6 : (before + len(secret)) * 8 // 6]
        yield inner
        yield inner.replace(b"+", b"-").replace(b"/", b"_")


class Monitor:
    """All commands that a server behind a Unix socket is sent, as it tells them."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._socket = socket.socket(socket.AF_UNIX)

    def __enter__(self) -> Monitor:
        self._socket.settimeout(20)
        self._socket.connect(self._url.removeprefix("unix://"))
        self._socket.sendall(b"MONITOR\r\n")
        assert self._socket.recv(5) == b"+OK\r\n"
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def commands(self) -> bytes:
        """Everything said so far, with what it escaped put back into bytes."""
        with redis.Redis.from_url(self._url) as client:
            client.echo("that is all")
        said = b""
        while b"that is all" not in said:
            said += self._socket.recv(1 << 20)
        return re.sub(rb"\\(x[0-9a-f]{2}|.)", _unescaped, said)


def _unescaped(found: re.Match[bytes]) -> bytes:
    escape = found[1].decode()
    if len(escape) == 3:
        return bytes.fromhex(escape[1:])
    return {"n": b"\n", "r": b"\r", "t": b"\t", "a": b"\a", "b": b"\b"}.get(escape, found[1])


class Witness:
    """Plays games, makes mistakes, and keeps all that the service said to strangers."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.secrets = Secrets()
        self.overheard: list[bytes] = []
        self.hidden: set[str] = set()

    async def game(self, visibility: game_pb2.Visibility.ValueType, key: Metadata) -> Table:
        """A game that has begun; one seat was left and taken anew."""
        secrets = self.secrets
        seed = hashlib.sha256(bytes([visibility])).digest()
        secrets.seeds.append(seed)
        created = await self.service.games.CreateGame(
            pb.CreateGameRequest(
                game=game_pb2.Game(
                    visibility=visibility, seats=[game_pb2.Seat(figures=[name]) for name in CAST]
                ),
                seed=seed,
                request_id=secrets.new_id(),
            ),
            metadata=key,
        )
        secrets.add(created.host_token, created.game.join_code)
        table = Table(created.game.name, created.host_token, created.game.join_code)
        left = await self._join(table, key)
        await self.service.games.LeaveGame(
            pb.LeaveGameRequest(name=table.name, request_id=secrets.new_id()),
            metadata=bearer(left),
        )
        for _ in CAST:
            table.tokens.append(await self._join(table, key))
        await self.service.games.StartGame(
            pb.StartGameRequest(name=table.name, request_id=secrets.new_id()),
            metadata=table.as_host,
        )
        for seat in range(len(CAST)):
            webhook = await self.service.seats.SetWebhook(
                seat_pb.SetWebhookRequest(
                    name=table.name, url=WEBHOOK, request_id=secrets.new_id()
                ),
                metadata=table.as_seat(seat),
            )
            secrets.add(webhook.secret)
        return table

    async def play(self, table: Table) -> None:
        """Plays to the end; before that, a spectator looks on after each choice."""
        chance = Random(5)
        while (decision := await deciding(self.service, table)) is not None:
            option = chance.choice(decision.options)
            request_id = self.secrets.new_id()
            request = pb.SubmitActionRequest(
                name=table.name,
                decision_id=decision.id,
                option_id=option.option_id,
                request_id=request_id,
            )
            own = table.as_seat(decision.seat)
            answer = await call(self.service.channel, f"{GAMES}SubmitAction", request, own)
            assert answer.code is grpc.StatusCode.OK
            request.option_id = "pass"
            await self.refused("SubmitAction", request, own)
            look = pb.GetGameRequest(name=table.name)
            seen = await call(self.service.channel, f"{GAMES}GetGame", look)
            if pb.SubmitActionResponse.FromString(answer.messages[0]).commit.decisions:
                self.overheard += seen.messages

    async def mistakes(self, table: Table) -> None:
        """Calls that are refused in many ways."""
        secrets, name = self.secrets, table.name
        wrong_key = "a key that opens nothing, 0badc0de"
        wrong_token = "seat_" + base64.urlsafe_b64encode(bytes(range(32))).decode().rstrip("=")
        malformed = secrets.new_id().upper()
        secrets.add(wrong_key, wrong_token, malformed)
        look = pb.GetGameRequest(name=name)
        await self.refused("GetGame", look, (("x-api-key", wrong_key),))
        await self.refused("GetGame", look, bearer(wrong_token))
        await self.refused("GetGame", look, (("authorization", f"Basic {wrong_token}"),))
        leave = pb.LeaveGameRequest(name=name, request_id=malformed)
        await self.refused("LeaveGame", leave, table.as_seat(0))
        join = pb.JoinGameRequest(
            name=name, request_id=secrets.new_id(), join_code="wrong_join_code_8c"
        )
        secrets.add(join.join_code)
        await self.refused("JoinGame", join)
        await self.refused("DeleteGame", pb.DeleteGameRequest(name=name, request_id=malformed))
        await self.refused("SubmitAction", b"\xff" + secrets.new_id().encode(), table.as_seat(0))

    async def afterwards(self, table: Table, operator: Metadata) -> None:
        """All go on to a rematch; an operator looks at the game and takes a copy."""
        for caller in (table.as_host, *(table.as_seat(seat) for seat in range(len(CAST)))):
            again = await self.service.games.Rematch(
                pb.RematchRequest(name=table.name), metadata=caller
            )
            self.secrets.add(again.host_token, again.seat_token, again.game.join_code)
        admin = self.service.admin
        await admin.InspectGame(admin_pb.InspectGameRequest(name=table.name), metadata=operator)
        exported = await admin.ExportGame(
            admin_pb.ExportGameRequest(name=table.name), metadata=operator
        )
        self.overheard.append(exported.name.encode())
        guess = pb.FindGameRequest(join_code="W8NGCD")
        self.secrets.add(guess.join_code)
        await self.refused("FindGame", guess)
        wrong_key = "an admin key that opens nothing"
        self.secrets.add(wrong_key)
        await self.refused("ListGames", pb.ListGamesRequest(), (("x-admin-key", wrong_key),))

    async def refused(
        self, method: str, request: Message | bytes, metadata: Metadata = ()
    ) -> Answer:
        answer = await call(self.service.channel, GAMES + method, request, metadata)
        assert answer.code is not grpc.StatusCode.OK
        self.overheard.append(repr((answer.details, answer.initial)).encode())
        self.overheard += [
            value if isinstance(value, bytes) else value.encode() for _, value in answer.trailing
        ]
        return answer

    async def _join(self, table: Table, key: Metadata) -> str:
        joined = await self.service.games.JoinGame(
            pb.JoinGameRequest(
                name=table.name,
                request_id=self.secrets.new_id(),
                join_code=table.join_code,
                display_name=PLAYER,
                entropy=b"entropy of a player",
            ),
            metadata=key,
        )
        self.secrets.add(joined.seat_token)
        return str(joined.seat_token)


async def test_no_secret_is_written_anywhere(tmp_path: Path) -> None:
    log = tmp_path / "log"
    digest_of_key = hashlib.sha256(API_KEY.encode()).hexdigest()
    digest_of_admin_key = hashlib.sha256(ADMIN_KEY.encode()).hexdigest()
    collector = Collector()
    async with EmbeddedValkey(tmp_path / "store", appendfsync="no") as valkey:
        process = ServerProcess(
            *("--redis", valkey.url, "--service-key-hex", SERVICE_KEY.hex()),
            *("--log-level", "debug", "--log-format", "json"),
            *("--drain-s", "0", "--grace-s", "2", "--allow-fixed-seed"),
            *("--api-keys", json.dumps({"ann": digest_of_key}), "--allow-private-webhooks"),
            *("--admin-keys", json.dumps({"olga": digest_of_admin_key})),
            *("--otlp-endpoint", collector.url, "--otlp-headers", f"x-key={COLLECTOR_KEY}"),
            log=log,
        )
        with Monitor(valkey.url) as monitor, redis.Redis.from_url(valkey.url) as store:
            with collector, process:
                async with client_of(process.address) as service:
                    witness = Witness(service)
                    witness.secrets.add(API_KEY, ADMIN_KEY, COLLECTOR_KEY)
                    key = (("x-api-key", API_KEY),)
                    tables = [
                        await witness.game(game_pb2.VISIBILITY_PUBLIC, ()),
                        await witness.game(game_pb2.VISIBILITY_PRIVATE, key),
                    ]
                    for table in tables:
                        await witness.mistakes(table)
                        await witness.play(table)
                        await witness.afterwards(table, (("x-admin-key", ADMIN_KEY),))
                    kept = b"\n".join(everything_in(store))
                    await _break(witness, store, tables[0])
                    await service.games.DeleteGame(
                        pb.DeleteGameRequest(
                            name=tables[1].name, request_id=witness.secrets.new_id()
                        ),
                        metadata=tables[1].as_host,
                    )
            commands = monitor.commands()
    secrets = witness.secrets
    logged = log.read_bytes()
    files = _files(tmp_path / "store")
    traced = b"\n".join(collector.bodies)
    assert secrets.found_in(logged) == []
    assert secrets.found_in(traced) == []
    assert secrets.found_in(b"\n".join(witness.overheard)) == []
    path = WEBHOOK.rpartition("/")[2].encode()
    assert path not in b"\n".join((logged, traced, *witness.overheard))
    assert path in kept
    # The store keeps the seeds, for nothing else could go on with a game.
    for stored in (kept, commands, *files):
        assert secrets.found_in(stored, seeds_too=False) == []
    assert secrets.seeds[0] in kept
    assert secrets.seeds[0] in commands
    assert any(secrets.seeds[0] in data for data in files)
    _check_log(logged)
    _check_spans(collector, logged)


def _files(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]


def _check_log(logged: bytes) -> None:
    """Only what a line may tell is told, and no card or choice is among it."""
    lines = [json.loads(line) for line in logged.splitlines()]
    methods = [line.get("method") for line in lines]
    assert methods.count("SubmitAction") > 200
    assert "webhook not delivered" in {line["event"] for line in lines}
    assert {"INTERNAL", "STORE_UNAVAILABLE"} <= {line.get("reason") for line in lines}
    assert {name for line in lines for name in line} <= LOGGED
    assert hidden_in(logged) == []


def _check_spans(collector: Collector, logged: bytes) -> None:
    """Only what a span may tell is told; each line of the log is found by its span."""
    spans = collector.spans()
    assert {header["x-key"] for header in collector.headers} == {COLLECTOR_KEY}
    assert {name for span in spans for name in span.attributes} <= TRACED
    told = [str(value) for span in spans for value in (span.name, *span.attributes.values())]
    assert hidden_in("\n".join(told).encode()) == []
    assert PLAYER.encode() not in b"\n".join(collector.bodies)
    assert {"INTERNAL", "STORE_UNAVAILABLE"} <= {
        span.attributes.get("coltexpress.reason") for span in spans
    }
    lines = [json.loads(line) for line in logged.splitlines()]
    named = {(line["trace_id"], line["span_id"]) for line in lines if "span_id" in line}
    assert len(named) > 200
    assert named <= {(span.trace_id, span.span_id) for span in spans}


def hidden_in(data: bytes) -> list[bytes]:
    """The cards and choices that are named."""
    cards = "|".join(vocabulary_pb2.CardKind.keys()).replace("CARD_KIND_", "")
    return re.findall(rf"\b({cards}|play|rob|punch|draw)\b".encode(), data)


async def _break(witness: Witness, store: redis.Redis, table: Table) -> None:
    """Has the store not answer for a while, and hold what nobody has written."""
    keys = game_keys(table.name.removeprefix("games/"))
    leave = pb.LeaveGameRequest(name=table.name, request_id=witness.secrets.new_id())
    store.client_pause(20_000, all=False)
    found = await witness.refused("LeaveGame", leave, table.as_seat(0))
    assert found.code is grpc.StatusCode.UNAVAILABLE
    store.client_unpause()
    entries: Any = store.xrange(keys.entries)
    store.delete(keys.entries)
    # An exception will quote this option.
    decision = [0, "DOC", "SCHEME", ["a FIRE card"], False, 0]
    step = [SCHEMA, RULES_REVISION, "PLAYER", 0, "draw", [], [decision], b""]
    entries[-1][1].update({b"mark": b"f" * 16, b"payload": msgspec.msgpack.encode(step)})
    for entry_id, fields in entries:
        store.xadd(keys.entries, fields, id=entry_id)
    history = pb.ListEventsRequest(parent=table.name, page_size=1_000)
    found = await witness.refused("ListEvents", history)
    assert found.code is grpc.StatusCode.INTERNAL
    store.hset(keys.game, mapping={"state": b"\x93nonsense", "mark": "0" * 16})
    found = await witness.refused("LeaveGame", leave, table.as_seat(0))
    assert found.code is grpc.StatusCode.INTERNAL


def everything_in(store: redis.Redis) -> Iterator[bytes]:
    """All keys and all values."""
    keys: Any = store.keys()
    for key in keys:
        yield key
        kind: Any = store.type(key)
        match kind:
            case b"hash":
                content: Any = store.hgetall(key)
                yield from (part for pair in content.items() for part in pair)
            case b"stream":
                content = store.xrange(key)
                yield from (part for _, each in content for pair in each.items() for part in pair)
            case b"zset":
                content = store.zrange(key, 0, -1)
                yield from content
            case b"string":
                content = store.get(key)
                yield content
            case _:
                raise AssertionError(kind)


@pytest.mark.parametrize("before", range(3))
def test_what_is_looked_for_is_found(before: int) -> None:
    secrets = Secrets()
    request_id = secrets.new_id()
    secrets.add("seat_" + base64.urlsafe_b64encode(bytes(range(32))).decode().rstrip("="))
    secrets.seeds.append(bytes(range(32, 64)))
    around = bytes(range(before))
    for hidden in (
        request_id.encode(),
        request_id.encode().hex().encode(),
        uuid.UUID(request_id).bytes,
        uuid.UUID(request_id).hex.encode(),
        base64.b64encode(around + request_id.encode() + b"behind"),
        base64.urlsafe_b64encode(around + bytes(range(32)) + b"behind"),
        bytes(range(32)),
        bytes(range(32, 64)).hex().encode(),
        SERVICE_KEY.hex().upper().encode(),
    ):
        assert secrets.found_in(b"before" + hidden + b"behind")
    assert secrets.found_in(b"before and behind") == []
