"""Requests over HTTP that mean no message: each is answered with an error that says why."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from tests.api.conftest import Logs
from tests.api.http.conftest import Web
from tests.api.http.rest import RestError
from tests.api.tables import lobby, new_id

LIMIT = 20
GAME = "games/00" + "a" * 24
JSON = {"content-type": "application/json"}


def body(content: str | bytes, content_type: str = "application/json", **headers: str) -> Any:
    return {"content": content, "headers": {"content-type": content_type} | headers}


REFUSED = [
    ("GET", "/", {}, 404, "PATH_UNKNOWN", None),
    ("GET", "/v1", {}, 404, "PATH_UNKNOWN", None),
    ("GET", "/v1/games/", {}, 404, "PATH_UNKNOWN", None),
    ("GET", f"/v1/{GAME}:fly", {}, 404, "PATH_UNKNOWN", None),
    ("GET", "/v2/games", {}, 404, "PATH_UNKNOWN", None),
    ("PUT", "/v1/games", {}, 405, "VERB_NOT_ALLOWED", None),
    ("PUT", f"/v1/{GAME}", {}, 405, "VERB_NOT_ALLOWED", None),
    ("GET", f"/v1/{GAME}:join", {}, 405, "VERB_NOT_ALLOWED", None),
    ("POST", "/v1/games", body("a=b", "application/x-www-form-urlencoded"), 415, None, None),
    ("POST", "/v1/games", body("{}", "text/plain"), 415, "CONTENT_TYPE_UNSUPPORTED", None),
    ("POST", "/v1/games", body("{}", "application/json; charset=latin-1"), 415, None, None),
    ("POST", "/v1/games", body("{}", **{"content-encoding": "gzip"}), 415, None, None),
    ("POST", "/v1/games", body("{"), 400, "MALFORMED_JSON", None),
    ("POST", "/v1/games", body(b'{"requestId": "\xff"}'), 400, "MALFORMED_JSON", None),
    ("POST", "/v1/games", body('{"seed": "", "seed": ""}'), 400, "MALFORMED_JSON", None),
    ("POST", "/v1/games", body('{"seed": NaN}'), 400, "MALFORMED_JSON", None),
    ("POST", "/v1/games", body("[" * 30_000), 400, "MALFORMED_JSON", None),
    ("POST", "/v1/games", body("[]"), 400, "INVALID_FIELD", "body"),
    ("POST", "/v1/games", body("null"), 400, "INVALID_FIELD", "body"),
    ("POST", "/v1/games", body('{"fly": 1}'), 400, "INVALID_FIELD", "fly"),
    ("POST", "/v1/games", body('{"game": 1}'), 400, "INVALID_FIELD", "game"),
    ("POST", "/v1/games", body('{"game": {"seats": {}}}'), 400, "INVALID_FIELD", "game.seats"),
    (
        *("POST", "/v1/games", body('{"game": {"seats": [{}, {"displayName": 7}]}}'), 400),
        *("INVALID_FIELD", "game.seats[1].display_name"),
    ),
    (
        *("POST", "/v1/games", body('{"game": {"seats": [{"figures": ["DOC", 7]}]}}'), 400),
        *("INVALID_FIELD", "game.seats[0].figures[1]"),
    ),
    (
        *("POST", "/v1/games", body('{"game": {"options": {"variant": "CHESS"}}}'), 400),
        *("INVALID_FIELD", "game.options.variant"),
    ),
    *(
        (
            *("POST", "/v1/games", body(f'{{"game": {{"options": {{"variant": {value}}}}}}}')),
            *(400, "INVALID_FIELD", "game.options.variant"),
        )
        for value in ("true", "false", "1.5")
    ),
    (
        *("POST", "/v1/games", body('{"game": {"options": {"expansions": [false]}}}')),
        *(400, "INVALID_FIELD", "game.options.expansions[0]"),
    ),
    ("POST", "/v1/games", body('{"seed": "AA*="}'), 400, "INVALID_FIELD", "seed"),
    ("POST", "/v1/games", body('{"seed": 7}'), 400, "INVALID_FIELD", "seed"),
    ("POST", "/v1/games", body('{"seed": "\\ud800"}'), 400, "INVALID_FIELD", "seed"),
    ("POST", "/v1/games", body('{"requestId": "x"}'), 400, "INVALID_FIELD", "game"),
    ("POST", "/v1/games?seed=", body("{}"), 400, "INVALID_FIELD", "query"),
    ("POST", "/v1/games", {}, 400, "INVALID_FIELD", "game"),
    ("POST", f"/v1/{GAME}:join", body('{"seat": 1e99}'), 400, "INVALID_FIELD", "seat"),
    ("POST", f"/v1/{GAME}:join", body('{"name": "games/x"}'), 400, "INVALID_FIELD", "name"),
    (
        *("POST", f"/v1/{GAME}/actions", body('{"optionId": "draw", "action": {}}')),
        *(400, "INVALID_FIELD", "body"),
    ),
    ("GET", "/v1/games?page_size=x", {}, 400, "INVALID_FIELD", "page_size"),
    ("GET", "/v1/games?pageSize=1&pageSize=2", {}, 400, "INVALID_FIELD", "page_size"),
    ("GET", "/v1/games?page_size=99999999999", {}, 400, "INVALID_FIELD", "page_size"),
    ("GET", "/v1/games?states=STATE_LOBBY&states=x", {}, 400, "INVALID_FIELD", "states[1]"),
    ("GET", "/v1/games?fly=1", {}, 400, "INVALID_FIELD", "fly"),
    ("GET", "/v1/games?page_size.x=1", {}, 400, "INVALID_FIELD", "page_size.x"),
    ("GET", "/v1/games?page_token=%ff", {}, 400, "INVALID_FIELD", "query"),
    ("GET", "/v1/games?" + "states=1&" * 200, {}, 400, "INVALID_FIELD", "query"),
    ("GET", f"/v1/{GAME}?name=games/x", {}, 400, "INVALID_FIELD", "name"),
    ("GET", f"/v1/{GAME}?wait=soon", {}, 400, "INVALID_FIELD", "wait"),
    ("GET", f"/v1/{GAME}?wait.seconds=1", {}, 400, "INVALID_FIELD", "wait.seconds"),
    ("GET", f"/v1/{GAME}?wait=-1s", {}, 400, "INVALID_FIELD", "wait"),
    ("GET", "/v1/server", {"headers": {"x-server-timeout": "x"}}, 400, None, "x-server-timeout"),
    ("GET", "/v1/server", {"headers": {"x-server-timeout": "-1"}}, 400, None, "x-server-timeout"),
    ("GET", "/v1/server", {"headers": {"x-api-key": "x"}}, 401, "UNKNOWN_API_KEY", "x-api-key"),
    ("GET", f"/v1/{GAME}", {}, 404, "GAME_NOT_FOUND", None),
    ("POST", "/v1/games", body('"' + "x" * 70_000), 413, "REQUEST_TOO_LARGE", None),
]
STATUSES = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 404: "NOT_FOUND"}


async def test_every_wrong_request_is_told_why(web: Web) -> None:
    for verb, path, how, status, reason, field in REFUSED:
        answer = await web.http.request(verb, path, **how)
        assert answer.status_code == status, (verb, path, how, answer.text)
        found = RestError(answer)
        assert found.error["code"] == status
        assert found.error["message"]
        assert found.error["status"] == STATUSES.get(status, found.error["status"])
        if reason:
            assert found.info["reason"] == reason, (verb, path, how)
        if field:
            assert found.info["metadata"]["field"] == field, (verb, path, how)


async def test_headers_say_what_would_do(web: Web) -> None:
    wrong_verb = await web.http.put("/v1/games")
    assert wrong_verb.headers["allow"] == "OPTIONS, POST, GET"
    wrong_type = await web.http.post("/v1/games", content="x")
    assert wrong_type.headers["accept-post"] == "application/json"
    nobody = await web.http.get("/v1/server", headers={"x-api-key": "x"})
    assert nobody.headers["www-authenticate"].startswith("Bearer")


async def test_a_body_that_does_not_say_its_length_is_limited_too(web: Web) -> None:
    async def endless() -> Any:
        for _ in range(100):
            yield b" " * 1000

    answer = await web.http.post("/v1/games", content=endless(), headers=JSON)
    assert answer.status_code == 413
    # What was left of it does not get in the way of the next request.
    assert (await web.http.get("/healthz")).status_code == 200


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\nx-name: " + b"x" * 20_000,
    ],
    ids=["TLS", "no version", "no host", "a large header"],
)
async def test_what_is_no_http_is_told_so(web: Web, sent: bytes) -> None:
    head, body = await said_to(web, sent)
    assert head.startswith(b"HTTP/1.1 400 ")
    assert json.loads(body)["error"]["status"] == "INVALID_ARGUMENT"


@pytest.mark.parametrize("target", ["http://elsewhere/v1/games", "*", "elsewhere:443"])
async def test_a_target_that_is_no_path_is_answered_like_any_other(web: Web, target: str) -> None:
    head, body = await said_to(
        web, f"GET {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".encode()
    )
    assert head.startswith(b"HTTP/1.1 404 ")
    assert json.loads(body)["error"]["details"][0]["reason"] == "PATH_UNKNOWN"


@pytest.mark.parametrize(
    "body",
    ['{"game":' * 5_000 + "1" + "}" * 5_000, "[" * 20_000 + "]" * 20_000, '{"game":{},"game":{}}'],
    ids=["nested objects", "nested arrays", "a key twice"],
)
async def test_json_meant_to_do_harm_is_refused(web: Web, body: str) -> None:
    answer = await web.http.post("/v1/games", content=body, headers=JSON)
    assert answer.status_code == 400
    assert answer.json()["error"]["details"][0]["reason"] == "MALFORMED_JSON"


async def said_to(web: Web, sent: bytes) -> tuple[bytes, bytes]:
    """Head and body of what is answered to these bytes, until the connection ends."""
    host, port = web.grpc.http.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(sent)
    async with asyncio.timeout(LIMIT):
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    return head, body


async def test_what_is_sent_is_not_repeated(web: Web, logs: Logs) -> None:
    secret = "6b0f7a52-secret"
    for how in (
        body(f'{{"requestId": {{"{secret}": 1}}}}'),
        body(f'{{"requestId": "{secret}", "game": {{}}}}'),
        body(f'{{"game": {{"visibility": "{secret}"}}}}'),
        body(secret),
    ):
        answer = await web.http.post("/v1/games", **how)
        assert answer.status_code == 400
        assert secret not in answer.text
    assert [line["reason"] for line in logs.lines].count("INVALID_FIELD") == 3
    assert secret not in str(logs.lines)


async def test_a_deadline_of_the_request_is_kept(web: Web) -> None:
    table = await lobby(web.grpc)
    answer = await web.http.get(
        f"/v1/{table.name}?wait_for_version=99", headers={"x-server-timeout": "0.02"}
    )
    assert answer.status_code == 504
    assert RestError(answer).info["reason"] == "DEADLINE_PASSED"


async def test_a_defect_is_logged_and_answered(
    web: Web, logs: Logs, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = new_id()

    def defective(*_: object) -> bytes:
        raise ValueError(sent)

    monkeypatch.setattr("coltexpress_server.api.http.rest.json_of", defective)
    answer = await web.http.get("/v1/server")
    assert answer.status_code == 500
    assert RestError(answer).info["reason"] == "INTERNAL"
    [line] = logs.lines
    assert "in defective" in line["defect"]
    assert sent not in str(line)


async def test_only_so_many_requests_are_open(start: Any) -> None:
    async with (
        start(http_port=0, max_calls=1) as service,
        httpx.AsyncClient(base_url=service.http) as client,
    ):
        table = await lobby(service)
        waiting = asyncio.ensure_future(client.get(f"/v1/{table.name}?wait_for_version=9&wait=9s"))
        async with asyncio.timeout(9):
            answer = await client.get("/v1/server")
            while answer.status_code == 200:
                answer = await client.get("/v1/server")
        assert answer.status_code == 429
        assert answer.headers["retry-after"] == "1"
        assert RestError(answer).info["reason"] == "TOO_MANY"
        # How a process does is said however busy it is.
        for path in ("/healthz", "/readyz", "/metrics"):
            assert (await client.get(path)).status_code == 200
        waiting.cancel()
