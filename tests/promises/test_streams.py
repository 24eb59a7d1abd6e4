"""What holds for whoever watches a game, through whichever of two processes on one store.

Each version comes once and in order, whatever breaks. A stream that the service ends says why and
where to go on. Streams leave nothing behind, and one that is not read hinders nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any, Final

import grpc
import pytest
import redis

from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1.decision_pb2 import Decision
from coltexpress_server.conformance.proxy import Proxy
from coltexpress_server.server import serving
from coltexpress_server.server_process import ServerProcess
from coltexpress_server.settings import read_settings
from tests.api.tables import (
    Service,
    Table,
    begun,
    get,
    join,
    lobby,
    new_id,
    refusal,
    refusal_in,
)
from tests.promises.conftest import Pair, Size
from tests.promises.moves import commit_in
from tests.promises.replicas import answer, client_of, on_store, success
from tests.promises.watchers import Follower, Move, Reason, history, moves_of, watch

Services = tuple[Service, Service]

BANDITS: Final = ("DOC", "GHOST", "BELLE", "TUCO")
VIEWERS: Final = (0, 1, 2, 3, None)
"""Whose eyes a game is watched with: each seat's, and a spectator's."""
WATCHERS: Final = 50
STARTED: Final = len(BANDITS) + 2
"""The version at which a game has begun."""
LIMIT: Final = 60.0
"""Seconds after which something that was waited for will not come any more."""


async def make(move: Move, service: Service, table: Table) -> None:
    request = move.request(table, (await get(service, table)).decisions)
    await success(service, "SubmitAction", request, table.as_seat(move.seat))


async def until(found: Callable[[], bool]) -> None:
    """Waits for what nothing tells of."""
    async with asyncio.timeout(LIMIT):
        while not found():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.02)


async def nobody_watches(behind: redis.Redis) -> None:
    """Waits until the processes have noticed that all watchers have gone."""
    await until(lambda: not behind.pubsub_channels())


@contextlib.asynccontextmanager
async def here(url: str, folder: Path, **given: float) -> AsyncIterator[Service]:
    """A client of a server in this very process, with some settings, on a store that others use."""
    settings = read_settings(
        **{
            "redis": url,
            "service_key_hex": "5e" * 32,
            "data_dir": folder,
            "grpc_port": 0,
            "http_port": "off",
            "allow_fixed_seed": True,
            "drain_s": 0,
            "grace_s": 1,
            **given,
        }
    )
    async with serving(settings) as found, client_of(found.address) as service:
        yield service


# Each version once


@pytest.mark.parametrize("pause_s", [0.005, 0.0], ids=["every 5 ms", "as fast as can be"])
async def test_watchers_that_drop_and_resume_see_each_version_once(
    services: Services, pair: Pair, behind: redis.Redis, size: Size, pause_s: float
) -> None:
    async with (
        asyncio.timeout(None) as limit,
        Proxy(pair[1].address).serving() as proxy,
        client_of(proxy.address) as shaky,
    ):
        for number in range(size(1, 20)):
            limit.reschedule(asyncio.get_running_loop().time() + LIMIT)
            await watched_by_many((*services, shaky), proxy, behind, number, pause_s)


async def watched_by_many(
    services: Sequence[Service], proxy: Proxy, behind: redis.Redis, number: int, pause_s: float
) -> None:
    """One game, played through both processes; the last service's connection breaks at times."""
    table = await begun(services[0], BANDITS)
    opening = (await history(services[0], table))[0].cursor
    followers = [
        # Some begin with the game as they find it, some with the first commit.
        Follower(table, VIEWERS[each % len(VIEWERS)], opening if each % 2 else "")
        for each in range(WATCHERS)
    ]
    killed = 0
    async with asyncio.TaskGroup() as group:
        for each, follower in enumerate(followers):
            chance = random.Random(1000 * number + each)
            group.create_task(wander(follower, services, chance))
        for made, move in enumerate(moves_of(BANDITS, number)):
            await make(move, services[made % 2], table)
            if made % 10 == 5:
                killed += behind.client_kill_filter(_type="pubsub")
            if made % 30 == 20:
                proxy.cut()
            await asyncio.sleep(pause_s)
    streams = sum(follower.streams for follower in followers)
    print(f"{streams} streams, {killed} publish/subscribe connections killed")
    assert killed
    for viewer in VIEWERS:
        commits = await history(services[0], table, viewer)
        assert [commit.version for commit in commits] == list(range(1, len(commits) + 1))
        assert await history(services[1], table, viewer) == commits
        game = await get(services[0], table, viewer)
        assert await get(services[1], table, viewer) == game
        assert game.cursor == commits[-1].cursor
        for follower in followers:
            if follower.seat == viewer:
                begin = 1
                if follower.game is not None:
                    begin = follower.game.version
                    assert follower.game.cursor == commits[begin - 1].cursor
                    assert follower.game.decisions == commits[begin - 1].decisions
                assert follower.commits == commits[begin:]


