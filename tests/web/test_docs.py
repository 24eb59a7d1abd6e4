"""The page at /docs in a browser, which holds to the policy that the page comes with."""

from __future__ import annotations

import httpx

from coltexpress_server.server_process import ServerProcess
from tests.web.conftest import visit


async def test_the_page_shows_every_operation_and_tries_one(server: ServerProcess) -> None:
    page = await visit("read_docs.js", f"{server.http}/docs")
    async with httpx.AsyncClient(base_url=server.http) as client:
        document = (await client.get("/v1/openapi.json")).json()
    there = {
        f"operations-{operation['tags'][0]}-{operation['operationId']}"
        for path in document["paths"].values()
        for operation in path.values()
    }
    assert set(page.found["operations"]) == there
    assert page.found["status"] == "200"
    assert '"longestWait": "30s"' in page.found["body"]
    # Nothing was refused to it, and it asked nobody else for anything.
    assert page.errors == []
    assert page.origins == [server.http]
