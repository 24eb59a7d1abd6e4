"""What a host and a player can do about bots and time, through the client."""

from __future__ import annotations

import pytest

from coltexpress import Client, Clock, ColtExpressError, Game
from tests.client.games import begun, seated, watched

LEVEL = "RANDOM"


async def test_a_host_fills_a_table_with_bots(client: Client) -> None:
    assert LEVEL in (await client.info()).bot_levels
    host = await client.create(3, stand_in=LEVEL)
    await host.add_bot(LEVEL, seat=1, figures=["DOC"], display_name="Doctor")
    game = await host.add_bot(LEVEL)
    assert [seat.bot for seat in game.seats] == [LEVEL, LEVEL, ""]
    assert game.seats[1].display_name == "Doctor"
    assert game.stand_in == LEVEL
    game = await host.remove(0)
    assert [seat.bot for seat in game.seats] == ["", LEVEL, ""]
    await host.add_bot(LEVEL)
    await host.add_bot(LEVEL)
    with pytest.raises(ColtExpressError) as refused:
        await host.add_bot(LEVEL)
    assert refused.value.reason == "NO_SEAT_FREE"
    await host.start()
    await watched(client, host.game)
    assert (await client.get(host.game)).state == Game.STATE_FINISHED


async def test_a_host_gives_players_time_and_takes_the_clock_away(client: Client) -> None:
    host = await client.create(3, clock=Clock(turn_seconds=60, reserve_seconds=300))
    assert (await host.get()).clock == Clock(
        turn_seconds=60, reserve_seconds=300, auto_play_after=2
    )
    game = await host.update(clock=Clock(turn_seconds=30), stand_in=LEVEL)
    assert (game.clock.turn_seconds, game.stand_in) == (30, LEVEL)
    assert not (await host.update(clock=Clock())).HasField("clock")


async def test_a_player_has_a_bot_play_and_leaves_the_seat_to_one(client: Client) -> None:
    table = await begun(client)
    decides = (await table.host.get()).decisions[0].seat
    idle = table.seats[(decides + 1) % len(table.seats)]
    game = await idle.set_auto_play(LEVEL)
    assert game.seats[idle.number].auto_play == LEVEL
    game = await idle.set_auto_play("")
    assert game.seats[idle.number].auto_play == ""
    game = await idle.leave()
    assert game.seats[idle.number].bot
    with pytest.raises(ColtExpressError) as refused:
        await idle.get()
    assert refused.value.reason == "TOKEN_MISSING"


async def test_auto_play_is_for_games_that_have_begun(client: Client) -> None:
    table = await seated(client)
    with pytest.raises(ColtExpressError) as refused:
        await table.seats[0].set_auto_play(LEVEL)
    assert refused.value.reason == "GAME_NOT_STARTED"
