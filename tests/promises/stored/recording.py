"""Stored games of every schema and rules revision: every later release must be able to go on.

    python -m tests.promises.stored.recording

adds those of the present one, from the root of the checkout: a game in the lobby, one at each kind
of pending decision, one that is over; each as the store holds it, with what then happens. To be run
and committed together with a higher SCHEMA or RULES_REVISION, and never again: a game is stored as
a release has written it, so the folders of earlier ones stay as they are.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import redis
from google.protobuf.json_format import MessageToDict

from coltexpress.v1 import event_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1.vocabulary_pb2 import DecisionKind, Expansion, Variant
from coltexpress_server.game.codec import RULES_REVISION, SCHEMA
from coltexpress_server.server import serving
from coltexpress_server.settings import read_settings
from coltexpress_server.store import EmbeddedValkey
from tests.api.games import played
from tests.api.tables import Service, Table, deciding, join, lobby, new_id, submit
from tests.promises.replicas import client_of

FOLDER = Path(__file__).parent
SERVICE_KEY = "5e" * 32
CAST = ("DOC", "GHOST", "BELLE", "TUCO", "CHEYENNE", "DJANGO")
PAIRS = ("DOC+GHOST", "BELLE+TUCO")
HORSES = (Expansion.EXPANSION_HORSES_AND_STAGECOACH,)
MARSHAL = (Expansion.EXPANSION_MARSHAL_AND_PRISONERS,)
GOES_ON = 10
"""How many choices after the stored position are recorded."""
MOST_OF_A_GAME = 3
"""How many positions are taken from one game: the next one has another number of players."""

LOBBY = "LOBBY"
FINISHED = "FINISHED"
POSITIONS = {LOBBY, FINISHED, *(decision.kind for decision in played().decisions)}
"""What there must be a stored game of: how far it is, or which decision is pending."""


@dataclass
class Move:
    """A choice, and what it brought about in the eyes of who made it."""

    seat: int
    decision_id: str
    option_id: str
    commit: dict[str, Any]


@dataclass
class StoredGame:
    """A game as the store held it, and what happened next.

    keys: by its name the content of each key, as `content_of` gives it.
    """

    position: str
    name: str
    host_token: str
    tokens: list[str]
    keys: dict[str, Any]
    moves: list[Move] = field(default_factory=list)

    @property
    def table(self) -> Table:
        return Table(self.name, self.host_token, "", list(self.tokens))


def folder_of(schema: int, rules_revision: int) -> Path:
    return FOLDER / f"schema_{schema}_rules_{rules_revision}"


def stored_games() -> list[Path]:
    """The files of all stored games."""
    return sorted(FOLDER.glob("schema_*/*.json"))


def read(path: Path) -> StoredGame:
    document = json.loads(path.read_bytes())
    moves = [Move(**move) for move in document.pop("moves")]
    return StoredGame(**document, moves=moves)


def put_back(store: redis.Redis, game: StoredGame) -> None:
    """Puts what is stored of a game into an empty store."""
    for key, (kind, content) in game.keys.items():
        match kind:
            case "hash":
                for name, value in content:
                    store.hset(key, _bytes(name), _bytes(value))
            case "stream":
                for entry_id, fields in content:
                    each: Any = {_bytes(name): _bytes(value) for name, value in fields}
                    store.xadd(key, each, id=entry_id)
            case "string":
                store.set(key, _bytes(content[0]))
            case "zset":
                for member, score in content:
                    store.zadd(key, {_bytes(member): score})


def unmarked(decision_id: str) -> str:
    """What stays the same of a decision's id whenever the same choices are made."""
    return decision_id.rpartition(".")[0]


def shown(commit: event_pb2.Commit) -> dict[str, Any]:
    """A commit without what chance and the clock make of it, and without words for people.

    Of the ids of decisions the marks are left out.
    """
    found = MessageToDict(commit, preserving_proto_field_name=True)
    for name in ("cursor", "commit_time"):
        found.pop(name, None)
    for event in found.get("events", ()):
        event.pop("text")
    for decision in found.get("decisions", ()):
        decision.pop("prompt", None)
        decision["id"] = unmarked(decision["id"])
        for option in decision.get("options", ()):
            option.pop("label")
    return found


@contextlib.asynccontextmanager
async def service_on(url: str, folder: Path) -> AsyncIterator[Service]:
    """A service with the key that all stored games were made with."""
    settings = read_settings(
        redis=url,
        service_key_hex=SERVICE_KEY,
        data_dir=folder,
        grpc_port=0,
        http_port="off",
        allow_fixed_seed=True,
        games_per_minute=0,
        join_codes_per_minute=0,
        abandoned_after_s=1e9,  # stored games are old, and wait all the same
        drain_s=0,
        grace_s=1,
    )
    async with serving(settings) as found, client_of(found.address) as service:
        yield service


