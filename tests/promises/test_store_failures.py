"""What callers meet when the store fails, and when it comes back older than it was.

Two processes use a server of its own, by a connection that can be cut and led elsewhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio

from coltexpress import Client, ColtExpressError, Game
from coltexpress.v1 import event_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.conformance.proxy import Proxy
from coltexpress_server.server_process import NotStarted
from coltexpress_server.store.keys import game_keys
from tests.api.tables import Service, Table, begun, deciding, get, new_id, play, submit
from tests.client.conftest import QUICK
from tests.client.games import begun as client_begun
from tests.client.games import play_out
from tests.promises.conftest import Size
from tests.promises.moves import (
    BANDITS,
    STARTED,
    commit_in,
    history,
    open_decision,
    submission,
)
from tests.promises.replicas import answer, client_of, on_store, refusal, success
from tests.store.behind import until
from tests.store.fleet import Server, free_ports
from tests.store.proxy import Proxy as SlowProxy

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIMIT = 20.0
"""Seconds after which a test gives up on what should come at once."""
SOON = 3.0
"""Seconds: a deadline that an answer given within about one never meets."""


@dataclass
class House:
    """A server, the way to it, and clients of the two processes that go that way."""

    server: Server
    way: Proxy
    services: tuple[Service, Service]
    addresses: tuple[str, str]

    def lead_to(self, port: int) -> None:
        """Lead the way to the server at another port."""
        self.way.service = f"127.0.0.1:{port}"
        self.way.cut()

    @contextlib.contextmanager
    def led_to(self, server: Server) -> Iterator[None]:
        """Lead new connections to another server, and all of them back in the end."""
        self.way.service = f"127.0.0.1:{server.port}"
        try:
            yield
        finally:
            self.lead_to(self.server.port)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    folder = tmp_path_factory.mktemp("house")
    (port,) = free_ports(1)
    server = Server(folder / "server", port, 'save ""', "repl-diskless-sync-delay 0")
    try:
        await until(server.is_up)
        async with Proxy(f"127.0.0.1:{port}").serving() as way:
            url = f"redis://{way.address}"
            first, second = on_store(url, folder / "first"), on_store(url, folder / "second")
            try:
                await asyncio.gather(*(asyncio.to_thread(each.start) for each in (first, second)))
                async with client_of(first.address) as one, client_of(second.address) as two:
                    yield House(server, way, (one, two), (first.address, second.address))
            finally:
                await asyncio.gather(*(asyncio.to_thread(each.stop) for each in (first, second)))
    finally:
        server.close()


async def until_success(
    service: Service, method: str, request: Any, metadata: Any
) -> tuple[bytes, int]:
    """Sends a request until it is answered; returns the answer, and how often it was not."""
    tries = 0
    async with asyncio.timeout(LIMIT):
        while True:
            found = await answer(service, method, request, metadata)
            if isinstance(found, bytes):
                return found, tries
            assert found.reason == "STORE_UNAVAILABLE", found
            tries += 1


# A store that fails for a while


def pause(server: Server) -> None:
    # With "ALL" instead nobody could end it.
    server.ask("CLIENT", "PAUSE", 60_000, "WRITE")


def unpause(server: Server) -> None:
    server.ask("CLIENT", "UNPAUSE")


def stop(server: Server) -> None:
    server.process.send_signal(signal.SIGSTOP)


def go_on(server: Server) -> None:
    server.process.send_signal(signal.SIGCONT)


def demote(server: Server) -> None:
    server.ask("REPLICAOF", "127.0.0.1", 1)


def promote(server: Server) -> None:
    server.ask("REPLICAOF", "NO", "ONE")


def fill(server: Server) -> None:
    server.ask("CONFIG", "SET", "maxmemory", 1)


def empty(server: Server) -> None:
    server.ask("CONFIG", "SET", "maxmemory", 0)


def miss_replicas(server: Server) -> None:
    server.ask("CONFIG", "SET", "min-replicas-to-write", 1)


def need_no_replicas(server: Server) -> None:
    server.ask("CONFIG", "SET", "min-replicas-to-write", 0)


FAULTS: dict[str, tuple[Callable[[Server], None], Callable[[Server], None]]] = {
    "paused": (pause, unpause),
    "stopped": (stop, go_on),
    "demoted": (demote, promote),
    "full": (fill, empty),
    "without replicas": (miss_replicas, need_no_replicas),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_store_that_fails_is_unavailable_and_loses_nothing(
    house: House, fault: str
) -> None:
    begin, end = FAULTS[fault]
    table = await begun(house.services[0], BANDITS)
    decision = await open_decision(house.services[1], table)
    request, seat = submission(table, decision), table.as_seat(decision.seat)
    begin(house.server)
    try:
        slowest = await unavailable_everywhere(house, request, seat)
    finally:
        await asyncio.to_thread(end, house.server)
    print(f"\na store that is {fault}: the slowest answer took {slowest:.2f} s")
    first, _ = await until_success(house.services[0], "SubmitAction", request, seat)
    for service in house.services:
        assert await success(service, "SubmitAction", request, seat) == first
        assert len(await history(service, table)) == STARTED + 1
    await play(house.services[1], table, 2)


async def test_a_store_that_is_gone_is_unavailable_until_it_is_back(house: House) -> None:
    table = await begun(house.services[0], BANDITS)
    decision = await open_decision(house.services[1], table)
    request, seat = submission(table, decision), table.as_seat(decision.seat)
    (nobody,) = free_ports(1)
    house.lead_to(nobody)
    slowest = await unavailable_everywhere(house, request, seat)
    print(f"\na store that is gone: the slowest answer took {slowest:.2f} s")
    for service in house.services:
        for method, reading in (
            ("GetGame", pb.GetGameRequest(name=table.name)),
            ("ListGames", pb.ListGamesRequest()),
            ("ListEvents", pb.ListEventsRequest(parent=table.name)),
        ):
            error = await refusal(service, method, reading)
            assert error.reason == "STORE_UNAVAILABLE"
            assert error.retry_after is not None
    house.lead_to(house.server.port)
    for service in house.services:
        await success(service, "SubmitAction", request, seat)
        assert len(await history(service, table)) == STARTED + 1


async def unavailable_everywhere(house: House, request: Any, seat: Any) -> float:
    """Sends a move to both processes, twice; all say that the store is gone; returns seconds."""

    async def twice(service: Service) -> float:
        slowest = 0.0
        for _ in range(2):
            started = time.perf_counter()
            found = await answer(service, "SubmitAction", request, seat, within=SOON)
            slowest = max(slowest, time.perf_counter() - started)
            assert isinstance(found, ColtExpressError)
            assert found.code == grpc.StatusCode.UNAVAILABLE
            assert found.reason == "STORE_UNAVAILABLE"
            assert found.retry_after is not None
        return slowest

    return max(await asyncio.gather(*map(twice, house.services)))


async def test_a_full_store_can_still_be_read(house: House) -> None:
    table = await begun(house.services[0], BANDITS)
    before = await history(house.services[0], table, 0)
    fill(house.server)
    try:
        for service in house.services:
            assert (await get(service, table)).version == STARTED
            assert await history(service, table, 0) == before
    finally:
        empty(house.server)


async def test_cut_connections_and_forgotten_scripts_do_not_stop_a_game(house: House) -> None:
    table = await begun(house.services[0], BANDITS)
    chance = random.Random(3)
    version, failed = STARTED, 0
    while decision := await deciding(house.services[version % 2], table):
        service = house.services[chance.randrange(2)]
        request = submission(table, decision, chance.choice(decision.options).option_id)
        sending = asyncio.create_task(
            until_success(service, "SubmitAction", request, table.as_seat(decision.seat))
        )
        await asyncio.sleep(0)
        house.server.ask("SCRIPT", "FLUSH")
        for kind in ("normal", "pubsub"):
            house.server.ask("CLIENT", "KILL", "TYPE", kind)
        found, tries = await sending
        version += 1
        failed += tries
        assert commit_in(found).version == version
    print(f"\n{version - STARTED} moves while connections were cut: {failed} had to be sent again")
    for service in house.services:
        assert len(await history(service, table)) == version


async def test_a_store_that_would_delete_games_is_refused_or_warned_of(
    house: House, tmp_path: Path
) -> None:
    policy = "allkeys-lru"
    house.server.ask("CONFIG", "SET", "maxmemory-policy", policy)
    try:
        house.server.ask("CONFIG", "SET", "maxmemory", "1gb")
        process = on_store(f"redis://127.0.0.1:{house.server.port}", tmp_path / "log")
        with pytest.raises(NotStarted, match=f"deletes games .*{policy}.* set maxmemory-policy"):
            await asyncio.to_thread(process.start)
        (line,) = (tmp_path / "log").read_text().splitlines()
        assert line.startswith("colt-express: ")
        house.server.ask("CONFIG", "SET", "maxmemory", 0)
        await asyncio.to_thread(process.start)
        warned = (tmp_path / "log").read_text().splitlines()[1:]
        await asyncio.to_thread(process.stop)
        assert any('"warning"' in line and policy in line for line in warned)
    finally:
        empty(house.server)
        house.server.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")


# A store that comes back older than it was


class Diary:
    """All that anybody was ever shown under a cursor; nobody may be shown something else."""

    def __init__(self) -> None:
        self._shown: dict[tuple[int | None, str], bytes] = {}

    def note(self, viewer: int | None, commit: event_pb2.Commit) -> None:
        data = commit.SerializeToString()
        assert self._shown.setdefault((viewer, commit.cursor), data) == data

    async def note_history(self, service: Service, table: Table) -> None:
        for viewer in (*range(len(BANDITS)), None):
            for data in await history(service, table, viewer):
                self.note(viewer, event_pb2.Commit.FromString(data))


async def watch(
    service: Service, table: Table, viewer: int | None, diary: Diary, cursor: str = ""
) -> AsyncIterator[pb.WatchGameResponse]:
    """A watch; its commits are noted."""
    call = service.games.WatchGame(
        pb.WatchGameRequest(name=table.name, cursor=cursor), metadata=table.as_seat(viewer)
    )
    async for message in call:
        if message.HasField("commit"):
            diary.note(viewer, message.commit)
        yield message


@contextlib.asynccontextmanager
async def following(server: Server, folder: Path) -> AsyncIterator[Server]:
    """A replica of a server, which has all that the server has at the beginning."""
    (port,) = free_ports(1)
    replica = Server(folder, port, 'save ""')
    try:
        await until(replica.is_up)
        replica.ask("REPLICAOF", "127.0.0.1", server.port)
        await until(replica.is_replica_in_step)
        assert server.ask("WAIT", 1, 5000) == 1
        yield replica
    finally:
        replica.close()


@pytest.mark.parametrize("finds_out_by", ["looking", "a move"])
async def test_a_history_that_was_lost_is_told_from_the_one_that_took_its_place(
    house: House, tmp_path: Path, finds_out_by: str
) -> None:
    one, two = house.services
    diary = Diary()
    table = await begun(one, BANDITS)
    async with following(house.server, tmp_path / "replica") as replica:
        watchers = [
            watch(service, table, viewer, diary) for service in (one, two) for viewer in (0, None)
        ]
        for watcher in watchers:
            assert (await anext(watcher)).game.version == STARTED

        # The replica stops to follow, and three moves are made that it does not learn of.
        replica.ask("REPLICAOF", "NO", "ONE")
        lost = []
        for service in (one, two, one):
            decision = await open_decision(service, table)
            request, seat = submission(table, decision), table.as_seat(decision.seat)
            lost.append((request, seat, await success(service, "SubmitAction", request, seat)))
        commits = [commit_in(data) for _, _, data in lost]
        for watcher in watchers:
            seen = [(await anext(watcher)).commit.cursor for _ in lost]
            assert seen == [commit.cursor for commit in commits]
        for service in (one, two):
            await diary.note_history(service, table)

        with house.led_to(replica):
            house.way.cut()
            # Who was watching is told.
            async with asyncio.timeout(LIMIT):
                for watcher in watchers:
                    (end,) = [message.end async for message in watcher]
                    assert (end.reason, end.cursor) == (pb.EndOfStream.REASON_CURSOR_UNKNOWN, "")
            # The game is where it was. One process learns that before other moves have taken the
            # place of those that were lost, the other one not.
            await until_success(two, "GetGame", pb.GetGameRequest(name=table.name), ())
            for number, service in enumerate((two, two, two, one, two)):
                decision = await open_decision(two, table)
                if number == len(lost) and finds_out_by == "looking":
                    await check_lost(one, table, commits, diary)
                await submit(service, table, decision, decision.options[-1].option_id)
                await check_lost(two, table, commits, diary)
            await check_lost(one, table, commits, diary)
            # What was answered before is not answered again by what others have done since.
            for request, seat, _ in lost:
                for service in (one, two):
                    error = await refusal(service, "SubmitAction", request, seat)
                    assert error.reason == "DECISION_CLOSED"
            fresh = watch(one, table, None, diary)
            assert (await anext(fresh)).game.version == STARTED + 5
            await play(two, table)
            rest = [message async for message in fresh]
            assert [message.commit.version for message in rest[:-1]] == list(
                range(STARTED + 6, (await get(one, table)).version + 1)
            )
            assert rest[-1].end.reason == pb.EndOfStream.REASON_GAME_OVER


async def check_lost(
    service: Service, table: Table, lost: list[event_pb2.Commit], diary: Diary
) -> None:
    """The lost commits are not in the game, and who comes back with their cursors is told."""
    game = await get(service, table)
    assert game.cursor not in {commit.cursor for commit in lost}
    commits = [event_pb2.Commit.FromString(data) for data in await history(service, table)]
    played = [
        event for commit in commits for event in commit.events if event.HasField("card_played")
    ]
    assert len(game.table.pile) == len(played)
    assert not {commit.cursor for commit in commits} & {commit.cursor for commit in lost}
    for commit in lost:
        (only,) = [message async for message in watch(service, table, None, diary, commit.cursor)]
        assert only.end.reason == pb.EndOfStream.REASON_CURSOR_UNKNOWN
    await diary.note_history(service, table)


async def test_a_lost_move_is_made_anew_by_its_request(house: House, tmp_path: Path) -> None:
    one, two = house.services
    table = await begun(one, BANDITS)
    async with following(house.server, tmp_path / "replica") as replica:
        replica.ask("REPLICAOF", "NO", "ONE")
        decision = await open_decision(one, table)
        request, seat = submission(table, decision), table.as_seat(decision.seat)
        lost = commit_in(await success(one, "SubmitAction", request, seat))
        with house.led_to(replica):
            house.way.cut()
            found, _ = await until_success(two, "SubmitAction", request, seat)
            made = commit_in(found)
            assert made.version == lost.version
            assert made.cursor != lost.cursor
            assert made.events == lost.events
            for service in (one, two):
                assert await success(service, "SubmitAction", request, seat) == found
                assert len(await history(service, table)) == STARTED + 1


@pytest.mark.parametrize("request_id", ["the same", "another"])
async def test_a_lost_decision_is_not_answered_by_what_was_sent_to_it(
    house: House, tmp_path: Path, request_id: str
) -> None:
    """The same seat decides after as many choices, in a position that it had not seen."""
    one, two = house.services
    table = await begun(one, BANDITS)
    async with following(house.server, tmp_path / "replica") as replica:
        first = await open_decision(one, table)
        replica.ask("REPLICAOF", "NO", "ONE")
        await submit(one, table, first, first.options[0].option_id)
        lost = await open_decision(one, table)
        request, seat = submission(table, lost), table.as_seat(lost.seat)
        await success(two, "SubmitAction", request, seat)
        with house.led_to(replica):
            house.way.cut()
            await until_success(one, "GetGame", pb.GetGameRequest(name=table.name), ())
            again = await open_decision(one, table)
            assert again == first
            await submit(one, table, again, again.options[-1].option_id)
            other = await open_decision(one, table)
            assert (other.seat, other.kind) == (lost.seat, lost.kind)
            assert other.options[0] == lost.options[0]
            assert other.id != lost.id
            before = await history(one, table)
            if request_id == "another":
                request.request_id = new_id()
            for service in (two, one, two):
                error = await refusal(service, "SubmitAction", request, seat)
                assert (error.code, error.reason) == (grpc.StatusCode.ABORTED, "DECISION_CLOSED")
            assert await history(two, table) == before
            assert await open_decision(two, table) == other
            # As a client does: it looks, and decides anew.
            await submit(two, table, other, other.options[0].option_id)
            assert len(await history(one, table)) == len(before) + 1


async def test_clients_play_on_where_a_failover_has_lost_moves(
    house: House, tmp_path: Path
) -> None:
    async with (
        Client("ipv4:" + ",".join(house.addresses), retries=QUICK) as client,
        following(house.server, tmp_path / "replica") as replica,
    ):
        table = await client_begun(client)
        playing = asyncio.create_task(play_out(*table.seats))
        kept, lost = 1_000_000, ""
        async for step in client.watch(table.game):
            if step.version == 20:
                replica.ask("REPLICAOF", "NO", "ONE")
                keys = game_keys(table.game.removeprefix("games/"))
                kept = int(replica.ask("HGET", keys.game, "version"))
            if step.version > kept + 5:
                lost = step.cursor
                break
        assert lost
        with house.led_to(replica):
            house.way.cut()
            await playing
            game = await client.get(table.game)
            assert game.state == Game.STATE_FINISHED
            commits = [commit async for commit in client.commits(table.game)]
            assert [commit.version for commit in commits] == list(range(1, game.version + 1))
            assert lost not in {commit.cursor for commit in commits}


async def test_a_demoted_server_is_left_for_the_one_that_took_its_place(
    house: House, tmp_path: Path
) -> None:
    """Nobody cuts the connections: READONLY is what tells."""
    table = await begun(house.services[0], BANDITS)
    await get(house.services[1], table)
    async with following(house.server, tmp_path / "replica") as replica:
        with house.led_to(replica):
            replica.ask("REPLICAOF", "NO", "ONE")
            house.server.ask("REPLICAOF", "127.0.0.1", replica.port)
            for number, service in enumerate(house.services):
                decision = await open_decision(service, table)
                request, seat = submission(table, decision), table.as_seat(decision.seat)
                found, tries = await until_success(service, "SubmitAction", request, seat)
                assert tries == 1
                assert commit_in(found).version == STARTED + number + 1
                assert replica.ask("XLEN", entries_of(table)) == STARTED + number + 1
                await until(lambda: house.server.ask("XLEN", entries_of(table)) > STARTED)
            promote(house.server)


def entries_of(table: Table) -> str:
    """The key of a game's history in the store."""
    return game_keys(table.name.removeprefix("games/")).entries


