"""Clocks and bots over two processes: a decision is answered once, whoever is absent or killed."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from coltexpress import ColtExpressError
from coltexpress.v1 import event_pb2, game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1.decision_pb2 import Decision
from coltexpress.v1.vocabulary_pb2 import DecisionKind, Variant
from coltexpress_server.replay.document import read
from coltexpress_server.replay.verifier import verify
from coltexpress_server.server_process import ServerProcess
from tests.api.tables import Service, Table, begun, deciding, get, lobby, new_id, submit
from tests.promises.conftest import Size
from tests.promises.moves import BANDITS, commit_in, submission
from tests.promises.replicas import answer, client_of, on_store
from tests.store.commits import new_game_id

Services = tuple[Service, Service]
Trigger = event_pb2.Commit.Trigger

LEVEL = "RANDOM"
LIMIT_S = 60.0
TURN_MS = 1_000


def clock(**how: int) -> game_pb2.Clock:
    """As short a clock as there is."""
    return game_pb2.Clock(**({"turn_seconds": 1, "auto_play_after": 100} | how))


async def until(behind: redis.Redis, when_ms: float) -> None:
    """Waits for a time of the store's clock."""
    now: Any = behind.time()
    left_s = when_ms / 1000 - (now[0] + now[1] / 1e6)
    await asyncio.sleep(max(0.0, left_s))


async def commits(service: Service, table: Table) -> AsyncGenerator[event_pb2.Commit, None]:
    """The commits of a game from its first on, to its end."""
    request = pb.WatchGameRequest(name=table.name, cursor=await beginning(service, table))
    call = service.games.WatchGame(request)
    async with asyncio.timeout(LIMIT_S):
        while (message := await call.read()).WhichOneof("message") != "end":
            if message.HasField("commit"):
                yield message.commit
    call.cancel()


async def beginning(service: Service, table: Table) -> str:
    """The cursor behind a game's first commit."""
    page = await service.games.ListEvents(pb.ListEventsRequest(parent=table.name, page_size=1))
    return str(page.commits[0].cursor)


async def first(service: Service, table: Table, trigger: Trigger.ValueType) -> event_pb2.Commit:
    """The first commit that was triggered so."""
    async with contextlib.aclosing(commits(service, table)) as found:
        async for commit in found:
            if commit.trigger == trigger:
                return commit
    raise AssertionError("the game ended without one")


async def causes(service: Service, table: Table) -> Counter[str]:
    """Checks a finished game; returns how many of its choices each cause made."""
    document = (await service.games.GetReplay(pb.GetReplayRequest(name=table.name))).document
    replay = read(document.encode())
    assert verify(replay).problems == []
    return Counter(commit.cause for commit in replay.commits if commit.choice)


async def decided(service: Service, table: Table) -> Decision:
    decision = await deciding(service, table)
    assert decision is not None
    return decision


@pytest.fixture
def restartable(valkey_url: str, tmp_path: Path) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    """Two processes that may be stopped, on a store that goes on."""
    with (
        on_store(valkey_url, tmp_path / "one") as one,
        on_store(valkey_url, tmp_path / "two") as two,
    ):
        yield one, two


async def test_a_silent_seat_is_timed_out_at_its_deadline(services: Services) -> None:
    table = await begun(services[0], BANDITS, clock=clock())
    decision = await decided(services[1], table)
    seen = (await get(services[1], table)).decisions[0]
    assert not seen.options
    assert seen.deadline == decision.deadline  # everybody knows by when
    commit = await first(services[1], table, Trigger.TRIGGER_TIMEOUT)
    assert commit.commit_time.ToMilliseconds() >= decision.deadline.ToMilliseconds()
    assert commit.decisions[0].id != decision.id
    assert (
        commit.decisions[0].deadline.ToMilliseconds()
        == commit.commit_time.ToMilliseconds() + TURN_MS
    )
    # RULES.md section 7: who does not answer in Schemin' draws.
    assert commit.events[0].cards_drawn.count == 3
    game = await get(services[0], table)
    assert game.seats[decision.seat].missed_deadlines == 1
    late = await answer(
        services[0], "SubmitAction", submission(table, decision), table.as_seat(decision.seat)
    )
    assert isinstance(late, ColtExpressError)
    assert late.reason == "DECISION_CLOSED"