def content_of(store: redis.Redis, key: bytes) -> tuple[str, list[Any]]:
    """The content of a key, bytes in base64."""
    found: Any = store.type(key)
    kind = found.decode()
    match kind:
        case "hash":
            found = store.hgetall(key)
            return kind, _pairs(found.items())
        case "stream":
            found = store.xrange(key)
            return kind, [[entry_id.decode(), _pairs(fields.items())] for entry_id, fields in found]
        case "zset":
            found = store.zrange(key, 0, -1, withscores=True)
            return kind, [[_text(member), score] for member, score in found]
        case "string":
            found = store.get(key)
            return kind, [_text(found)]
    raise AssertionError(f"keys of type {kind} are new: record them too")


def _pairs(pairs: Iterable[tuple[bytes, bytes]]) -> list[list[str]]:
    return [[_text(name), _text(value)] for name, value in pairs]


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text)


def _keep(store: redis.Redis, position: str, table: Table) -> StoredGame:
    keys: Any = store.keys()
    return StoredGame(
        position,
        table.name,
        table.host_token,
        list(table.tokens),
        {key.decode(): content_of(store, key) for key in sorted(keys)},
    )


def _kind_of(number: int) -> tuple[Variant.ValueType, Sequence[str]]:
    """The variant and who plays: all variants in turn, with more and more players."""
    if _expansions(number) == MARSHAL:
        variants = (Variant.VARIANT_STANDARD, Variant.VARIANT_EXPERT)
        return variants[number % 2], ("MARSHAL", *CAST[: 2 + number % 4])
    match number % 4:
        case 0:
            return Variant.VARIANT_TEAMS, CAST[:4]
        case 1:
            return Variant.VARIANT_EXPERT, CAST[:3]
        case 2:
            return Variant.VARIANT_EXPERT, PAIRS
    return Variant.VARIANT_STANDARD, CAST[: 3 + number // 4 % 4]


def _expansions(number: int) -> Sequence[Expansion.ValueType]:
    return ((), HORSES, MARSHAL)[number // 4 % 3]


async def _record(service: Service, store: redis.Redis, number: int) -> list[StoredGame]:
    """Plays a game; returns it as it was at the first of each kind of position."""
    store.flushall()
    chance = Random(number)
    variant, cast = _kind_of(number)
    seed = bytes([number]) * 32
    table = await lobby(service, cast, seed=seed, variant=variant, expansions=_expansions(number))
    for _ in cast:
        await join(service, table)
    found = {LOBBY: (0, _keep(store, LOBBY, table))}
    await service.games.StartGame(
        pb.StartGameRequest(name=table.name, request_id=new_id()),
        metadata=table.as_host,
    )
    moves: list[Move] = []
    while (decision := await deciding(service, table)) is not None:
        kind = DecisionKind.Name(decision.kind).removeprefix("DECISION_KIND_")
        if kind not in found:
            found[kind] = (len(moves), _keep(store, kind, table))
        option_id = chance.choice(decision.options).option_id
        commit = await submit(service, table, decision, option_id)
        moves.append(Move(decision.seat, decision.id, option_id, shown(commit)))
    found[FINISHED] = (len(moves), _keep(store, FINISHED, table))
    for begin, game in found.values():
        game.moves = moves[begin : begin + GOES_ON]
    return [game for _, game in found.values()]


async def main() -> None:
    folder = folder_of(SCHEMA, RULES_REVISION)
    if folder.exists():
        raise SystemExit(f"{folder} is there already, and stays as it is")
    missing = set(POSITIONS)
    games: list[StoredGame] = []
    with TemporaryDirectory() as name:
        async with (
            EmbeddedValkey(Path(name) / "store", appendfsync="no") as valkey,
            service_on(valkey.url, Path(name)) as service,
        ):
            with redis.Redis.from_url(valkey.url) as store:
                number = 0
                while missing:
                    number += 1
                    found = await _record(service, store, number)
                    new = [game for game in found if game.position in missing]
                    # Kinds of decision that are rare, last found, are taken first.
                    for game in new[::-1][:MOST_OF_A_GAME]:
                        missing.remove(game.position)
                        games.append(game)
    folder.mkdir()
    for game in games:
        path = folder / f"{game.position.lower()}.json"
        path.write_text(json.dumps(asdict(game), indent=1) + "\n")


if __name__ == "__main__":
    asyncio.run(main())
