"""A player's view of a game: what is asked, and how to answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from secrets import token_bytes
from typing import Final
from uuid import uuid4

from coltexpress.connection import Connection
from coltexpress.errors import ColtExpressError
from coltexpress.v1.action_pb2 import Action
from coltexpress.v1.decision_pb2 import Decision, Option
from coltexpress.v1.event_pb2 import Commit
from coltexpress.v1.game_pb2 import Game
from coltexpress.v1.game_service_pb2 import (
    GetGameRequest,
    LeaveGameRequest,
    RematchRequest,
    SetAutoPlayRequest,
    SubmitActionRequest,
)
from coltexpress.v1.seat_service_pb2 import GetWebhookRequest, SetWebhookRequest, Webhook
from coltexpress.watching import watch


@dataclass(frozen=True)
class DecisionClosed:
    """An answer came too late: the decision is not open any more, and nothing was changed.

    decision_id: of the decision that was to be answered.
    """

    decision_id: str


class Seat:
    """A seat at a table, for whoever holds its token. Made by `Client.join` and `Client.seat`.

    game: the game's name, "games/...".
    number: which seat it is, an index into the game's seats.
    token: shows that its bearer sits there. A secret; with it, `Client.seat` comes back to the seat
        from any process.
    """

    def __init__(self, connection: Connection, game: str, number: int, token: str) -> None:
        self.game: Final = game
        self.number: Final = number
        self.token: Final = token
        self._connection: Final = connection
        self._listeners: Final[set[_News]] = set()

    def __repr__(self) -> str:
        """Without the token."""
        return f"<Seat {self.number} of {self.game}>"

    async def get(self) -> Game:
        """The game as it is, as the seat sees it.

        Raises:
            ColtExpressError: the token is not good (any more), or there is no such game.
        """
        request = GetGameRequest(name=self.game)
        return await self._connection.call(self._connection.games.GetGame, request, self.token)

    def watch(self, cursor: str = "") -> AsyncGenerator[Game | Commit, None]:
        """The game as the seat sees it, then every commit; see `Client.watch`."""
        return watch(self._connection, self.game, cursor, self.token)

    async def decisions(self) -> AsyncGenerator[Decision, None]:
        """The seat's decisions, each once while it is open, until the game is over.

        A decision that was closed before it could be yielded is left out. Where the service has
        lost the answer to a decision (a failover to an older copy of its data), it comes again.

        Raises:
            ColtExpressError: the game cannot be watched, see `Client.watch`.
        """
        news = _News()
        self._listeners.add(news)
        following = asyncio.create_task(self._follow(news))
        following.add_done_callback(lambda _: news.changed.set())
        try:
            while not news.over:
                if decision := news.next_for(self.number):
                    yield decision
                elif following.done():
                    await following  # raises what ended it
                    return
                else:
                    news.changed.clear()
                    await news.changed.wait()
        finally:
            self._listeners.discard(news)
            following.cancel()
            await asyncio.wait([following])

    async def submit(
        self, decision: Decision | str, answer: Option | Action | str, *, request_id: str = ""
    ) -> Commit | DecisionClosed:
        """Answer a decision; safe against lost replies and restarted servers.

        decision: one of the seat's open decisions, or its id.
        answer: one of its options, or the id of one, or an action.
        request_id: a UUID of version 4, to repeat an answer given before; empty for a new one.

        Returns what the answer brought about. That the decision was closed, answered elsewhere or
        timed out, or the game ended, is no error: things go on without this answer.

        Raises:
            IllegalAction: the rules forbid this answer; nothing was changed.
            ColtExpressError: it was refused for another reason; Unavailable if nobody answered, so
                that it is not known whether it was carried out.
        """
        request = SubmitActionRequest(
            name=self.game,
            decision_id=decision.id if isinstance(decision, Decision) else decision,
            request_id=request_id or str(uuid4()),
        )
        match answer:
            case Option():
                request.option_id = answer.option_id
            case Action():
                request.action.CopyFrom(answer)
            case str():
                request.option_id = answer
        try:
            response = await self._connection.call(
                self._connection.games.SubmitAction, request, self.token
            )
        except ColtExpressError as error:
            # Where the game has ended meanwhile, so have its decisions.
            if error.reason in {"DECISION_CLOSED", "GAME_OVER"}:
                return DecisionClosed(request.decision_id)
            raise
        for news in self._listeners:
            news.take_commit(response.commit)
        return response.commit

    async def rematch(self, *, entropy: bytes | None = None) -> Seat:
        """The same seat in the game that is played after this one, which is over.

        There is one such game, whoever asks for it and however often.

        entropy: mixed into the new shuffles; None for 32 random bytes.

        Raises:
            ColtExpressError: reason GAME_NOT_OVER; SEAT_TAKEN if the seat is not kept any more.
        """
        request = RematchRequest(
            name=self.game, entropy=token_bytes(32) if entropy is None else entropy
        )
        found = await self._connection.call(self._connection.games.Rematch, request, self.token)
        return Seat(self._connection, found.game.name, found.seat, found.seat_token)

    async def leave(self, *, request_id: str = "") -> Game:
        """Give up the seat; the token is worth nothing from then on.

        In a game that has begun a bot plays the seat to the end.

        Raises:
            ColtExpressError: the game is over.
        """
        request = LeaveGameRequest(name=self.game, request_id=request_id or str(uuid4()))
        return await self._connection.call(self._connection.games.LeaveGame, request, self.token)

    async def set_webhook(self, url: str, *, request_id: str = "") -> Webhook:
        """Have the seat told by HTTP when it is to decide and when the game is over.

        Its `secret` signs the messages, and is told only here; docs/WEBHOOKS.md describes them.

        url: where to post to; empty to have no webhook any more.
        request_id: a UUID of version 4, to repeat a request made before; empty for a new one.

        Raises:
            ColtExpressError: nothing is sent to such a URL (reason INVALID_FIELD), or the service
                sends no webhooks.
        """
        request = SetWebhookRequest(name=self.game, url=url, request_id=request_id or str(uuid4()))
        return await self._connection.call(self._connection.seats.SetWebhook, request, self.token)

    async def webhook(self) -> Webhook:
        """The seat's webhook, without its secret."""
        request = GetWebhookRequest(name=self.game)
        return await self._connection.call(self._connection.seats.GetWebhook, request, self.token)

    async def set_auto_play(self, level: str, *, request_id: str = "") -> Game:
        """Have a bot play for a while, until the seat answers a decision or takes this back.

        level: how well it plays, one of `ServerInfo.bot_levels`; empty to play oneself again.
        request_id: a UUID of version 4, to repeat a request made before; empty for a new one.

        Raises:
            ColtExpressError: the game has not begun, or is over.
        """
        request = SetAutoPlayRequest(
            name=self.game, level=level, request_id=request_id or str(uuid4())
        )
        return await self._connection.call(self._connection.games.SetAutoPlay, request, self.token)

    async def _follow(self, news: _News) -> None:
        async with aclosing(self.watch()) as steps:
            async for step in steps:
                if isinstance(step, Game):
                    news.take_game(step)
                else:
                    news.take_commit(step)
        news.over = True