async def test_four_absent_players_come_to_an_end(services: Services) -> None:
    table = await begun(
        services[0], (*BANDITS, "TUCO"), clock=clock(auto_play_after=1), stand_in=LEVEL
    )
    async with contextlib.aclosing(commits(services[1], table)) as found:
        events = [event async for commit in found for event in commit.events]
    away = [event.auto_play_started for event in events if event.HasField("auto_play_started")]
    assert sorted(each.seat for each in away) == [0, 1, 2, 3]
    assert {each.reason for each in away} == {
        event_pb2.AutoPlayStarted.REASON_MISSED_DEADLINES,
    }
    counts = await causes(services[0], table)
    assert counts["TIMEOUT"] == 4
    assert set(counts) == {"TIMEOUT", "BOT"}


async def test_deadlines_pass_while_all_processes_are_down(
    restartable: tuple[ServerProcess, ServerProcess], behind: redis.Redis
) -> None:
    one, two = restartable
    async with client_of(one.address) as service:
        table = await begun(service, BANDITS, clock=clock())
        decision = await decided(service, table)
    one.kill()
    two.kill()
    await until(behind, decision.deadline.ToMilliseconds())
    two.start()
    async with client_of(two.address) as service:
        commit = await first(service, table, Trigger.TRIGGER_TIMEOUT)
        assert commit.commit_time.ToMilliseconds() >= decision.deadline.ToMilliseconds()
        assert commit.decisions[0].id != decision.id


async def test_a_move_at_the_deadline_is_made_or_timed_out_never_both(
    services: Services, behind: redis.Redis, size: Size
) -> None:
    outcomes: Counter[str] = Counter()
    early_ms = [300, 100, *(step / 2 for step in range(-4, 74, 2))]

    async def one(number: int) -> None:
        service, other = services[number % 2], services[1 - number % 2]
        # Long enough to begin all the games.
        table = await begun(service, BANDITS, clock=clock(turn_seconds=size(3, 8)))
        decision = await decided(service, table)
        request = submission(table, decision)
        early = early_ms[number % len(early_ms)]
        await until(behind, decision.deadline.ToMilliseconds() - early)
        made = await answer(other, "SubmitAction", request, table.as_seat(decision.seat))
        while isinstance(made, ColtExpressError) and made.reason == "STORE_UNAVAILABLE":
            # On a slow machine. Whether it was carried out, the same request finds out.
            made = await answer(service, "SubmitAction", request, table.as_seat(decision.seat))
        commit = await first_after_start(service, table)
        if isinstance(made, ColtExpressError):
            assert made.reason == "DECISION_CLOSED"
            assert commit.trigger == Trigger.TRIGGER_TIMEOUT
            assert commit.commit_time.ToMilliseconds() >= decision.deadline.ToMilliseconds()
        else:
            assert commit.version == commit_in(made).version
            assert commit.trigger == Trigger.TRIGGER_PLAYER
            assert commit.commit_time.ToMilliseconds() < decision.deadline.ToMilliseconds()
        outcomes[Trigger.Name(commit.trigger)] += 1

    async def first_after_start(service: Service, table: Table) -> event_pb2.Commit:
        async with contextlib.aclosing(commits(service, table)) as found:
            async for commit in found:
                if commit.trigger != Trigger.TRIGGER_LOBBY:
                    return commit
        raise AssertionError

    games = size(1, 25) * len(early_ms)
    for begin in range(0, games, len(early_ms)):
        await asyncio.gather(*(one(begin + number) for number in range(len(early_ms))))
    assert outcomes.total() == games
    assert len(outcomes) == 2
    print(f"\n{games} moves within milliseconds of the deadline: {dict(outcomes)}")


async def test_a_reserve_is_used_up_after_the_turn(services: Services, behind: redis.Redis) -> None:
    table = await begun(services[0], BANDITS, clock=clock(reserve_seconds=100))
    decision = await decided(services[0], table)
    deadline = decision.deadline.ToMilliseconds()
    await until(behind, deadline - 100_000 + 100)  # a tenth of a second after his turn
    commit = await submit(services[1], table, decision, decision.options[0].option_id)
    game = await get(services[0], table)
    left = deadline - commit.commit_time.ToMilliseconds()
    reserves = [seat.reserve.ToMilliseconds() for seat in game.seats]
    assert reserves[decision.seat] == left < 100_000
    assert reserves.count(100_000) == 2
    # The next player has his own.
    assert (
        game.decisions[0].deadline.ToMilliseconds()
        == commit.commit_time.ToMilliseconds() + TURN_MS + 100_000
    )


