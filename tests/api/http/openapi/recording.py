"""The examples of the OpenAPI document: one game, from its lobby to its rematch, written down.

    python -m tests.api.http.openapi.recording

writes them anew, from the root of the checkout. To be run and committed whenever the examples no
longer fit the API; times and marks in them are then others.
"""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from coltexpress_server.api.http.openapi import examples
from coltexpress_server.server import serving
from coltexpress_server.settings import read_settings
from tests.api.http.rest import rule_of

FILE = Path(examples.__file__).with_name("examples.json")
API_KEY = "an example of a key"
SHORTENED = "..."
REACHABLE = "http://127.0.0.1:9"
EXEMPLARY = "https://player.example"
"""What is written down in the place of it: names are resolved when a webhook is set."""
LIMIT_S = 60

Headers = Mapping[str, str]


class Recorder:
    """A client that keeps the first call of each method, and an error for each reason."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.calls: dict[str, Any] = {}
        self.errors: dict[str, Any] = {}
        self._chance = Random(1)

    def new_id(self) -> str:
        """A request id."""
        return str(uuid.UUID(bytes=self._chance.randbytes(16), version=4))

    async def call(
        self,
        method: str,
        game: str = "",
        body: Any = None,
        headers: Headers | None = None,
        **query: Any,
    ) -> Any:
        """Calls a method; returns its response."""
        answer = await self._send(method, game, body, headers or {}, query)
        assert answer.is_success, answer.text
        self._keep(method, game, body, query, response=shortened(answer.json()))
        return answer.json()

    async def refused(
        self, method: str, game: str = "", body: Any = None, headers: Headers | None = None
    ) -> None:
        """Calls a method, which is refused."""
        answer = await self._send(method, game, body, headers or {}, {})
        assert not answer.is_success, answer.text
        error = answer.json()
        self.errors.setdefault(error["error"]["details"][0]["reason"], error)

    @asynccontextmanager
    async def stream(
        self, method: str, game: str = "", headers: Headers | None = None
    ) -> AsyncIterator[asyncio.Queue[str]]:
        """Begins a stream; what comes is kept when the block is left."""
        parts: asyncio.Queue[str] = asyncio.Queue()
        text: list[str] = []

        async def read() -> None:
            url = path_of(method, game)
            async with self.client.stream("GET", url, headers=dict(headers or {})) as answer:
                async for line in answer.aiter_lines():
                    text.append(line)
                    if line.startswith("event: "):
                        parts.put_nowait(line.removeprefix("event: "))
                    if not line:
                        parts.put_nowait("")

        reading = asyncio.create_task(read())
        yield parts
        reading.cancel()
        self._keep(method, game, None, {}, events="\n".join(text) + "\n")

    async def _send(
        self, method: str, game: str, body: Any, headers: Headers, query: Mapping[str, Any]
    ) -> httpx.Response:
        verb, _, _ = rule_of(method)
        return await self.client.request(
            verb, path_of(method, game), json=body, headers=dict(headers), params=dict(query)
        )

    def _keep(self, method: str, game: str, body: Any, query: Any, **answer: Any) -> None:
        parameters = {"game": game.removeprefix("games/")} if game else {}
        kept = {"parameters": {**parameters, **query}, "request": body, **answer}
        self.calls.setdefault(
            method, {name: value for name, value in kept.items() if value is not None}
        )


def path_of(method: str, game: str) -> str:
    """The path of a call."""
    return re.sub(r"\{[\w.]+=games/\*\}", game, rule_of(method)[1])


def shortened(response: Any) -> Any:
    """A response without what would be too long to read: the rest of the catalogue, a replay."""
    if "editions" in response:
        return {
            name: value[:2] if isinstance(value, list) else value
            for name, value in response.items()
        }
    if "document" in response:
        return {**response, "document": response["document"][:200] + SHORTENED}
    return response


def bearer(token: str) -> Headers:
    return {"authorization": f"Bearer {token}"}


async def story(record: Recorder) -> None:
    """One game, and a few mistakes."""
    await record.call("GetServerInfo")
    await record.call("GetCatalog")
    seats = [{"figures": ["DOC"]}, {"figures": ["GHOST"]}, {}]
    created = await record.call(
        "CreateGame",
        body={
            "game": {"visibility": "VISIBILITY_PUBLIC", "seats": seats},
            "requestId": record.new_id(),
        },
    )
    name, host = created["game"]["name"], bearer(created["hostToken"])
    code = created["game"]["joinCode"]
    await record.call("ListGames", pageSize=2, states=["STATE_LOBBY"], freeSeats=1)
    await record.call("FindGame", body={"joinCode": code})
    await record.refused("StartGame", name, {"requestId": record.new_id()}, host)
    async with record.stream("WatchGame", name) as told:
        while await told.get() != "game":
            pass
        join = {"seat": 1, "displayName": "Ann", "requestId": record.new_id()}
        key = {"x-api-key": API_KEY}
        joined = await record.call("JoinGame", name, join, key)
        while await told.get() != "commit":
            pass
        while await told.get():
            pass
    ann = bearer(joined["seatToken"])
    guest = {"displayName": "Bob", "requestId": record.new_id()}
    bob = bearer((await record.call("JoinGame", name, guest))["seatToken"])
    await record.call("LeaveGame", name, {"requestId": record.new_id()}, bob)
    stranger = await record.call("JoinGame", name, {**guest, "requestId": record.new_id()})
    gone = {"seat": stranger["seat"], "requestId": record.new_id()}
    await record.call("RemovePlayer", name, gone, host)
    await record.call(
        "UpdateGame",
        name,
        {"visibility": "VISIBILITY_UNLISTED", "clock": {"turnSeconds": 60}},
        host,
        updateMask="visibility,clock",
        requestId=record.new_id(),
    )
    for _ in range(2):
        bot = {"level": "RANDOM", "requestId": record.new_id()}
        await record.call("AddBot", name, bot, host)
    await record.refused("StartGame", name, {"requestId": record.new_id()}, ann)
    await record.refused("StartGame", name, {"requestId": record.new_id()})
    await record.call("StartGame", name, {"requestId": record.new_id()}, host)
    await record.refused("JoinGame", name, {"requestId": record.new_id()})
    await turn(record, name, ann)
    hook = {"url": f"{REACHABLE}/colt-express", "requestId": record.new_id()}
    await record.call("SetWebhook", name, hook, ann)
    await record.call("GetWebhook", name, headers=ann)
    await record.call("CreateWatchToken", name, {}, ann)
    await record.call("ListEvents", name, headers=ann, pageSize=2)
    async with record.stream("WatchSeats", headers=key) as told:
        while await told.get() != "complete":
            pass
        while await told.get():
            pass
    await record.refused("GetReplay", name)
    away = {"level": "RANDOM", "requestId": record.new_id()}
    await record.call("SetAutoPlay", name, away, ann)
    game = await record.call("GetGame", name)
    while game["state"] != "STATE_FINISHED":
        version = str(int(game["version"]) + 1)
        game = await record.call("GetGame", name, waitForVersion=version, wait="20s")
    await record.call("GetReplay", name)
    await record.call("Rematch", name, {}, ann)
    await mistakes(record, name)
    await record.call("DeleteGame", name, headers=host, requestId=record.new_id())
    await record.refused("GetGame", name)


async def turn(record: Recorder, name: str, ann: Headers) -> None:
    """Waits until Ann is to decide, and decides."""
    game = await record.call("GetGame", name, headers=ann, waitForVersion="8", wait="20s")
    while not (mine := [each for each in game["decisions"] if each["options"]]):
        later = str(int(game["version"]) + 1)
        game = await record.call("GetGame", name, headers=ann, waitForVersion=later, wait="20s")
    [decision] = mine
    body = {"decisionId": decision["id"], "optionId": "fly", "requestId": record.new_id()}
    await record.refused("SubmitAction", name, body, ann)
    body |= {"optionId": "move:1.roof", "requestId": record.new_id()}
    await record.refused("SubmitAction", name, body, ann)
    body |= {"optionId": decision["options"][0]["optionId"], "requestId": record.new_id()}
    await record.call("SubmitAction", name, body, ann)
    await record.refused("SubmitAction", name, {**body, "optionId": "draw"}, ann)
    await record.refused("SubmitAction", name, {**body, "requestId": record.new_id()}, ann)


async def mistakes(record: Recorder, name: str) -> None:
    """Requests that are none."""
    await record.refused("CreateGame", body={"game": {}, "requestId": "7"})
    await record.refused("StartGame", name, {}, {"content-type": "text/plain"})
    await record.refused("ListGames", headers={"x-api-key": "no key"})
    await record.refused("WatchSeats")
    broken = await record.client.post(
        path_of("StartGame", name), content="{", headers={"content-type": "application/json"}
    )
    error = broken.json()
    record.errors[error["error"]["details"][0]["reason"]] = error


async def main() -> None:
    """Writes the examples."""
    with TemporaryDirectory() as folder:
        settings = read_settings(
            service_key_hex="5e" * 32,
            data_dir=Path(folder),
            grpc_port=0,
            http_port=0,
            allow_private_webhooks=True,
            api_keys={"example": sha256(API_KEY.encode()).hexdigest()},
            drain_s=0,
            grace_s=1,
        )
        async with (
            asyncio.timeout(LIMIT_S),
            serving(settings) as found,
            httpx.AsyncClient(base_url=found.http, timeout=LIMIT_S) as client,
        ):
            record = Recorder(client)
            await story(record)
    document = {"calls": record.calls, "errors": dict(sorted(record.errors.items()))}
    text = json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True)
    FILE.write_text(text.replace(REACHABLE, EXEMPLARY) + "\n")


if __name__ == "__main__":
    asyncio.run(main())
