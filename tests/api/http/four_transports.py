"""A game with each of its seats on another transport: what each hears, and what each answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from coltexpress.v1 import event_pb2, game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1.decision_pb2 import Decision
from tests.api.http.conftest import Web
from tests.api.http.connecting import Connecting
from tests.api.http.event_source import EventSource
from tests.api.tables import Table, get, new_id

Submit = Callable[..., Awaitable[pb.SubmitActionResponse]]
Story = list[event_pb2.Commit]


class Player:
    """A seat that answers every decision put to it, and keeps what it hears."""

    def __init__(self, table: Table, seat: int, submit: Submit) -> None:
        self.story: Story = []
        self._table = table
        self._seat = seat
        self._submit = submit
        self._answered: set[str] = set()

    async def look_at(self, game: game_pb2.Game) -> None:
        await self._decide(list(game.decisions))

    async def hear(self, commit: event_pb2.Commit) -> None:
        self.story.append(commit)
        await self._decide(list(commit.decisions))

    async def _decide(self, decisions: list[Decision]) -> None:
        for decision in decisions:
            if decision.seat == self._seat and decision.id not in self._answered:
                self._answered.add(decision.id)
                await self._submit(
                    pb.SubmitActionRequest(
                        name=self._table.name,
                        decision_id=decision.id,
                        option_id=decision.options[-1].option_id,
                        request_id=new_id(),
                    ),
                    metadata=self._table.as_seat(self._seat),
                )


async def play_over_four_transports(web: Web, table: Table) -> list[Story]:
    """Plays a game that has just begun to its end; returns what each seat was told."""
    connect = Connecting(web.grpc.http, json=True)
    players = [
        Player(table, 0, web.grpc.games.SubmitAction),
        Player(table, 1, web.rest.SubmitAction),
        Player(table, 2, web.rest.SubmitAction),
        Player(table, 3, connect.SubmitAction),
    ]
    opening = await get(web.grpc, table)
    watch = pb.WatchGameRequest(name=table.name, cursor=opening.cursor)

    async def told(player: Player, message: pb.WatchGameResponse) -> None:
        if message.HasField("commit"):
            await player.hear(message.commit)

    async def over_grpc(player: Player) -> None:
        async for message in web.grpc.games.WatchGame(watch, metadata=table.as_seat(0)):
            await told(player, message)

    async def by_polling(player: Player) -> None:
        """Looks at the game whenever it has changed, and reads what has happened since."""
        seat = table.as_seat(1)
        game = await web.rest.GetGame(pb.GetGameRequest(name=table.name), seat)
        seen = opening.version
        while True:
            await player.look_at(game)
            if game.state == game_pb2.Game.STATE_FINISHED and seen == game.version:
                return
            wait = pb.GetGameRequest(name=table.name, wait_for_version=seen + 1)
            game = await web.rest.GetGame(wait, seat)
            page = pb.ListEventsRequest(parent=table.name, page_size=1000, page_token=str(seen))
            for commit in (await web.rest.ListEvents(page, seat)).commits:
                if commit.version <= game.version:
                    await player.hear(commit)
            seen = game.version

    async def by_events(player: Player) -> None:
        made = pb.CreateWatchTokenRequest(name=table.name)
        token = (await web.rest.CreateWatchToken(made, table.as_seat(2))).token
        query = f"cursor={opening.cursor}&access_token={token}"
        source = EventSource(web.http, f"/v1/{table.name}/events:watch?{query}")
        async for event in source.events(cut_at=20):
            await told(player, event.message)

    async def over_connect(player: Player) -> None:
        async for message in connect.WatchGame(watch, table.as_seat(3)):
            await told(player, message)

    # Whoever begins has made his move when the others begin to watch; they see it all the same.
    for seat, player in enumerate(players):
        await player.look_at(await get(web.grpc, table, seat))
    async with asyncio.TaskGroup() as group:
        for follow, player in zip(
            (over_grpc, by_polling, by_events, over_connect), players, strict=True
        ):
            group.create_task(follow(player))
    return [player.story for player in players]
