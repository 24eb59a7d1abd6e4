"""What a client tells of the game that it has played, held against what gRPC tells of it."""

from __future__ import annotations

from typing import Any

from google.protobuf.json_format import ParseDict

from coltexpress.v1 import event_pb2
from coltexpress.v1 import game_service_pb2 as pb
from tests.api.tables import Service


async def assert_saw_all(service: Service, game: str, told: dict[str, Any]) -> None:
    """Asserts that a seat saw every commit since it sat down, once, in order, and played.

    told: its `seat`, `commits` as JSON, how many `answers` it gave.
    """
    saw = [ParseDict(commit, event_pb2.Commit()) for commit in told["commits"]]
    happened = await service.games.ListEvents(
        pb.ListEventsRequest(
            parent=game,
            page_size=1000,
            page_token=str(saw[0].version - 1),
            as_seat=told["seat"],
        )
    )
    assert saw == list(happened.commits)
    assert told["answers"] > 10