async def wander(follower: Follower, services: Sequence[Service], chance: random.Random) -> None:
    """Follows a game to its end over streams that are dropped, each through any service."""
    while True:
        try:
            end = await follower.follow(chance.choice(services), chance.randrange(12))
        except grpc.aio.AioRpcError as broken:
            if broken.code() != grpc.StatusCode.UNAVAILABLE:
                raise
            continue
        if end is not None:
            assert end.reason == Reason.REASON_GAME_OVER
            return


async def test_each_cursor_is_good_with_each_process(services: Services) -> None:
    table = await begun(services[0], BANDITS)
    for made, move in enumerate(moves_of(BANDITS, 1)[:20]):
        await make(move, services[made % 2], table)
    for viewer in (1, None):
        commits = await history(services[0], table, viewer)
        for service in services:
            assert (await get(service, table, viewer)).cursor == commits[-1].cursor
            for commit in commits:
                follower = Follower(table, viewer, commit.cursor)
                await follower.follow(service, len(commits) - commit.version)
                assert follower.commits == commits[commit.version :]


async def test_a_cursor_of_no_history_or_another_one_is_told_to_be_unknown(
    services: Services,
) -> None:
    table, other = await begun(services[0], BANDITS), await begun(services[1], BANDITS)
    commits, foreign = await history(services[0], table), await history(services[0], other)
    latest = commits[-1]
    mark = latest.cursor.partition("-")[2]
    assert len(commits) == len(foreign)
    unknown = [
        *(commit.cursor for commit in foreign),
        f"{latest.version + 1}-{mark}",
        f"{latest.version - 1}-{mark}",
        f"{latest.version}-{mark[::-1]}",
        f"0-{mark}",
        f"999999999-{mark}",
    ]
    for service in services:
        for cursor in unknown:
            stream = watch(service, table, cursor)
            assert (await stream.read()).end == pb.EndOfStream(reason=Reason.REASON_CURSOR_UNKNOWN)
            assert await stream.read() is grpc.aio.EOF


async def test_what_is_no_cursor_is_refused_as_such(services: Services) -> None:
    table = await begun(services[0], BANDITS)
    cursor = (await get(services[0], table)).cursor
    version, _, mark = cursor.partition("-")
    for text in (
        *("-", "1", mark, f"-{mark}", f"{version}-", f"{version}{mark}", f"{version}--{mark}"),
        *(f"{version}-{mark[1:]}", f"{version}-{mark}0", f"-1-{mark}", f"1.0-{mark}", f"+1-{mark}"),
        *(f" {cursor}", f"{cursor} ", f"{cursor}\n", f"{cursor},{cursor}", f"{cursor}\0"),
        *(f"{'9' * 30}-{mark}", f"٣-{mark}", f"{version}-{mark[:-1]}é", f"{version}-{'z' * 16}"),
        *(f"0{cursor}", f"{version}-{mark[:-1]}A", "x" * 10_000),
    ):
        for service in services:
            found = await refusal(watch(service, table, text).read())
            assert (found.code, found.reason, found.details["field"]) == (
                grpc.StatusCode.INVALID_ARGUMENT,
                "INVALID_FIELD",
                "cursor",
            )


