"""npm's clients of Connect, gRPC-Web and gRPC, with the stubs that they generate from protos/."""

from __future__ import annotations

from typing import Any

from coltexpress_server.server_process import ServerProcess
from tests.api.tables import Service
from tests.api.test_refusals import NOBODYS
from tests.web.conftest import report_of, run_node
from tests.web.stories import assert_saw_all

COMMITS_PER_STREAM = 20

INVALID = {"code": "InvalidArgument", "reason": "INVALID_FIELD"}
REFUSALS: dict[str, dict[str, Any]] = {
    "noSuchGame": {"code": "NotFound", "reason": "GAME_NOT_FOUND", "metadata": {"game": NOBODYS}},
    "wrongField": INVALID | {"metadata": {"field": "page_size"}, "fields": ["page_size"]},
    "noToken": {"code": "Unauthenticated", "reason": "TOKEN_MISSING", "metadata": {}},
    "tooEarly": {"code": "FailedPrecondition", "reason": "SEATS_FREE", "metadata": {}},
    "wrongCursor": INVALID | {"metadata": {"field": "cursor"}, "fields": ["cursor"]},
}


async def test_clients_in_node(server: ServerProcess, service: Service) -> None:
    found = await run_node("clients/run.js", server.http, server.address, str(COMMITS_PER_STREAM))
    await check(service, found, transports=6)


async def test_clients_in_a_browser(server: ServerProcess, service: Service, origin: str) -> None:
    """From another origin, so that no header is seen but those that the service shows to all."""
    query = f"api={server.http}&commitsPerStream={COMMITS_PER_STREAM}"
    page = await report_of(f"{origin}/pages/typed.html?{query}")
    assert page.origins == [origin, server.http]
    await check(service, page.found, transports=3)


async def check(service: Service, found: dict[str, Any], transports: int) -> None:
    """Looks into what clients/exercise.js has found."""
    assert len(found["played"]) == len(found["refused"]) == transports, found
    for told in found["played"]:
        await assert_saw_all(service, found["name"], told)
        assert told["ends"] == ["GAME_OVER"]
        assert told["streams"] == len(told["commits"]) // COMMITS_PER_STREAM + 1
    for refused in found["refused"].values():
        # It is the client that finds this out.
        assert refused.pop("outOfTime") == {"code": "DeadlineExceeded"}
        assert refused == {
            call: {"domain": "coltexpress", "language": "es"} | expected
            for call, expected in REFUSALS.items()
        }
