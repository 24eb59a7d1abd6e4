"""SeatService: what somebody with seats in many games needs."""

from __future__ import annotations

from functools import partial
from typing import Final

from coltexpress.v1 import seat_service_pb2 as pb
from coltexpress_server.api import fields
from coltexpress_server.api.calls import Calls, Context
from coltexpress_server.api.decisions import decisions
from coltexpress_server.api.games import name
from coltexpress_server.api.texts import Language
from coltexpress_server.api.watching import Watches, end_of_stream, heartbeat
from coltexpress_server.api.words import STANDINGS, STATES, WEBHOOK_STANDINGS
from coltexpress_server.outgoing import Outgoing
from coltexpress_server.service import webhooks
from coltexpress_server.service.games import Games
from coltexpress_server.service.seats import Complete, Seats, SeatStatus
from coltexpress_server.service.watch import End, Idle, cursor_text


class SeatServicer:
    """The service of seats; see protos/coltexpress/v1/seat_service.proto for what it promises."""

    def __init__(
        self, games: Games, seats: Seats, outgoing: Outgoing, calls: Calls, *, watches: Watches
    ) -> None:
        """outgoing: sends webhooks. watches: those open in this process."""
        self._games: Final = games
        self._seats: Final = seats
        self._outgoing: Final = outgoing
        self._calls: Final = calls
        self._watches: Final = watches

    async def WatchSeats(self, request: pb.WatchSeatsRequest, context: Context) -> None:
        """How each seat of the caller stands, then each change."""
        async with self._calls.stream("WatchSeats", context) as call:
            message = partial(_message, call.language)
            with self._watches.place(), self._seats.watch(call.caller) as statuses:
                call.opened()
                await self._watches.pass_on(statuses, message, context)

    async def SetWebhook(self, request: pb.SetWebhookRequest, context: Context) -> pb.Webhook:
        """Has the caller's seat told of its decisions."""
        async with self._calls.change("SetWebhook", context) as call:
            call.game = fields.game_id(request.name, "name")
            request_id = fields.request_id(request.request_id)
            found = await webhooks.set_webhook(
                self._games,
                self._outgoing,
                call.caller,
                call.game,
                request_id,
                url=request.url,
            )
            call.seat = found.seat
            return _webhook(found)

    async def GetWebhook(self, request: pb.GetWebhookRequest, context: Context) -> pb.Webhook:
        """The webhook of the caller's seat."""
        async with self._calls.read("GetWebhook", context) as call:
            call.game = fields.game_id(request.name, "name")
            return _webhook(await webhooks.get_webhook(self._games, call.caller, call.game))


def _webhook(found: webhooks.Webhook) -> pb.Webhook:
    return pb.Webhook(
        name=name(found.game_id),
        seat=found.seat,
        standing=WEBHOOK_STANDINGS.values[found.standing],
        url=found.url,
        secret=found.secret,
        failures=found.failures,
    )


def _message(language: Language, told: SeatStatus | Complete | Idle | End) -> pb.WatchSeatsResponse:
    match told:
        case SeatStatus():
            return pb.WatchSeatsResponse(seat=_status(told, language))
        case Complete():
            return pb.WatchSeatsResponse(complete=pb.SeatsComplete(seats=told.seats))
        case Idle():
            return pb.WatchSeatsResponse(heartbeat=heartbeat(told))
        case End():
            return pb.WatchSeatsResponse(end=end_of_stream(told))


def _status(status: SeatStatus, language: Language) -> pb.SeatStatus:
    return pb.SeatStatus(
        name=name(status.game_id),
        seat=status.seat,
        standing=STANDINGS.values[status.standing],
        state=STATES.values[status.status],
        version=status.cursor.version,
        cursor=cursor_text(status.cursor),
        decisions=decisions(
            status.decisions,
            status.opened_by,
            status.seat,
            [status.deadline] * len(status.decisions),
            language,
        ),
    )