async def test_heartbeats_tell_where_to_resume(
    services: Services, valkey_url: str, tmp_path: Path
) -> None:
    async with here(valkey_url, tmp_path, heartbeat_s=0.02) as quick:
        table = await begun(services[0], BANDITS)
        followers = [Follower(table, viewer) for viewer in VIEWERS]
        streams = [await follower.begin(quick) for follower in followers]
        moves = moves_of(BANDITS, 1)[:6]
        for move in moves[:3]:
            await make(move, services[1], table)
        for follower in followers:
            await follower.has_read(STARTED + 3)
            await follower.hears()  # and expects it to say where he is
        for stream in streams:
            stream.cancel()
        for move in moves[3:]:
            await make(move, services[1], table)
        for follower in followers:
            await follower.follow(services[0], 3)
            commits = await history(services[0], table, follower.seat)
            assert follower.commits == commits[-6:]


# Ends


async def test_a_seat_given_up_ends_its_streams_everywhere(services: Services) -> None:
    table = await lobby(services[0], BANDITS)
    for _ in BANDITS:
        await join(services[1], table)
    own = [Follower(table, 2) for _ in services]
    others = [Follower(table, viewer) for viewer in (0, 1, 3, None) for _ in services]
    ends = await begun_by(own, services)
    going_on = await begun_by(others, services)
    leave = pb.LeaveGameRequest(name=table.name, request_id=new_id())
    await success(services[0], "LeaveGame", leave, table.as_seat(2))
    async with asyncio.timeout(LIMIT):
        for end in await asyncio.gather(*ends):
            assert end == pb.EndOfStream(reason=Reason.REASON_TOKEN_REVOKED)
    for follower in own:
        assert follower.commits[-1].events[0].seat_left.seat == 2
        for service in services:
            found = await refusal(watch(service, table, follower.cursor, 2).read())
            assert (found.code, found.reason) == (
                grpc.StatusCode.UNAUTHENTICATED,
                "TOKEN_MISSING",
            )
    # Whoever takes the seat afterwards may look back, to before it was given up.
    table.tokens[2] = await taken(services[1], table)
    for service in services:
        commits = await history(service, table, 2)
        follower = Follower(table, 2, commits[0].cursor)
        assert await follower.follow(service, len(commits) - 1) is None
        assert follower.commits == commits[1:]
    delete = pb.DeleteGameRequest(name=table.name, request_id=new_id())
    await success(services[1], "DeleteGame", delete, table.as_host)
    for end in await asyncio.gather(*going_on):
        assert end == pb.EndOfStream(reason=Reason.REASON_GAME_DELETED)
    for follower in others:
        assert [commit.events[0].WhichOneof("event") for commit in follower.commits] == [
            "seat_left",
            "seat_taken",
        ]


async def begun_by(
    followers: Sequence[Follower], services: Services
) -> list[asyncio.Task[pb.EndOfStream | None]]:
    """Begins to follow, every second one through the other process."""
    return [await follower.begin(services[number % 2]) for number, follower in enumerate(followers)]


async def taken(service: Service, table: Table) -> str:
    """Takes the seat that is free; returns its token."""
    request = pb.JoinGameRequest(name=table.name, request_id=new_id())
    joined = await service.games.JoinGame(request)
    return str(joined.seat_token)


async def test_the_end_of_a_game_ends_its_streams_everywhere(services: Services) -> None:
    table = await begun(services[0], BANDITS)
    followers = [Follower(table, viewer) for viewer in VIEWERS for _ in services]
    streams = await begun_by(followers, services)
    for made, move in enumerate(moves_of(BANDITS, 2)):
        await make(move, services[made % 2], table)
    async with asyncio.timeout(LIMIT):
        for end in await asyncio.gather(*streams):
            assert end == pb.EndOfStream(reason=Reason.REASON_GAME_OVER)
    for follower in followers:
        assert follower.commits[-1].events[-1].HasField("game_ended")
        # Coming back to a game that is over: with the last cursor, and without one.
        for service in services:
            for again in (Follower(table, follower.seat, follower.cursor), Follower(table)):
                end = await again.follow(service)
                assert end == pb.EndOfStream(reason=Reason.REASON_GAME_OVER)
                assert not again.commits


