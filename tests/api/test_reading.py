"""Looking games up over sockets: one, many, what happened, the server itself."""

from __future__ import annotations

import asyncio
from typing import Any

from google.protobuf.duration_pb2 import Duration

from coltexpress.v1 import game_pb2, server_service_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1.vocabulary_pb2 import Variant
from coltexpress_server.api.server_servicer import RELEASE
from tests.api.conftest import Start
from tests.api.tables import Service, begun, deciding, get, join, lobby, play, submit


async def test_games_are_listed_newest_first_page_by_page(service: Service) -> None:
    tables = [await lobby(service) for _ in range(5)]
    found: list[str] = []
    sizes = []
    token = ""
    while True:
        page = await service.games.ListGames(pb.ListGamesRequest(page_size=2, page_token=token))
        found += [game.name for game in page.games]
        sizes.append(len(page.games))
        token = page.next_page_token
        if not token:
            break
    assert sorted(found) == sorted(table.name for table in tables)
    created = [(await get(service, table)).create_time.ToMilliseconds() for table in tables]
    assert created == sorted(created)
    times = dict(zip((table.name for table in tables), created, strict=True))
    assert [times[name] for name in found] == sorted(created, reverse=True)
    assert sizes[:2] == [2, 2]


async def test_a_list_shows_no_table_and_only_public_games(service: Service) -> None:
    table = await begun(service)
    await lobby(service, visibility=game_pb2.VISIBILITY_UNLISTED)
    await lobby(service, visibility=game_pb2.VISIBILITY_PRIVATE)
    [game] = (await service.games.ListGames(pb.ListGamesRequest())).games
    whole = await get(service, table)
    assert game.name == table.name
    assert game.state == game_pb2.Game.STATE_RUNNING
    assert game.seats == whole.seats
    assert game.version == whole.version
    assert game.create_time == whole.create_time
    for field in ("table", "fairness", "result", "viewer"):
        assert not game.HasField(field)
    assert not game.decisions


async def test_a_list_of_games_in_some_states(service: Service) -> None:
    running = await begun(service)
    waiting = await lobby(service)
    for state, table in [("RUNNING", running), ("LOBBY", waiting)]:
        states = [game_pb2.Game.State.Value(f"STATE_{state}")]
        page = await service.games.ListGames(pb.ListGamesRequest(states=states))
        assert [game.name for game in page.games] == [table.name]


async def test_lists_of_games_of_some_kinds(service: Service) -> None:
    three = await lobby(service, ("DOC", "GHOST", "BELLE"))
    teams = await lobby(service, variant=Variant.VARIANT_TEAMS)
    full = await lobby(service)
    for table in (three, full, full, full, full):
        await join(service, table)

    async def shown(**how: Any) -> set[str]:
        page = await service.games.ListGames(pb.ListGamesRequest(**how))
        return {game.name for game in page.games}

    assert await shown() == {full.name, teams.name, three.name}
    assert await shown(variants=[Variant.VARIANT_TEAMS]) == {teams.name}
    assert await shown(seat_counts=[3, 6]) == {three.name}
    assert await shown(free_seats=1) == {teams.name, three.name}
    assert await shown(free_seats=3, seat_counts=[4], states=[1]) == {teams.name}
    assert await shown(states=[3]) == set()


async def test_pages_of_few_among_many_are_full(service: Service) -> None:
    wanted = []
    for number in range(24):
        table = await lobby(service, ("DOC", "GHOST", "BELLE", "TUCO")[: 3 + (number % 6 > 0)])
        if number % 6 == 0:
            wanted.append(table.name)
    first = await service.games.ListGames(pb.ListGamesRequest(page_size=3, seat_counts=[3]))
    second = await service.games.ListGames(
        pb.ListGamesRequest(page_size=3, seat_counts=[3], page_token=first.next_page_token)
    )
    assert [game.name for game in first.games] == wanted[:0:-1]
    assert [game.name for game in second.games] == wanted[:1]
    assert not second.next_page_token


async def test_a_long_poll_ends_when_the_version_is_there(service: Service) -> None:
    table = await lobby(service)
    version = (await get(service, table)).version
    polls = [
        asyncio.ensure_future(get(service, table, wait_for_version=version + ahead))
        for ahead in (0, 1, 2)
    ]
    assert (await polls[0]).version == version
    await join(service, table)
    assert (await polls[1]).version == version + 1
    assert not polls[2].done()
    await join(service, table)
    assert (await polls[2]).version == version + 2


async def test_a_long_poll_ends_when_its_time_is_up(service: Service) -> None:
    table = await lobby(service)
    wait = Duration(nanos=50_000_000)
    async with asyncio.timeout(5):
        game = await get(service, table, wait_for_version=99, wait=wait)
    assert game.version < 99


async def test_the_server_limits_a_long_poll(start: Start) -> None:
    async with start(longest_wait_s=0.05) as service, asyncio.timeout(5):
        table = await lobby(service)
        for wait in (None, Duration(seconds=3600)):
            assert (await get(service, table, wait_for_version=99, wait=wait)).version < 99


async def test_history_page_by_page_is_history_at_once(service: Service) -> None:
    table = await begun(service)
    await play(service, table, choices=7)
    whole = await service.games.ListEvents(pb.ListEventsRequest(parent=table.name))
    assert not whole.next_page_token
    assert [commit.version for commit in whole.commits] == list(range(1, 14))
    paged = []
    token = ""
    while True:
        page = await service.games.ListEvents(
            pb.ListEventsRequest(parent=table.name, page_size=5, page_token=token)
        )
        paged += page.commits
        token = page.next_page_token
        if not token:
            break
    assert paged == list(whole.commits)


async def test_history_is_what_the_caller_saw(service: Service) -> None:
    table = await begun(service)
    decision = await deciding(service, table)
    assert decision is not None
    commit = await submit(service, table, decision, "draw")
    request = pb.ListEventsRequest(parent=table.name)
    own = await service.games.ListEvents(request, metadata=table.as_seat(decision.seat))
    others = await service.games.ListEvents(request)
    assert own.commits[-1] == commit
    assert others.commits[-1] != commit
    assert others.commits[-1].cursor == commit.cursor
    assert commit.events[0].cards_drawn.cards
    assert not others.commits[-1].events[0].cards_drawn.cards


async def test_the_server_tells_its_versions_and_limits(start: Start) -> None:
    async with start(longest_wait_s=7, heartbeat_s=2.5, allow_fixed_seed=False) as service:
        info = await service.server.GetServerInfo(server_service_pb2.GetServerInfoRequest())
    assert info.version == RELEASE
    assert list(info.api_versions) == ["v1"]
    assert info.rules_revision >= 1
    assert not info.fixed_seed_allowed
    assert info.longest_wait == Duration(seconds=7)
    assert info.heartbeat_interval == Duration(seconds=2, nanos=500_000_000)
    assert info.largest_request == 65_536