# Calls that are cut short


async def test_calls_cut_short_leave_nothing_to_others(
    valkey_url: str, tmp_path: Path, size: Size
) -> None:
    """Moves with deadlines of 0 to 5 ms on a slowed store, in ten games at once."""
    chance = random.Random(5)
    rounds = size(12, 200)
    cut_short = made = 0
    with tempfile.TemporaryDirectory(prefix="slow-", dir="/tmp") as folder:
        way = SlowProxy(valkey_url, Path(folder) / "proxy.sock")
        async with way.serving():
            process = on_store(way.url, tmp_path / "log")
            await asyncio.to_thread(process.start)
            try:
                async with client_of(process.address) as service:
                    tables = [await begun(service, BANDITS) for _ in range(10)]
                    way.delay = 0.002

                    async def hurry(table: Table) -> None:
                        nonlocal cut_short, made
                        version = STARTED
                        for _ in range(rounds):
                            game = await get(service, table)
                            assert (game.name, game.version) == (table.name, version)
                            decision = await deciding(service, table)
                            if decision is None:
                                return
                            request = submission(table, decision)
                            seat = table.as_seat(decision.seat)
                            within = chance.uniform(0, 0.005)
                            found = await answer(
                                service, "SubmitAction", request, seat, within=within
                            )
                            version += 1
                            if isinstance(found, ColtExpressError):
                                assert found.code == grpc.StatusCode.DEADLINE_EXCEEDED
                                cut_short += 1
                                made += (await get(service, table)).version == version
                            again = await success(service, "SubmitAction", request, seat)
                            assert again == found or isinstance(found, ColtExpressError)
                            assert commit_in(again).version == version

                    await asyncio.gather(*map(hurry, tables))
                assert way.connections == 1
            finally:
                await asyncio.to_thread(process.stop)
    assert cut_short > rounds
    print(f"\n{cut_short} moves were cut short by their deadlines; {made} of them were made")
