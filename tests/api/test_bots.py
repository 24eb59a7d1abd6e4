"""Bots in seats: put there by the host, left behind by players, playing for those who are away."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
import redis

from coltexpress.v1 import event_pb2, game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1.server_service_pb2 import GetServerInfoRequest
from coltexpress_server.bots.levels import LEVELS
from coltexpress_server.game.vocabulary import parse
from coltexpress_server.metrics import Metrics
from coltexpress_server.replay.document import read
from coltexpress_server.replay.verifier import verify
from coltexpress_server.service.games import Games
from coltexpress_server.service.play import play_for
from coltexpress_server.store import Store
from tests.api.conftest import MakeSettings, Start
from tests.api.tables import (
    Service,
    Table,
    begun,
    deciding,
    get,
    join,
    lobby,
    new_id,
    refusal,
    submit,
)

BANDITS = ("DOC", "GHOST", "BELLE")
LEVEL = next(iter(LEVELS))
LIMIT_S = 60.0

Metadata = Sequence[tuple[str, str]]
Trigger = event_pb2.Commit.Trigger


async def add_bot(service: Service, table: Table, **how: Any) -> game_pb2.Game:
    game: game_pb2.Game = await service.games.AddBot(
        pb.AddBotRequest(name=table.name, request_id=new_id(), **({"level": LEVEL} | how)),
        metadata=table.as_host,
    )
    return game


async def start_game(service: Service, table: Table) -> None:
    await service.games.StartGame(
        pb.StartGameRequest(name=table.name, request_id=new_id()), metadata=table.as_host
    )


async def set_auto_play(service: Service, table: Table, seat: int, level: str) -> game_pb2.Game:
    game: game_pb2.Game = await service.games.SetAutoPlay(
        pb.SetAutoPlayRequest(name=table.name, level=level, request_id=new_id()),
        metadata=table.as_seat(seat),
    )
    return game


async def leave(service: Service, table: Table, seat: int) -> game_pb2.Game:
    game: game_pb2.Game = await service.games.LeaveGame(
        pb.LeaveGameRequest(name=table.name, request_id=new_id()), metadata=table.as_seat(seat)
    )
    return game


async def watch(service: Service, table: Table, metadata: Metadata = ()) -> Any:
    """A stream of which the first message, the game, was read."""
    call = service.games.WatchGame(pb.WatchGameRequest(name=table.name), metadata=metadata)
    assert (await call.read()).HasField("game")
    return call


async def rest(call: Any) -> tuple[list[event_pb2.Commit], pb.EndOfStream]:
    """What a stream brings until it ends."""
    commits = []
    async with asyncio.timeout(LIMIT_S):
        while (message := await call.read()).WhichOneof("message") != "end":
            commits.append(message.commit)
    return commits, message.end


async def played_out(service: Service, table: Table) -> None:
    """Waits for the end of a game."""
    _, end = await rest(await watch(service, table))
    assert end.reason == pb.EndOfStream.REASON_GAME_OVER


async def verified(service: Service, table: Table) -> Counter[str]:
    """Checks a finished game; returns how many of its choices each cause made."""
    answer = await service.games.GetReplay(pb.GetReplayRequest(name=table.name))
    replay = read(answer.document.encode())
    assert verify(replay).problems == []
    return Counter(commit.cause for commit in replay.commits if commit.choice)


async def test_a_host_fills_seats_with_bots_and_frees_them_again(service: Service) -> None:
    table = await lobby(service, BANDITS)
    game = await add_bot(service, table, seat=1)
    assert (game.seats[1].taken, game.seats[1].bot) == (True, LEVEL)
    assert game.seats[1].display_name == "Bot 2"
    game = await add_bot(service, table, display_name="Ann")
    assert (game.seats[0].display_name, game.seats[0].bot) == ("Ann", LEVEL)
    listed = await service.games.ListGames(pb.ListGamesRequest())
    assert [seat.bot for seat in listed.games[0].seats] == [LEVEL, LEVEL, ""]
    await service.games.RemovePlayer(
        pb.RemovePlayerRequest(name=table.name, seat=0, request_id=new_id()), metadata=table.as_host
    )
    await join(service, table)
    game = await get(service, table)
    assert [seat.bot for seat in game.seats] == ["", LEVEL, ""]
    events = (await service.games.ListEvents(pb.ListEventsRequest(parent=table.name))).commits
    kinds = [event.WhichOneof("event") for commit in events for event in commit.events]
    assert kinds == ["game_created", "seat_taken", "seat_taken", "seat_left", "seat_taken"]


async def test_a_game_of_bots_alone_is_played_to_its_end(service: Service) -> None:
    table = await lobby(service, BANDITS)
    for _ in BANDITS:
        await add_bot(service, table)
    await start_game(service, table)
    await played_out(service, table)
    causes = await verified(service, table)
    assert set(causes) == {"BOT"}


async def test_bots_answer_between_a_players_moves(service: Service) -> None:
    table = await lobby(service, BANDITS)
    await join(service, table)
    for _ in BANDITS[1:]:
        await add_bot(service, table)
    await start_game(service, table)
    async with asyncio.timeout(LIMIT_S):
        while not (game := await get(service, table, 0)).HasField("result"):
            if mine := [decision for decision in game.decisions if decision.seat == 0]:
                await submit(service, table, mine[0], mine[0].options[0].option_id)
            else:
                await get(service, table, 0, wait_for_version=game.version + 1)
    causes = await verified(service, table)
    assert set(causes) == {"BOT", "PLAYER"}


async def test_who_leaves_a_game_in_play_is_replaced_by_a_bot_for_good(service: Service) -> None:
    table = await begun(service, BANDITS, clock=game_pb2.Clock(turn_seconds=3600), stand_in=LEVEL)
    call = await watch(service, table, table.as_seat(0))
    game = await leave(service, table, 0)
    assert not game.HasField("viewer")
    assert (game.seats[0].taken, bool(game.seats[0].bot)) == (True, True)
    commits, end = await rest(call)
    assert end.reason == pb.EndOfStream.REASON_TOKEN_REVOKED
    assert commits[-1].events[0].seat_handed_over.seat == 0
    assert commits[-1].trigger == Trigger.TRIGGER_SEAT
    found = await refusal(get(service, table, 0))
    assert found.reason == "TOKEN_MISSING"
    for seat in (1, 2):
        await leave(service, table, seat)
    # Nobody is left, so bots play it to its end.
    await played_out(service, table)
    assert set(await verified(service, table)) == {"BOT"}


async def test_auto_play_lasts_until_the_player_is_back(service: Service) -> None:
    table = await begun(service, BANDITS)
    before = await deciding(service, table)
    assert before is not None
    seat = before.seat
    async with asyncio.timeout(LIMIT_S):
        game = await set_auto_play(service, table, seat, LEVEL)
        assert (game.viewer, game.seats[seat].auto_play) == (seat, LEVEL)
        # The bot answers at once, and it is somebody else's turn.
        while [decision.seat for decision in game.decisions] == [seat]:
            game = await get(service, table, seat, wait_for_version=game.version + 1)
        assert game.seats[seat].auto_play == LEVEL
        game = await set_auto_play(service, table, seat, "")
        assert game.seats[seat].auto_play == ""
        while (decision := await deciding(service, table)) and decision.seat != seat:
            await submit(service, table, decision, decision.options[0].option_id)
        assert decision is not None
        assert (await get(service, table)).decisions[0].seat == seat
    commits = (
        await service.games.ListEvents(pb.ListEventsRequest(parent=table.name, page_size=1000))
    ).commits
    told = [
        (commit.trigger, event.WhichOneof("event"))
        for commit in commits
        for event in commit.events
        if event.WhichOneof("event") in {"auto_play_started", "auto_play_stopped"}
    ]
    assert told == [
        (Trigger.TRIGGER_SEAT, "auto_play_started"),
        (Trigger.TRIGGER_SEAT, "auto_play_stopped"),
    ]


async def test_an_answer_ends_auto_play(start: Start) -> None:
    async with start(bot_pause_s=3600) as service:
        table = await begun(service, BANDITS)
        decision = await deciding(service, table)
        assert decision is not None
        await set_auto_play(service, table, decision.seat, LEVEL)
        commit = await submit(service, table, decision, decision.options[0].option_id)
        assert commit.trigger == Trigger.TRIGGER_PLAYER
        assert commit.events[0].auto_play_stopped.seat == decision.seat
        assert (await get(service, table)).seats[decision.seat].auto_play == ""


async def test_a_game_without_a_clock_that_everybody_has_left_alone_ends(start: Start) -> None:
    async with start(abandoned_after_s=0.05) as service:
        table = await begun(service, BANDITS, stand_in=LEVEL)
        await played_out(service, table)
        assert set(await verified(service, table)) == {"BOT"}
        game = await get(service, table)
        assert all(seat.auto_play for seat in game.seats)
        # A finished game has nobody to play for.
        for call in (set_auto_play(service, table, 0, ""), leave(service, table, 0)):
            assert (await refusal(call)).reason == "GAME_OVER"


async def test_deleting_a_game_of_bots_leaves_nothing_due(
    start: Start, behind: redis.Redis
) -> None:
    async with start(bot_pause_s=3600) as service:
        table = await lobby(service, BANDITS, clock=game_pb2.Clock(turn_seconds=1))
        for _ in BANDITS:
            await add_bot(service, table)
        await service.games.StartGame(
            pb.StartGameRequest(name=table.name, request_id=new_id()), metadata=table.as_host
        )
        await service.games.DeleteGame(
            pb.DeleteGameRequest(name=table.name, request_id=new_id()), metadata=table.as_host
        )
        game_id = table.name.removeprefix("games/")
        left: Any = behind.keys()
        assert [key for key in left if b":due" in key] == []
        # Only the memory of requests stays, for a while.
        assert [key.decode().split(":")[2] for key in left if game_id.encode() in key] == [
            "requests"
        ]


@pytest.mark.parametrize("level", LEVELS)
async def test_every_level_plays_here(service: Service, level: str) -> None:
    info = await service.server.GetServerInfo(GetServerInfoRequest())
    assert level in info.bot_levels
    table = await lobby(service, BANDITS)
    for _ in BANDITS:
        await add_bot(service, table, level=level)
    await start_game(service, table)
    await played_out(service, table)


async def test_what_a_bot_chose_for_a_lost_decision_is_dropped(
    start: Start, make_settings: MakeSettings, valkey_url: str
) -> None:
    """It may come to its choice when the store has lost the position that it thought about."""
    async with start(bot_pause_s=3600) as service:
        table = await begun(service, BANDITS)
        decision = await deciding(service, table)
        assert decision is not None
        game = await set_auto_play(service, table, decision.seat, LEVEL)
        choice = parse(decision.options[0].option_id)
        assert choice is not None
        store = Store(valkey_url)
        try:
            games = Games(store, make_settings(), Metrics())
            for decision_id, version in (
                (decision.id[:-16] + "0123456789abcdef", game.version),
                (decision.id, game.version + 1),
            ):
                await play_for(games, table.name.removeprefix("games/"), decision_id, LEVEL, choice)
                assert (await get(service, table)).version == version
        finally:
            await store.close()
