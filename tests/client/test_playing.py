"""The client against a running service, when nothing goes wrong."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from random import Random
from uuid import uuid4

import grpc
import pytest

from coltexpress import (
    Action,
    Client,
    ColtExpressError,
    Commit,
    Decision,
    DecisionClosed,
    Game,
    IllegalAction,
    Seat,
    Visibility,
)
from coltexpress.v1.action_pb2 import DrawCards, Move
from coltexpress.v1.seat_service_pb2 import SeatStatus, Webhook
from tests.client.conftest import API_KEY, QUICK
from tests.client.games import PLAYERS, Table, begun, contiguous, play_out, seated, watched


async def first_decision(table: Table) -> tuple[Seat, Decision]:
    """The seat that decides, and its decision."""
    decides = (await table.host.get()).decisions[0].seat
    seat = table.seats[decides]
    return seat, (await seat.get()).decisions[0]


async def test_bots_play_a_game_to_its_end(client: Client) -> None:
    table = await seated(client, players=4)
    watching = asyncio.create_task(watched(client, table.game))
    await table.host.start()
    await play_out(*table.seats)
    steps = await watching
    assert contiguous(steps)
    game = await client.get(table.game)
    assert game.state == Game.STATE_FINISHED
    assert len(game.result.seats) == 4
    last = steps[-1]
    assert isinstance(last, Commit)
    assert [event.WhichOneof("event") for event in last.events][-1] == "game_ended"
    assert last.version == game.version


async def test_every_decision_comes_once_with_its_options(client: Client) -> None:
    table = await begun(client)
    asked: dict[str, int] = {}

    async def answer(seat: Seat) -> None:
        chance = Random(seat.number)
        async for decision in seat.decisions():
            assert decision.seat == seat.number
            assert decision.options
            assert decision.id not in asked
            asked[decision.id] = seat.number
            assert isinstance(await seat.submit(decision, chance.choice(decision.options)), Commit)

    await asyncio.gather(*(answer(seat) for seat in table.seats))
    commits = [commit async for commit in client.commits(table.game)]
    opened = {decision.id: decision.seat for commit in commits for decision in commit.decisions}
    assert asked == opened


async def test_an_answer_is_an_option_an_id_or_an_action(client: Client) -> None:
    table = await begun(client)
    seat, decision = await first_decision(table)
    draw = next(option for option in decision.options if option.action.HasField("draw_cards"))
    assert isinstance(await seat.submit(decision, draw), Commit)
    seat, decision = await first_decision(table)
    assert isinstance(await seat.submit(decision.id, draw.option_id), Commit)
    seat, decision = await first_decision(table)
    assert isinstance(await seat.submit(decision, Action(draw_cards=DrawCards())), Commit)


async def test_a_late_answer_is_no_error(client: Client) -> None:
    table = await begun(client)
    seat, decision = await first_decision(table)
    assert isinstance(await seat.submit(decision, decision.options[0]), Commit)
    again = await seat.submit(decision, decision.options[0])
    assert again == DecisionClosed(decision.id)


async def test_a_request_repeated_with_its_id_has_the_first_answer(client: Client) -> None:
    table = await begun(client)
    seat, decision = await first_decision(table)
    request_id = str(uuid4())
    first = await seat.submit(decision, decision.options[0], request_id=request_id)
    again = await seat.submit(decision, decision.options[0], request_id=request_id)
    assert isinstance(first, Commit)
    assert again == first


async def test_what_the_rules_forbid_names_the_rule(client: Client) -> None:
    table = await begun(client)
    seat, decision = await first_decision(table)
    with pytest.raises(IllegalAction) as raised:
        await seat.submit(decision, Action(move=Move(space="0.roof")))
    assert raised.value.code is grpc.StatusCode.FAILED_PRECONDITION
    assert raised.value.rule


async def test_a_wrong_field_is_named(client: Client) -> None:
    with pytest.raises(ColtExpressError) as raised:
        await client.create([["DOC"], ["DOC"], []])
    error = raised.value
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert (error.reason, error.field) == ("INVALID_OPTIONS", "game.seats[1].figures")


async def test_a_game_that_is_not_there(client: Client) -> None:
    nowhere = "games/00" + "a" * 24
    with pytest.raises(ColtExpressError) as raised:
        await client.get(nowhere)
    assert raised.value.reason == "GAME_NOT_FOUND"
    with pytest.raises(ColtExpressError) as raised:
        await watched(client, nowhere)
    assert raised.value.reason == "GAME_NOT_FOUND"


async def test_coming_back_to_a_seat_with_its_token(client: Client, server: str) -> None:
    table = await begun(client)
    seat, decision = await first_decision(table)
    async with Client(server) as other:
        same = await other.seat(table.game, seat.token)
        assert same.number == seat.number
        assert isinstance(await same.submit(decision, decision.options[0]), Commit)
        host = other.host(table.game, table.host.token)
        await host.delete()
    with pytest.raises(ColtExpressError) as raised:
        await client.get(table.game)
    assert raised.value.reason == "GAME_NOT_FOUND"


async def test_leaving_and_taking_a_seat_again(client: Client) -> None:
    table = await seated(client)
    await table.seats[1].leave()
    with pytest.raises(ColtExpressError) as raised:
        await table.host.start()
    assert raised.value.reason == "SEATS_FREE"
    again = await client.join(table.game, display_name="Somebody else")
    assert again.number == 1
    assert again.token != table.seats[1].token


async def test_a_private_game_takes_its_join_code(client: Client) -> None:
    host = await client.create(PLAYERS, visibility=Visibility.VISIBILITY_PRIVATE)
    assert host.join_code
    with pytest.raises(ColtExpressError):
        await client.join(host.game)
    seat = await client.join(host.game, join_code=host.join_code)
    assert (await seat.get()).viewer == seat.number


async def test_decisions_end_where_the_game_is_over_already(client: Client) -> None:
    table = await begun(client)
    await play_out(*table.seats)
    assert [decision async for decision in table.seats[0].decisions()] == []


async def test_decisions_may_be_left_and_taken_up_again(client: Client) -> None:
    table = await begun(client)
    seat, decision = await first_decision(table)
    for _ in range(2):
        async for asked in seat.decisions():
            assert asked.id == decision.id
            break
    await play_out(*table.seats)


async def test_waiting_for_a_version(client: Client) -> None:
    table = await begun(client)
    seat, decision = await first_decision(table)
    version = (await table.host.get()).version
    waiting = asyncio.create_task(client.get(table.game, wait_for_version=version + 1, wait=30))
    await seat.submit(decision, decision.options[0])
    assert (await waiting).version == version + 1


async def test_finding_games(client: Client) -> None:
    tables = [await seated(client) for _ in range(3)]
    await tables[0].host.start()
    found = [game.name async for game in client.games([Game.STATE_LOBBY])]
    assert tables[1].game in found
    assert tables[2].game in found
    assert tables[0].game not in found


async def test_the_server_says_what_it_is(client: Client) -> None:
    info = await client.info()
    assert "v1" in info.api_versions
    assert info.fixed_seed_allowed


async def test_a_deleted_game_ends_the_watch_with_an_error(client: Client) -> None:
    table = await begun(client)
    steps = client.watch(table.game)
    await anext(steps)
    await table.host.delete()
    with pytest.raises(ColtExpressError) as raised:
        await anext(steps)
    assert raised.value.reason == "GAME_DELETED"


async def test_secrets_are_not_shown(client: Client) -> None:
    table = await seated(client)
    for thing, secret in [
        (table.host, table.host.token),
        (table.seats[0], table.seats[0].token),
    ]:
        assert secret not in repr(thing)


async def test_closing_a_client_cancels_what_it_does(server: str, client: Client) -> None:
    table = await seated(client)
    other = Client(server)
    steps = other.watch(table.game)
    await anext(steps)
    waiting = asyncio.ensure_future(anext(steps))
    await asyncio.sleep(0)
    await other.close()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_the_seats_of_an_api_key_are_told_together(server: str, client: Client) -> None:
    async with Client(server, api_key=API_KEY, retries=QUICK) as app:
        hosts = [await client.create(3), await client.create(3)]
        seats = {(host.game, (await app.join(host.game)).number) for host in hosts}
        async with aclosing(app.watch_seats()) as statuses:
            told = [await anext(statuses) for _ in hosts]
            assert {(status.name, status.seat) for status in told} == seats
            await client.join(hosts[0].game)
            await hosts[0].delete()
            gone = await anext(statuses)
        assert (gone.name, gone.standing) == (hosts[0].game, SeatStatus.STANDING_DELETED)
        await hosts[1].delete()
    with pytest.raises(ColtExpressError) as raised:
        await anext(client.watch_seats())
    assert raised.value.reason == "API_KEY_MISSING"


async def test_a_seat_may_have_a_webhook(client: Client) -> None:
    host = await client.create(3)
    seat = await client.join(host.game)
    assert (await seat.webhook()).standing == Webhook.STANDING_NONE
    with pytest.raises(ColtExpressError) as raised:
        await seat.set_webhook("https://127.0.0.1/")
    assert raised.value.field == "url"
    assert (await seat.set_webhook("")).standing == Webhook.STANDING_NONE
    await host.delete()


async def test_friends_find_a_game_change_it_and_play_another(client: Client) -> None:
    host = await client.create([["DOC"], ["GHOST"], ["TUCO"], []])
    found = await client.find(f"{host.join_code[:3]} {host.join_code[3:]}".lower())
    assert found.name == host.game
    first = await client.join(found.name, display_name="Ann")
    await host.remove(first.number)
    with pytest.raises(ColtExpressError) as raised:
        await first.get()
    assert raised.value.reason == "TOKEN_MISSING"
    changed = await host.update(seats=3, visibility=Visibility.VISIBILITY_UNLISTED)
    assert (len(changed.seats), changed.visibility) == (3, Visibility.VISIBILITY_UNLISTED)
    seats = [await client.join(host.game) for _ in range(3)]
    await host.start()
    await play_out(*seats)
    again = [await seat.rematch() for seat in seats]
    assert [seat.number for seat in again] == [seat.number for seat in seats]
    next_host = await host.rematch()
    assert {seat.game for seat in again} == {next_host.game} != {host.game}
    await next_host.start()
    assert (await again[0].get()).viewer == again[0].number
    commits = [commit async for commit in client.commits(host.game, as_seat=1)]
    last = [commit.version for commit in commits if commit.decisions][-1]
    past = await client.past(host.game, last, as_seat=1)
    assert (past.version, past.viewer, past.state) == (last, 1, Game.STATE_RUNNING)
