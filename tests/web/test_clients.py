"""npm's clients of Connect, gRPC-Web and gRPC, with the stubs that they generate from protos/."""

from __future__ import annotations

from typing import Any

from google.protobuf.json_format import ParseDict

from coltexpress.v1 import event_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.server_process import ServerProcess
from tests.api.tables import Service
from tests.api.test_refusals import NOBODYS
from tests.web.conftest import run_node

COMMITS_A_STREAM = 20
TRANSPORTS = 6


async def test_a_game_is_played_over_every_transport(
    server: ServerProcess, service: Service
) -> None:
    """Each seat answers its decisions, and resumes its stream again and again."""
    told = await run_node("clients/game.js", server.http, server.address, str(COMMITS_A_STREAM))
    assert len({seat["transport"] for seat in told["seats"]}) == TRANSPORTS
    for seat in told["seats"]:
        commits = [ParseDict(commit, event_pb2.Commit()) for commit in seat["commits"]]
        first = commits[0].version
        request = pb.ListEventsRequest(
            parent=told["name"], page_size=1000, page_token=str(first - 1), as_seat=seat["seat"]
        )
        happened = (await service.games.ListEvents(request)).commits
        # What others say of the same game, in messages of another library, is the same.
        assert commits == list(happened)
        assert len(commits) > 100
        assert seat["streams"] == len(commits) // COMMITS_A_STREAM + 1
        assert seat["answers"] > 10
        assert seat["end"] == "GAME_OVER"


INVALID = {"code": "InvalidArgument", "reason": "INVALID_FIELD"}
REFUSALS: dict[str, dict[str, Any]] = {
    "noSuchGame": {"code": "NotFound", "reason": "GAME_NOT_FOUND", "metadata": {"game": NOBODYS}},
    "wrongField": INVALID | {"metadata": {"field": "page_size"}, "fields": ["page_size"]},
    "noToken": {"code": "Unauthenticated", "reason": "TOKEN_MISSING", "metadata": {}},
    "tooEarly": {"code": "FailedPrecondition", "reason": "SEATS_FREE", "metadata": {}},
    "wrongCursor": INVALID | {"metadata": {"field": "cursor"}, "fields": ["cursor"]},
}


async def test_a_refusal_is_the_same_over_every_transport(server: ServerProcess) -> None:
    found = await run_node("clients/refusals.js", server.http, server.address)
    assert len(found) == TRANSPORTS
    for refused in found.values():
        # It is the client that finds this out.
        assert refused.pop("outOfTime") == {"code": "DeadlineExceeded"}
        assert refused == {
            call: {"domain": "coltexpress", "language": "es"} | expected
            for call, expected in REFUSALS.items()
        }
