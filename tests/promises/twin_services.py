"""Two services, each with one of two twin games, and what they say compared."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeVar

import grpc
import redis

from coltexpress.v1 import event_pb2, game_pb2, table_pb2, vocabulary_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import MARSHALS_SEAT
from coltexpress_server.game.choices import Choice, Keep
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.server import serving
from coltexpress_server.service.decision_ids import decision_id
from coltexpress_server.settings import read_settings
from tests.api.games import played
from tests.api.tables import Service, Table, get, new_id
from tests.promises.replicas import client_of
from tests.promises.twin_games import public, record_of, state_of
from tests.promises.wire import GAMES, Answer, Metadata, call, watch

ALWAYS = {"cards_discarded"}
"""Here comes out how many bullets were in a hand, and what lies on top of the discards."""

REVEALING = {
    "BOARD": {"car_boarded"},
    "TURMOIL": {"card_played", "cards_drawn", "cards_searched"},
    "KEEP": {"hand_returned", "cards_kept"},
}
"""By kind of decision that all answer in secret: events that tell how they have answered."""

Timed = TypeVar("Timed", game_pb2.Game, event_pb2.Commit)


@contextlib.asynccontextmanager
async def served(url: str, folder: Path) -> AsyncIterator[Service]:
    """A service on a store, and a client of it."""
    settings = read_settings(
        redis=url,
        service_key_hex="5e" * 32,
        data_dir=folder,
        grpc_port=0,
        http_port="off",
        allow_fixed_seed=True,
        store_timeout_s=20,  # how long the store takes is no matter here
        drain_s=0,
        grace_s=1,
    )
    async with serving(settings) as found, client_of(found.address) as service:
        yield service


@dataclass
class Twins:
    """Two games, each behind a service of its own, and for whom they must look the same."""

    table: Table
    services: tuple[Service, Service]
    stores: tuple[redis.Redis, redis.Redis]
    viewers: Sequence[int]
    chance: Random

    @property
    def game_id(self) -> str:
        return self.table.name.removeprefix("games/")

    def metadata(self, viewer: int) -> Metadata:
        return self.table.as_seat(None if viewer == SPECTATOR else viewer)

    def pending(self) -> tuple[Decision, Decision]:
        """The open decision of each."""
        first, second = [state_of(store, self.game_id).pending[0] for store in self.stores]
        return first, second

    async def compare_reads(self) -> None:
        """All that can be read, and all that is refused, byte for byte."""
        hashes = [record_of(store, self.game_id).seed_hash for store in self.stores]
        first, second = self.services
        for viewer in self.viewers:
            answers = [
                [
                    answer.replacing(seed_hash, bytes(len(seed_hash)))
                    for answer in await self._reads(service, viewer)
                ]
                for service, seed_hash in zip(self.services, hashes, strict=True)
            ]
            for one, other in zip(*answers, strict=True):
                assert one == other
            for request in self._illegal(viewer):
                refusals = [
                    await call(
                        service.channel, f"{GAMES}SubmitAction", request, self.metadata(viewer)
                    )
                    for service in (first, second)
                ]
                assert refusals[0].code is not grpc.StatusCode.OK
                assert refusals[0] == refusals[1]

    async def owners_see_a_difference(self) -> bool:
        """Whether those for whom the games are not the same can tell them apart."""
        for owner in range(len(self.table.tokens)):
            if owner not in self.viewers:
                games = [await self._get(service, owner) for service in self.services]
                if games[0].table != games[1].table:
                    return True
        return False

    async def go_on(self, wanted: Choice | None = None) -> bool:
        """Lets the same public choice happen in both and compares what the viewers see of it.

        Returns whether the games are still twins: what is revealed may be different.
        """
        seat, choices = self._same_choice()
        if wanted is not None:
            choices = (wanted, wanted)
        befores = [await self._get(service, SPECTATOR) for service in self.services]
        decision, _ = self.pending()
        seen = []
        for service, before, choice in zip(self.services, befores, choices, strict=True):
            answer = await submit(service, self.table, decision, choice)
            seen.append([await self._next(service, viewer, before) for viewer in self.viewers])
            if seat in self.viewers:
                own = pb.SubmitActionResponse.FromString(answer.messages[0]).commit
                assert _timeless(own) == seen[-1][self.viewers.index(seat)]
        revealed = False
        revealing = REVEALING.get(decision.kind, set())
        for viewer, first, second in zip(self.viewers, *seen, strict=True):
            revealed |= _reveal(first, second, viewer, befores[0].table, revealing)
        if revealed:
            return False
        for viewer in self.viewers:
            games = [_timeless(await self._get(service, viewer)) for service in self.services]
            games[0].fairness.ClearField("seed_hash")
            games[1].fairness.ClearField("seed_hash")
            assert games[0] == games[1]
        return bool(self.pending())

    def _same_choice(self) -> tuple[int, tuple[Choice, Choice]]:
        """The deciding seat, and for each game a choice that looks the same to everybody."""
        first, second = self.pending()
        assert (first.seat, first.kind, first.id) == (second.seat, second.kind, second.id)
        if first.seat in self.viewers:
            assert first.options == second.options
            option = self.chance.choice(first.options)
            return first.seat, (option, option)
        state = state_of(self.stores[0], self.game_id)
        looks = [
            {public(option, each, state): option for option in each.options}
            for each in (first, second)
        ]
        look = self.chance.choice([each for each in looks[0] if each in looks[1]])
        return first.seat, (looks[0][look], looks[1][look])

    async def _get(self, service: Service, viewer: int) -> game_pb2.Game:
        game: game_pb2.Game = await service.games.GetGame(
            pb.GetGameRequest(name=self.table.name), metadata=self.metadata(viewer)
        )
        return game

    async def _next(self, service: Service, viewer: int, before: game_pb2.Game) -> event_pb2.Commit:
        """The commit that a watcher is sent next."""
        answer = await watch(
            service.channel,
            f"{GAMES}WatchGame",
            pb.WatchGameRequest(name=self.table.name, cursor=before.cursor),
            self.metadata(viewer),
            messages=1,
        )
        return _timeless(pb.WatchGameResponse.FromString(answer.messages[0]).commit)

    async def _reads(self, service: Service, viewer: int) -> list[Answer]:
        channel, name, own = service.channel, self.table.name, self.metadata(viewer)
        listed = await service.games.ListEvents(
            pb.ListEventsRequest(parent=name, page_size=1000), metadata=own
        )
        start = listed.commits[0].cursor
        return [
            await call(channel, f"{GAMES}GetGame", pb.GetGameRequest(name=name), own),
            await call(channel, f"{GAMES}ListGames", pb.ListGamesRequest(), own),
            await call(
                channel,
                f"{GAMES}ListEvents",
                pb.ListEventsRequest(parent=name, page_size=1000),
                own,
            ),
            await watch(
                channel, f"{GAMES}WatchGame", pb.WatchGameRequest(name=name), own, messages=1
            ),
            await watch(
                channel,
                f"{GAMES}WatchGame",
                pb.WatchGameRequest(name=name, cursor=start),
                own,
                messages=len(listed.commits) - 1,
            ),
            await call(channel, f"{GAMES}GetReplay", pb.GetReplayRequest(name=name), own),
            await call(
                channel, f"{GAMES}JoinGame", pb.JoinGameRequest(name=name, request_id=new_id())
            ),
        ]

    def _illegal(self, viewer: int) -> list[pb.SubmitActionRequest]:
        decision, _ = self.pending()
        legal = decision.options if decision.seat == viewer else []
        # Of a set of cards more is legal than the options show.
        choices = [
            choice
            for choice in played().choices
            if choice not in legal and not (decision.members and isinstance(choice, Keep))
        ]
        opened_by = record_of(self.stores[0], self.game_id).opened_by
        return [
            pb.SubmitActionRequest(
                name=self.table.name,
                decision_id=decision_id(decision, opened_by),
                option_id=choice.text,
                request_id=new_id(),
            )
            for choice in self.chance.sample(choices, 5)
        ]


async def submit(service: Service, table: Table, decision: Decision, choice: Choice) -> Answer:
    """Answers a decision that is open, whatever commit has opened it here."""
    open_ones = (await get(service, table)).decisions
    request = pb.SubmitActionRequest(
        name=table.name,
        decision_id=next(each.id for each in open_ones if each.seat == decision.seat),
        option_id=choice.text,
        request_id=new_id(),
    )
    own = table.as_seat(decision.seat)
    answer = await call(service.channel, f"{GAMES}SubmitAction", request, own)
    assert answer.code is grpc.StatusCode.OK
    return answer


def _timeless(message: Timed) -> Timed:
    """Without what chance and the clock make of every commit: its mark and its time."""
    found = type(message)()
    found.CopyFrom(message)
    found.cursor = found.cursor.partition("-")[0]
    for decision in found.decisions:
        decision.id = decision.id.rpartition(".")[0]
    if isinstance(found, game_pb2.Game):
        found.ClearField("update_time")
    else:
        found.ClearField("commit_time")
    return found


def _reveal(
    first: event_pb2.Commit,
    second: event_pb2.Commit,
    viewer: int,
    before: table_pb2.Table,
    revealing: set[str],
) -> bool:
    """Compares what a viewer sees of two commits, up to something hidden that is revealed to him.

    before: the table before them, as everybody sees it. revealing: kinds of events that tell how
    all have answered. Returns whether something was revealed.
    """
    face_down = {played.seat for played in before.pile if played.face_down}
    own = {figure.name for figure in before.figures if figure.seat == viewer}
    # Which of several purses is taken, one sees who knows one of them.
    heaps = {space.id for space in before.spaces if _are_several(space.loot)}
    heaps |= {figure.name for figure in before.figures if _are_several(figure.loot)}
    for one, other in zip(first.events, second.events, strict=False):
        if one.card_played.face_down:
            face_down.add(one.card_played.seat)
        if one != other:
            if {one.WhichOneof("event"), other.WhichOneof("event")} & (revealing | ALWAYS):
                return True
            assert _may_reveal(one, viewer, own | heaps, face_down)
            assert _may_reveal(other, viewer, own | heaps, face_down)
            return True
    assert first == second
    return False


def _may_reveal(event: event_pb2.Event, viewer: int, places: set[str], face_down: set[int]) -> bool:
    """Whether an event may tell a viewer something new.

    places: between which and elsewhere he may see what a purse is worth. face_down: the seats that
    have a card face down on the pile.
    """
    match event.WhichOneof("event"):
        case "round_started" | "game_ended" | "first_player_chosen" | "whiskey_drunk":
            return True
        case "goals_revealed" | "cards_searched":
            return True  # whether there was a card to be found depends on where it lay
        case "goal_turned":
            return viewer == MARSHALS_SEAT
        case "figure_moved":
            # How far the Marshal goes depends on what he has drunk.
            return event.figure_moved.cause == vocabulary_pb2.CAUSE_WHISKEY_FOR_THE_MARSHAL
        case "cards_drawn":
            return event.cards_drawn.seat == viewer
        case "card_borrowed":
            return event.card_borrowed.seat == viewer
        case "card_turned_up":
            return event.card_turned_up.seat in face_down
        case "loot_moved":
            return bool(places & {event.loot_moved.source, event.loot_moved.target})
    return False


def _are_several(loot: Iterable[table_pb2.Loot]) -> bool:
    """Whether there are tokens that look alike and may be worth more or less."""
    counts = Counter(token.kind for token in loot)
    return (
        counts[vocabulary_pb2.LOOT_KIND_PURSE] > 1 or counts[vocabulary_pb2.LOOT_KIND_MAILBAG] > 1
    )