async def test_the_deletion_of_a_game_ends_its_streams_everywhere(services: Services) -> None:
    table = await begun(services[0], BANDITS)
    followers = [Follower(table, viewer) for viewer in VIEWERS for _ in services]
    streams = await begun_by(followers, services)
    for move in moves_of(BANDITS, 2)[:5]:
        await make(move, services[0], table)
    delete = pb.DeleteGameRequest(name=table.name, request_id=new_id())
    await success(services[1], "DeleteGame", delete, table.as_host)
    async with asyncio.timeout(LIMIT):
        for end in await asyncio.gather(*streams):
            assert end == pb.EndOfStream(reason=Reason.REASON_GAME_DELETED)
    for follower in followers:
        for service in services:
            found = await refusal(watch(service, table, follower.cursor, follower.seat).read())
            assert found.reason == "GAME_NOT_FOUND"


# Draining


async def test_draining_sends_watchers_to_another_process(
    pair: Pair, valkey_url: str, tmp_path: Path
) -> None:
    with on_store(valkey_url, tmp_path / "log", "--drain-s", "0.2", "--grace-s", "5") as first:
        await drained(first, pair[1])


async def test_draining_loses_nothing_that_a_restart_would_not_bring_back(tmp_path: Path) -> None:
    with ServerProcess(
        *("--data-dir", str(tmp_path / "data"), "--allow-fixed-seed"),
        *("--drain-s", "0.2", "--grace-s", "5"),
        log=tmp_path / "log",
    ) as server:
        await drained(server, server)