async def test_one_deadline_covers_all_who_have_not_answered(services: Services) -> None:
    """2.1.4: all decide at the same time which cards they keep."""
    table = await begun(
        services[0], BANDITS, clock=clock(), variant=Variant.VARIANT_EXPERT, stand_in=LEVEL
    )
    while (decision := await decided(services[0], table)).kind != (
        DecisionKind.DECISION_KIND_DISCARD
    ):
        await submit(services[1], table, decision, decision.options[0].option_id)
    game = await get(services[0], table)
    asked = {each.seat for each in game.decisions}
    assert len({each.deadline.ToMilliseconds() for each in game.decisions}) == 1
    await submit(services[1], table, decision, decision.options[0].option_id)
    left = (await get(services[0], table)).decisions
    assert {each.seat for each in left} == asked - {decision.seat}
    assert {each.deadline.ToMilliseconds() for each in left} == {decision.deadline.ToMilliseconds()}
    async with contextlib.aclosing(commits(services[0], table)) as found:
        timed_out = 0
        async for commit in found:
            timed_out += commit.trigger == Trigger.TRIGGER_TIMEOUT
            if timed_out == len(left):
                break
    game = await get(services[1], table)
    assert {seat.number for seat in game.seats if seat.missed_deadlines} == asked - {decision.seat}


async def test_a_process_killed_at_a_bots_turn_loses_nothing(
    valkey_url: str, tmp_path: Path
) -> None:
    with (
        on_store(valkey_url, tmp_path / "one", "--bot-pause-s", "0.05") as one,
        on_store(valkey_url, tmp_path / "two", "--sweep-interval-s", "0.5") as two,
    ):
        async with client_of(two.address) as other:
            async with client_of(one.address) as service:
                table = await lobby(service, BANDITS)
                for _ in BANDITS:
                    await service.games.AddBot(
                        pb.AddBotRequest(name=table.name, level=LEVEL, request_id=new_id()),
                        metadata=table.as_host,
                    )
                await service.games.StartGame(
                    pb.StartGameRequest(name=table.name, request_id=new_id()),
                    metadata=table.as_host,
                )
            versions = []
            async with contextlib.aclosing(commits(other, table)) as found:
                async for commit in found:
                    versions.append(commit.version)
                    if len(versions) == 10:
                        one.kill()
            assert versions == list(range(2, len(versions) + 2))
            assert set(await causes(other, table)) == {"BOT"}


async def test_games_that_wait_are_no_work_for_an_idle_server(
    valkey_url: str, behind: redis.Redis, tmp_path: Path
) -> None:
    with on_store(valkey_url, tmp_path / "log", "--sweep-interval-s", "0.02") as process:
        async with client_of(process.address) as service:
            table = await lobby(service, BANDITS, clock=clock())
            few = await commands_a_look(behind)
            multiply(behind, table.name.removeprefix("games/"), 10_000)
            many = await commands_a_look(behind)
    assert few == many
    assert set(many) == {"time", "zrangebyscore"}


async def commands_a_look(behind: redis.Redis) -> dict[str, int]:
    """How many commands of each kind the store gets for each look at what is due."""
    looks = 10
    behind.config_resetstat()
    async with asyncio.timeout(LIMIT_S):
        # The store tells of no command that it has run.
        while (calls := counted(behind)).get("time", 0) < looks:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return {name: round(count / calls["time"]) for name, count in calls.items()}


def counted(behind: redis.Redis) -> dict[str, int]:
    """How often each command ran, but for this test's and those of health checks."""
    stats: Any = behind.info("commandstats")
    others = {"cmdstat_info", "cmdstat_ping", "cmdstat_config|resetstat"}
    return {
        name.removeprefix("cmdstat_"): found["calls"]
        for name, found in stats.items()
        if name not in others
    }


def multiply(store: Any, game_id: str, count: int) -> None:
    """Makes as many more games of the only one there is, as its commits would have left them."""
    dumps = {key: store.dump(key) for key in store.scan_iter(f"*{game_id}")}
    assert dumps
    ((key, (member, score)),) = [
        (key, entry)
        for key in store.scan_iter("*:due")
        for entry in store.zrange(key, 0, -1, withscores=True)
    ]
    chance = random.Random(1)
    with store.pipeline(transaction=False) as pipe:
        for _ in range(count):
            other = new_game_id(chance.randrange(64))

            def named(name: bytes, new: str = other) -> bytes:
                """The name of the same thing of the other game."""
                found = name.replace(game_id.encode(), new.encode())
                return found.replace(b"{%s}" % game_id[:2].encode(), b"{%s}" % new[:2].encode())

            pipe.zadd(named(key), {named(member): score})
            for name, dump in dumps.items():
                pipe.restore(named(name), 0, dump)
        pipe.execute()
