"""Moves in games, and what became of them."""

from __future__ import annotations

from typing import Final

from coltexpress.v1 import event_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1.decision_pb2 import Decision
from tests.api.tables import Service, Table, deciding, new_id

BANDITS: Final = ("DOC", "GHOST", "BELLE")
STARTED: Final = 5
"""The version at which a game of three begins."""


def submission(
    table: Table, decision: Decision, option_id: str = "", request_id: str = ""
) -> pb.SubmitActionRequest:
    """An answer to a decision, the first option unless another one is named."""
    return pb.SubmitActionRequest(
        name=table.name,
        decision_id=decision.id,
        option_id=option_id or decision.options[0].option_id,
        request_id=request_id or new_id(),
    )


def commit_in(data: bytes) -> event_pb2.Commit:
    """The commit that SubmitAction answered with."""
    return pb.SubmitActionResponse.FromString(data).commit


async def open_decision(service: Service, table: Table) -> Decision:
    decision = await deciding(service, table)
    assert decision is not None
    return decision


async def history(service: Service, table: Table, seat: int | None = None) -> list[bytes]:
    """The commits of a game as a seat, or a spectator, saw them."""
    request = pb.ListEventsRequest(parent=table.name, page_size=1000)
    found = await service.games.ListEvents(request, metadata=table.as_seat(seat))
    assert not found.next_page_token
    return [commit.SerializeToString() for commit in found.commits]