async def drained(first: ServerProcess, second: ServerProcess) -> None:
    """Stops the first process in the middle of everything, and goes on with the second one.

    Where they are the same, it is started again.
    """
    async with asyncio.timeout(LIMIT), client_of(first.address) as service:
        tables = [await begun(service, BANDITS) for _ in range(5)]
        players = [
            Player(table, moves_of(BANDITS, each), (await get(service, table)).decisions)
            for each, table in enumerate(tables)
        ]
        followers = [
            Follower(tables[each % len(tables)], VIEWERS[each // len(tables) % len(VIEWERS)])
            for each in range(WATCHERS)
        ]
        streams = [await each.begin(service) for each in followers]
        playing = [asyncio.create_task(player.play(service)) for player in players]
        await asyncio.gather(*(player.warm.wait() for player in players))
        start = perf_counter()
        status = await asyncio.to_thread(first.stop)
        stopped_s = perf_counter() - start
        ends = await asyncio.gather(*streams)
        await asyncio.gather(*playing)
    print(f"stopped in {stopped_s:.2f} s with {sum(each.made for each in players)} moves made")
    assert status == 0
    assert stopped_s < 0.2 + 5
    for follower, end in zip(followers, ends, strict=True):
        assert end == pb.EndOfStream(reason=Reason.REASON_DRAINING, cursor=follower.cursor)
    if second is first:
        await asyncio.to_thread(second.start)
    async with asyncio.timeout(LIMIT), client_of(second.address) as service:
        for player in players:
            await player.check(service)
        for player in players:
            await player.play(service, 10)
        for follower in followers:
            commits = await history(service, follower.table, follower.seat)
            assert follower.game is not None
            missed = len(commits) - follower.game.version - len(follower.commits)
            assert await follower.follow(service, missed) is None
            assert follower.commits == commits[follower.game.version :]


class Player:
    """All the seats of a game whose moves are worked out; remembers what was answered."""

    def __init__(self, table: Table, moves: Sequence[Move], open_ones: Iterable[Decision]) -> None:
        """open_ones: what is asked first."""
        self.table: Final = table
        self.warm: Final = asyncio.Event()
        """Set when some moves have been made."""
        self.made = 0
        self._moves: Final = moves
        self._requests: Final = [moves[0].request(table, open_ones)]
        self._answers: Final[list[bytes]] = []

    async def play(self, service: Service, most: int | None = None) -> None:
        """Makes moves until one fails, or the game is over, or so many have been made."""
        until = len(self._moves) if most is None else self.made + most
        for move in self._moves[self.made : until]:
            if self.made == len(self._requests):
                open_ones = commit_in(self._answers[-1]).decisions
                self._requests.append(move.request(self.table, open_ones))
            request = self._requests[self.made]
            found = await answer(service, "SubmitAction", request, self.table.as_seat(move.seat))
            if not isinstance(found, bytes):
                assert found.code in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED}
                return
            self._answers.append(found)
            self.made += 1
            if self.made == 5:
                self.warm.set()

    async def check(self, service: Service) -> None:
        """Expects all that was answered, and at most the move in flight besides."""
        commits = await history(service, self.table)
        assert len(commits) - STARTED in {self.made, self.made + 1}
        assert self.made < len(self._moves), "the game was over too soon to show anything"
        for number, found in enumerate(self._answers):
            request = self._requests[number]
            seat = self.table.as_seat(self._moves[number].seat)
            assert commit_in(found).version == STARTED + number + 1
            assert await success(service, "SubmitAction", request, seat) == found
        assert len(await history(service, self.table)) == len(commits)


# Watchers that do not read, and too many of them


@pytest.mark.parametrize(
    "limit",
    [("--watch-buffer", "8"), ("--watch-patience-s", "2")],
    ids=["for the steps it is behind", "for the time it takes"],
)
async def test_a_watcher_that_reads_nothing_is_cut_off_and_others_are_not(
    valkey_url: str, tmp_path: Path, size: Size, limit: tuple[str, str]
) -> None:
    stuck = size(5, 30)
    places = ("--max-watches", str(len(PATIENT) + stuck))
    with on_store(valkey_url, tmp_path / "log", *limit, *places) as server:
        async with asyncio.timeout(LIMIT), contextlib.AsyncExitStack() as stack:
            service = await stack.enter_async_context(client_of(server.address))
            tell("nobody else", await patiently(service, await begun(service, BANDITS)))
            table = await begun(service, BANDITS)
            streams = []
            for number in range(stuck):
                narrow = await stack.enter_async_context(narrow_client_of(server.address))
                streams.append(watch(narrow, table, seat=number % len(BANDITS)))
                await streams[-1].read()
            tell(f"{stuck} who read nothing", await patiently(service, table))
            # All places are free, though those who read nothing have not noticed yet.
            lasting = await begun(service, BANDITS)
            others = [await place_found(service, lasting) for _ in range(len(PATIENT) + stuck)]
            for stream in others:
                stream.cancel()
            for number, stream in enumerate(streams):
                cursor = await cut_off(stream)
                seat = number % len(BANDITS)
                follower = Follower(table, seat, cursor)
                end = await follower.follow(service)
                assert end == pb.EndOfStream(reason=Reason.REASON_GAME_OVER)
                commits = await history(service, table, seat)
                assert follower.commits == commits[int(cursor.partition("-")[0]) :]


PATIENT: Final = VIEWERS * 4


async def patiently(service: Service, table: Table) -> list[float]:
    """Plays a game that many watch; returns how long each commit took to each of them, in s.

    That is from sending the move.
    """
    followers = [Follower(table, viewer) for viewer in PATIENT]
    streams = [await follower.begin(service) for follower in followers]
    sent_at = []
    for move in moves_of(BANDITS, 3):
        request = move.request(table, (await get(service, table)).decisions)
        sent_at.append(perf_counter())
        await success(service, "SubmitAction", request, table.as_seat(move.seat))
        for follower in followers:
            await follower.has_read(STARTED + len(sent_at))
    for end in await asyncio.gather(*streams):
        assert end == pb.EndOfStream(reason=Reason.REASON_GAME_OVER)
    return [
        read_at - sent
        for follower in followers
        for sent, read_at in zip(sent_at, follower.read_at, strict=True)
    ]


def tell(who: str, latencies: Sequence[float]) -> None:
    centiles = quantiles(latencies, n=100)
    print(
        f"from a move to each of {len(PATIENT)} watchers beside {who}:"
        f" p50 {centiles[49] * 1e3:.1f} ms, p99 {centiles[98] * 1e3:.1f} ms"
    )


@contextlib.asynccontextmanager
async def narrow_client_of(address: str) -> AsyncIterator[Service]:
    """A client on the way to which as little as possible is buffered."""
    options = [
        *(("grpc.http2.lookahead_bytes", 4096), ("grpc.http2.bdp_probe", 0)),
        ("grpc.use_local_subchannel_pool", 1),
    ]
    async with grpc.aio.insecure_channel(address, options) as channel:
        yield Service(channel, address)


async def place_found(service: Service, table: Table) -> Any:
    """Opens a stream as soon as there is a place for it."""
    while True:
        stream = watch(service, table)
        try:
            await stream.read()
        except grpc.aio.AioRpcError as error:
            if refusal_in(error).reason != "TOO_MANY":
                raise
            await asyncio.sleep(0.02)
        else:
            return stream


async def cut_off(stream: Any) -> str:
    """Reads a stream that was cut off for not being read; returns where to resume.

    That is in its last message, if there still was room for one, else what was read last.
    """
    cursor = ""
    try:
        while not (message := await stream.read()).HasField("end"):
            cursor = message.commit.cursor
    except grpc.aio.AioRpcError as error:
        assert (error.code(), refusal_in(error).reason) == (  # noqa: PT017 - or it ends by message
            grpc.StatusCode.UNAVAILABLE,
            "TOO_SLOW",
        )
    else:
        assert message.end == pb.EndOfStream(reason=Reason.REASON_TOO_SLOW, cursor=cursor)
    return cursor


async def test_only_so_many_watches_may_be_open_in_a_process(
    services: Services, valkey_url: str, tmp_path: Path
) -> None:
    elsewhere = services[0]
    async with (
        asyncio.timeout(LIMIT),
        here(valkey_url, tmp_path, max_watches=5) as service,
        client_of(service.address) as leaving,
    ):
        lasting, short = await begun(service, BANDITS), await begun(service, BANDITS)
        deleted = await lobby(service, BANDITS)
        streams = [
            *(watch(service, table) for table in (lasting, lasting, short, deleted)),
            watch(leaving, lasting),
        ]
        for stream in streams:
            await stream.read()

        async def expect_none_free() -> None:
            found = await refusal(watch(service, lasting).read())
            assert (found.code, found.reason) == (
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                "TOO_MANY",
            )

        # Other calls are served, and so are watches elsewhere.
        await expect_none_free()
        await get(service, lasting)
        await watch(elsewhere, lasting).read()
        # However a watch ends, its place is free then, and it is one place.
        streams[0].cancel()
        streams.append(await place_found(service, lasting))
        await expect_none_free()
        await leaving.channel.close()
        streams.append(await place_found(service, lasting))
        await expect_none_free()
        request = pb.DeleteGameRequest(name=deleted.name, request_id=new_id())
        await success(elsewhere, "DeleteGame", request, deleted.as_host)
        streams.append(await place_found(service, lasting))
        await expect_none_free()
        for move in moves_of(BANDITS, 4):
            await make(move, elsewhere, short)
        streams.append(await place_found(service, lasting))
        await expect_none_free()


# Nothing left behind


@dataclass
class Footprint:
    """What a process takes up, seen from outside.

    memory: kB in physical memory. connections, channels: those to the store and in it.
    """

    memory: int
    files: int
    threads: int
    connections: int
    channels: int


def footprint(server: ServerProcess, behind: redis.Redis) -> Footprint:
    folder = Path("/proc") / str(server.pid)
    status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
    return Footprint(
        memory=int(status["VmRSS"].split()[0]),
        files=len(list((folder / "fd").iterdir())),
        threads=int(status["Threads"]),
        connections=len(behind.client_list()),
        channels=len(behind.pubsub_channels()),
    )


KEPT: Final = 1
"""Connections that a process keeps for all watches once there was one: that for wake-ups."""


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks at /proc")
async def test_short_watches_leave_a_process_as_it_was(
    valkey_url: str, tmp_path: Path, behind: redis.Redis, size: Size
) -> None:
    many = size(500, 10_000)
    with on_store(valkey_url, tmp_path / "log") as server:
        async with client_of(server.address) as service:
            tables = await some_tables(service)
            at_first = footprint(server, behind)
            await watch_shortly(service, tables, 200)
            await nobody_watches(behind)
            await until(lambda: footprint(server, behind).files <= at_first.files + KEPT)
            before = footprint(server, behind)
            await watch_shortly(service, tables, many)
            await nobody_watches(behind)

            def closed() -> bool:
                now = footprint(server, behind)
                return now.files <= before.files and now.connections <= before.connections

            await until(closed)
            after = footprint(server, behind)
    print(f"{many} short watches: {before} before, {after} afterwards")
    # What gRPC keeps ready, and Python's allocator, does not grow with the number of watches.
    assert after.threads - before.threads < 5
    assert after.memory - before.memory < 8_000


async def test_short_watches_leave_no_tasks_and_no_objects(
    valkey_url: str, tmp_path: Path, behind: redis.Redis, size: Size
) -> None:
    many = size(1_000, 10_000)
    async with here(valkey_url, tmp_path) as service:
        tables = await some_tables(service)
        await watch_shortly(service, tables, 200)
        await nobody_watches(behind)
        tasks, objects = await at_rest()
        await watch_shortly(service, tables, many)
        await nobody_watches(behind)
        tasks_after, objects_after = await at_rest()
    print(f"{many} short watches: {objects} objects before, {objects_after} afterwards")
    assert not Counter(tasks_after) - Counter(tasks)
    # One object kept by each watch would be twice as many.
    assert objects_after - objects < many / 2


async def at_rest() -> tuple[list[str], int]:
    """The tasks and the number of objects of this process, when what is ending has ended."""
    tasks: list[str] = []
    for _ in range(1_000):
        before, tasks = tasks, sorted(map(coroutine_of, asyncio.all_tasks()))
        await asyncio.sleep(0.002)
        gc.collect()
        if before == tasks:
            break
    return tasks, len(gc.get_objects())


def coroutine_of(task: asyncio.Task[Any]) -> str:
    return getattr(task.get_coro(), "__qualname__", "")


async def some_tables(service: Service) -> list[Table]:
    """Tables on which nothing more happens: a lobby, a game that is over, some in play."""
    tables = [await lobby(service, BANDITS)]
    for number in range(3):
        table = await begun(service, BANDITS)
        moves = moves_of(BANDITS, number)
        for move in moves if number == 0 else moves[:20]:
            await make(move, service, table)
        tables.append(table)
    return tables


async def watch_shortly(service: Service, tables: Sequence[Table], many: int) -> None:
    """So many watches that do not last, in all ways there are, over connections that do not."""
    cursors = [(await history(service, table))[0].cursor for table in tables]
    for first in range(0, many, 50):
        async with asyncio.timeout(LIMIT), client_of(service.address) as passing:
            await asyncio.gather(
                *(
                    short_watch(passing, tables[number % len(tables)], number, cursors)
                    for number in range(first, first + 50)
                )
            )
    gc.collect()  # the client's connections last as long as errors that refer to them


async def short_watch(service: Service, table: Table, number: int, cursors: Sequence[str]) -> None:
    own = cursors[number % len(cursors)]
    foreign = cursors[(number + 1) % len(cursors)]
    match number // len(cursors) % 6:
        case 0:  # gone before it has begun
            watch(service, table).cancel()
        case 1:  # gone after the first message
            await Follower(table).follow(service, 1)
        case 2:  # gone with the connection
            await watch(service, table).read()
        case 3:  # resumed, and gone in the middle; there is one commit at least in all but a lobby
            await Follower(table, cursor=own).follow(service, 0 if table.tokens == [] else 3)
        case 4:
            await Follower(table, cursor=foreign).follow(service)
        case 5:
            await refusal(watch(service, table, "nowhere").read())
