"""All seats of a principal watched over HTTP: as events and as lines, like over gRPC."""

from __future__ import annotations

import asyncio
import hashlib

import httpx
from google.protobuf import json_format

from coltexpress.v1 import seat_service_pb2 as seat_pb
from tests.api.conftest import Start
from tests.api.http.event_source import EventParser
from tests.api.tables import begun, deciding, submit

KEY = (("x-api-key", "app's key"),)
PATH = "/v1/seats:watch"
LIMIT = 20  # s


async def test_seats_are_watched_over_http_as_over_grpc(start: Start) -> None:
    keys = {"app": hashlib.sha256(b"app's key").hexdigest()}
    async with (
        start(http_port=0, api_keys=keys) as service,
        httpx.AsyncClient(base_url=service.http, headers=dict(KEY)) as client,
        asyncio.timeout(LIMIT),
    ):
        table = await begun(service, ("DOC", "GHOST", "BELLE"), metadata=KEY)
        stream = service.seats.WatchSeats(seat_pb.WatchSeatsRequest(), metadata=KEY)
        expected = [await stream.read() for _ in range(4)]
        async with (
            client.stream("GET", PATH) as events,
            client.stream("GET", PATH, headers={"accept": "application/x-ndjson"}) as lines,
        ):
            assert events.headers["content-type"] == "text/event-stream"
            parser = EventParser()
            coming = (event async for piece in events.aiter_raw() for event in parser.feed(piece))
            each_line = lines.aiter_lines()
            for number in range(6):
                if number == 4:
                    decision = await deciding(service, table)
                    assert decision is not None
                    await submit(service, table, decision, decision.options[0].option_id)
                    # Who has decided, and who is next: in one order or the other.
                    expected += [await stream.read() for _ in range(2)]
                event = await anext(coming)
                assert event.kind == expected[number].WhichOneof("message")
                assert event.last_id == ""  # a stream begins anew with everything
                line = await anext(each_line)
                for text in (event.data, line):
                    found = json_format.Parse(text, seat_pb.WatchSeatsResponse())
                    assert found == expected[number]
        stream.cancel()
