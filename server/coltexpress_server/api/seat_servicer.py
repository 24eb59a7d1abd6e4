"""SeatService: what somebody with seats in many games needs."""

from __future__ import annotations

from functools import partial
from typing import Final

from coltexpress.v1 import seat_service_pb2 as pb
from coltexpress_server.api.calls import Calls, Context
from coltexpress_server.api.decisions import decisions
from coltexpress_server.api.games import name
from coltexpress_server.api.texts import Language
from coltexpress_server.api.watching import Watches, end_of_stream, heartbeat
from coltexpress_server.api.words import STANDINGS, STATES
from coltexpress_server.service.seats import Complete, Seats, SeatStatus
from coltexpress_server.service.watch import End, Idle, cursor_text


class SeatServicer:
    """The service of seats; see protos/coltexpress/v1/seat_service.proto for what it promises."""

    def __init__(self, seats: Seats, calls: Calls, *, watches: Watches) -> None:
        """watches: those open in this process."""
        self._seats: Final = seats
        self._calls: Final = calls
        self._watches: Final = watches

    async def WatchSeats(self, request: pb.WatchSeatsRequest, context: Context) -> None:
        """How each seat of the caller stands, then each change."""
        async with self._calls.stream("WatchSeats", context) as call:
            message = partial(_message, call.language)
            with self._watches.place(), self._seats.watch(call.caller) as statuses:
                await self._watches.pass_on(statuses, message, context)


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
            status.decisions, status.seat, [status.deadline] * len(status.decisions), language
        ),
    )