@dataclass(eq=False)
class _News:
    """The newest that one iteration over decisions has heard, by its watch or in answers.

    version: of the game.
    decisions: those open then.
    yielded: ids of those handed out.
    changed: set whenever there may be something to do.
    """

    version: int = 0
    decisions: list[Decision] = field(default_factory=list)
    yielded: set[str] = field(default_factory=set)
    over: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def take_game(self, game: Game) -> None:
        """Begin from a game as it is.

        If that is not the first time, the service may have lost what it had shown, answers
        included: what is open now is asked, whether it was handed out before or not.
        """
        self.yielded.clear()
        self.version = game.version
        self.decisions = list(game.decisions)
        self.over = game.state == Game.STATE_FINISHED
        self.changed.set()

    def take_commit(self, commit: Commit) -> None:
        """Go on, unless that is no news."""
        if commit.version > self.version:
            self.version = commit.version
            self.decisions = list(commit.decisions)
            self.over = any(
                event.HasField("game_ended") or event.HasField("game_aborted")
                for event in commit.events
            )
            self.changed.set()

    def next_for(self, seat: int) -> Decision | None:
        """A decision of the seat that was not handed out yet; marks it as handed out."""
        for decision in self.decisions:
            if decision.seat == seat and decision.id not in self.yielded:
                self.yielded.add(decision.id)
                return decision
        return None
