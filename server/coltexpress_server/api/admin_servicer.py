"""AdminService: for those who run the service."""

from __future__ import annotations

from typing import Final

from coltexpress.v1 import admin_service_pb2 as pb
from coltexpress.v1 import game_pb2
from coltexpress_server.api import fields, requests
from coltexpress_server.api.calls import Calls, Context
from coltexpress_server.api.games import game, listed, name
from coltexpress_server.api.times import timestamp
from coltexpress_server.service import admin
from coltexpress_server.service.games import Games


class AdminServicer:
    """Looking after all games; see protos/coltexpress/v1/admin_service.proto.

    Every call is logged with its operator's name.
    """

    def __init__(self, games: Games, calls: Calls) -> None:
        """games: to look after."""
        self._games: Final = games
        self._calls: Final = calls

    async def ListAllGames(
        self, request: pb.ListAllGamesRequest, context: Context
    ) -> pb.ListAllGamesResponse:
        """All games, the newest first."""
        async with self._calls.change("ListAllGames", context) as call:
            admin.require_operator(call.caller)
            listing = await admin.list_all_games(
                self._games,
                fields.page_size(request.page_size, default=20, largest=100),
                fields.text(request.page_token, "page_token"),
                requests.wanted_of_all(request),
            )
            return pb.ListAllGamesResponse(
                games=[listed(summary) for summary in listing.summaries],
                next_page_token=listing.next_page_token,
            )

    async def InspectGame(
        self, request: pb.InspectGameRequest, context: Context
    ) -> pb.GameInspection:
        """What there is to know of a game."""
        async with self._calls.change("InspectGame", context) as call:
            admin.require_operator(call.caller)
            call.game = fields.game_id(request.name, "name")
            found = await admin.inspect_game(self._games, call.game, requests.as_seat(request))
            call.note(found.seen)
            record = found.seen.game.record
            return pb.GameInspection(
                game=game(found.seen, call.language),
                principal=record.principal,
                seat_principals=[seat.principal for seat in record.seats],
                commits=found.seen.game.cursor.version,
                state_size=found.state_size,
                history_size=found.history_size,
                expire_time=timestamp(found.expires_ms),
                due_time=timestamp(found.due_ms),
            )

    async def AbortGame(self, request: pb.AbortGameRequest, context: Context) -> game_pb2.Game:
        """Ends a game."""
        async with self._calls.change("AbortGame", context) as call:
            admin.require_operator(call.caller)
            call.game = fields.game_id(request.name, "name")
            request_id = fields.request_id(request.request_id)
            reason = fields.sentence(request.reason, "reason")
            seen = await admin.abort_game(self._games, call.caller, call.game, request_id, reason)
            call.note(seen)
            return game(seen, call.language)

    async def ExportGame(self, request: pb.ExportGameRequest, context: Context) -> pb.ExportedGame:
        """A game with all that is stored of it."""
        async with self._calls.change("ExportGame", context) as call:
            admin.require_operator(call.caller)
            call.game = fields.game_id(request.name, "name")
            document = await admin.export_game(self._games, call.game)
            return pb.ExportedGame(name=name(call.game), document=document)

    async def ImportGame(self, request: pb.ImportGameRequest, context: Context) -> game_pb2.Game:
        """Puts an exported game into this store."""
        async with self._calls.change("ImportGame", context) as call:
            admin.require_operator(call.caller)
            if not request.document:
                raise fields.missing("document")
            seen = await admin.import_game(self._games, request.document)
            call.note(seen)
            return game(seen, call.language)
