"""GameService: each method reads its request, calls its use case, writes its response."""

from __future__ import annotations

from functools import partial
from typing import Final

from google.protobuf.empty_pb2 import Empty
from google.protobuf.timestamp_pb2 import Timestamp

from coltexpress.v1 import game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.api import fields, requests
from coltexpress_server.api.calls import Calls, Context
from coltexpress_server.api.commits import Commits
from coltexpress_server.api.events import commit
from coltexpress_server.api.games import game, listed, name
from coltexpress_server.api.texts import Language
from coltexpress_server.api.watching import Watches, end_of_stream, heartbeat
from coltexpress_server.service import (
    absence,
    hosting,
    lists,
    lobby,
    play,
    read,
    rematch,
    replay,
    watch,
    watch_tokens,
)
from coltexpress_server.service.games import Games
from coltexpress_server.service.views import Seen, SeenStep
from coltexpress_server.service.watch import End, Idle

_COMMITS_KEPT: Final = 1000


class GameServicer:
    """The service of games; see protos/coltexpress/v1/game_service.proto for what it promises."""

    def __init__(
        self,
        games: Games,
        calls: Calls,
        *,
        watches: Watches,
        longest_wait_s: float,
    ) -> None:
        """watches: those open in this process. longest_wait_s: of GetGame."""
        self._games: Final = games
        self._calls: Final = calls
        self._longest_wait_s: Final = longest_wait_s
        self._commits: Final = Commits(_COMMITS_KEPT)
        self._watches: Final = watches

    async def CreateGame(
        self, request: pb.CreateGameRequest, context: Context
    ) -> pb.CreateGameResponse:
        """Creates a game with free seats."""
        async with self._calls.change("CreateGame", context) as call:
            wanted = requests.creation(request)
            created = await lobby.create_game(
                self._games,
                call.caller,
                wanted.request_id,
                options=wanted.options,
                seats=wanted.seats,
                visibility=wanted.visibility,
                clock=wanted.clock,
                stand_in=wanted.stand_in,
                seed=wanted.seed,
            )
            call.note(created.seen)
            return pb.CreateGameResponse(
                game=game(created.seen, call.language), host_token=created.host_token
            )

    async def GetGame(self, request: pb.GetGameRequest, context: Context) -> game_pb2.Game:
        """A game at once, or when it has reached a version."""
        async with self._calls.read("GetGame", context) as call:
            call.game = fields.game_id(request.name, "name")
            if request.HasField("at_version") or request.HasField("as_seat"):
                past = requests.past(request)
                seen = await read.get_past_game(
                    self._games, call.caller, call.game, past.version, past.as_seat
                )
                return game(seen, call.language)
            version = fields.not_negative(request.wait_for_version, "wait_for_version")
            wait_s = requests.wait_s(request, self._longest_wait_s)
            seen = await read.get_game(self._games, call.caller, call.game, version, wait_s)
            return game(seen, call.language)

    async def ListGames(
        self, request: pb.ListGamesRequest, context: Context
    ) -> pb.ListGamesResponse:
        """Public games, or the caller's own, the newest first."""
        async with self._calls.read("ListGames", context) as call:
            size = fields.page_size(request.page_size, default=20, largest=100)
            token = fields.text(request.page_token, "page_token")
            wanted = requests.wanted(request)
            listing = (
                await lists.list_my_games(self._games, call.caller, size, token, wanted)
                if request.mine
                else await lists.list_games(self._games, size, token, wanted)
            )
            return pb.ListGamesResponse(
                games=[listed(summary) for summary in listing.summaries],
                next_page_token=listing.next_page_token,
            )

    async def FindGame(self, request: pb.FindGameRequest, context: Context) -> game_pb2.Game:
        """The game of a join code."""
        async with self._calls.read("FindGame", context) as call:
            code = fields.join_code(request.join_code)
            return game(await read.find_game(self._games, call.caller, code), call.language)

    async def JoinGame(self, request: pb.JoinGameRequest, context: Context) -> pb.JoinGameResponse:
        """Takes a seat."""
        async with self._calls.change("JoinGame", context) as call:
            wanted = requests.joining(request)
            call.game = wanted.game_id
            joined = await lobby.join_game(
                self._games,
                call.caller,
                wanted.game_id,
                wanted.request_id,
                seat=wanted.seat,
                figures=wanted.figures,
                display_name=wanted.display_name,
                entropy=wanted.entropy,
                join_code=wanted.join_code,
            )
            call.note(joined.seen)
            return pb.JoinGameResponse(
                game=game(joined.seen, call.language),
                seat=joined.seat,
                seat_token=joined.seat_token,
            )

    async def LeaveGame(self, request: pb.LeaveGameRequest, context: Context) -> game_pb2.Game:
        """Gives up the caller's seat."""
        async with self._calls.change("LeaveGame", context) as call:
            call.game = fields.game_id(request.name, "name")
            request_id = fields.request_id(request.request_id)
            seen = await lobby.leave_game(self._games, call.caller, call.game, request_id)
            call.note(seen)
            return game(seen, call.language)

    async def UpdateGame(self, request: pb.UpdateGameRequest, context: Context) -> game_pb2.Game:
        """Changes what is to be played."""
        async with self._calls.change("UpdateGame", context) as call:
            wanted = requests.updating(request)
            call.game = wanted.game_id
            seen = await hosting.update_game(
                self._games, call.caller, wanted.game_id, wanted.request_id, wanted.update
            )
            call.note(seen)
            return game(seen, call.language)

    async def RemovePlayer(
        self, request: pb.RemovePlayerRequest, context: Context
    ) -> game_pb2.Game:
        """Takes a seat from its player."""
        async with self._calls.change("RemovePlayer", context) as call:
            call.game = fields.game_id(request.name, "name")
            request_id = fields.request_id(request.request_id)
            if not request.HasField("seat"):
                raise fields.missing("seat")
            seat = fields.not_negative(request.seat, "seat")
            seen = await hosting.remove_player(
                self._games, call.caller, call.game, request_id, seat
            )
            call.note(seen)
            return game(seen, call.language)

    async def StartGame(self, request: pb.StartGameRequest, context: Context) -> game_pb2.Game:
        """Begins the game."""
        async with self._calls.change("StartGame", context) as call:
            call.game = fields.game_id(request.name, "name")
            request_id = fields.request_id(request.request_id)
            seen = await hosting.start_game(self._games, call.caller, call.game, request_id)
            call.note(seen)
            return game(seen, call.language)

    async def AddBot(self, request: pb.AddBotRequest, context: Context) -> game_pb2.Game:
        """Puts a bot on a free seat."""
        async with self._calls.change("AddBot", context) as call:
            wanted = requests.bot(request)
            call.game = wanted.game_id
            seen = await hosting.add_bot(
                self._games,
                call.caller,
                wanted.game_id,
                wanted.request_id,
                seat=wanted.seat,
                level=wanted.level,
                figures=wanted.figures,
                display_name=wanted.display_name,
            )
            call.note(seen)
            return game(seen, call.language)

    async def SetAutoPlay(self, request: pb.SetAutoPlayRequest, context: Context) -> game_pb2.Game:
        """Has a bot play for the caller, or no longer."""
        async with self._calls.change("SetAutoPlay", context) as call:
            call.game = fields.game_id(request.name, "name")
            request_id = fields.request_id(request.request_id)
            level = fields.name(request.level, "level") if request.level else ""
            seen = await absence.set_auto_play(
                self._games, call.caller, call.game, request_id, level
            )
            call.note(seen)
            return game(seen, call.language)

    async def SubmitAction(
        self, request: pb.SubmitActionRequest, context: Context
    ) -> pb.SubmitActionResponse:
        """Answers the caller's open decision."""
        async with self._calls.change("SubmitAction", context) as call:
            wanted = requests.submission(request)
            call.game = wanted.game_id
            step = await play.submit(
                self._games,
                call.caller,
                wanted.game_id,
                wanted.request_id,
                decision_id=wanted.decision_id,
                answer=wanted.answer,
            )
            call.seat = step.viewer
            call.version = step.past.cursor.version
            return pb.SubmitActionResponse(commit=self._commits.message(step, call.language))

    # A coroutine that writes, not an iterator: one that is left in the middle is tidied up at once,
    # an iterator only some time later.
    async def WatchGame(self, request: pb.WatchGameRequest, context: Context) -> None:
        """The game, then every commit as it happens."""
        async with self._calls.stream("WatchGame", context) as call:
            call.game = fields.game_id(request.name, "name")
            cursor = fields.text(request.cursor, "cursor")
            with self._watches.place():
                async with await watch.watch_game(
                    self._games, call.caller, call.game, cursor
                ) as steps:
                    call.opened()
                    await self._watches.pass_on(
                        steps, partial(self._watched, call.language), context
                    )

    def _watched(
        self, language: Language, seen: Seen | SeenStep | Idle | End
    ) -> pb.WatchGameResponse:
        match seen:
            case Seen():
                return pb.WatchGameResponse(game=game(seen, language))
            case SeenStep():
                return pb.WatchGameResponse(commit=self._commits.message(seen, language))
            case Idle():
                return pb.WatchGameResponse(heartbeat=heartbeat(seen))
            case End():
                return pb.WatchGameResponse(end=end_of_stream(seen))

    async def CreateWatchToken(
        self, request: pb.CreateWatchTokenRequest, context: Context
    ) -> pb.WatchToken:
        """A token for watching a game."""
        async with self._calls.read("CreateWatchToken", context) as call:
            call.game = fields.game_id(request.name, "name")
            made = await watch_tokens.create_watch_token(self._games, call.caller, call.game)
            return pb.WatchToken(token=made.token, expire_time=Timestamp(seconds=made.until))

    async def ListEvents(
        self, request: pb.ListEventsRequest, context: Context
    ) -> pb.ListEventsResponse:
        """The commits so far."""
        async with self._calls.read("ListEvents", context) as call:
            call.game = fields.game_id(request.parent, "parent")
            found = await read.list_steps(
                self._games,
                call.caller,
                call.game,
                page_size=fields.page_size(request.page_size, default=100, largest=1000),
                page_token=fields.text(request.page_token, "page_token"),
                as_seat=requests.as_seat(request),
            )
            return pb.ListEventsResponse(
                commits=[commit(step, call.language) for step in found.steps],
                next_page_token=found.next_page_token,
            )

    async def GetReplay(self, request: pb.GetReplayRequest, context: Context) -> pb.Replay:
        """Everything about a finished game."""
        async with self._calls.read("GetReplay", context) as call:
            call.game = fields.game_id(request.name, "name")
            document = await replay.get_replay(self._games, call.caller, call.game)
            return pb.Replay(name=name(call.game), document=document)

    async def Rematch(self, request: pb.RematchRequest, context: Context) -> pb.RematchResponse:
        """The game that is played next."""
        async with self._calls.change("Rematch", context) as call:
            call.game = fields.game_id(request.name, "name")
            found = await rematch.rematch(
                self._games, call.caller, call.game, fields.entropy(request.entropy)
            )
            call.note(found.seen)
            return pb.RematchResponse(
                game=game(found.seen, call.language),
                seat=found.seat,
                seat_token=found.seat_token,
                host_token=found.host_token,
            )

    async def DeleteGame(self, request: pb.DeleteGameRequest, context: Context) -> Empty:
        """Removes a game."""
        async with self._calls.change("DeleteGame", context) as call:
            call.game = fields.game_id(request.name, "name")
            request_id = fields.request_id(request.request_id)
            await lobby.delete_game(self._games, call.caller, call.game, request_id)
            return Empty()
