"""The OpenAPI document: well-formed, whole, the same from everywhere, and true."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from google.protobuf.message_factory import GetMessageClass
from openapi_spec_validator import OpenAPIV31SpecValidator

from coltexpress_server.api.errors import CODES
from coltexpress_server.api.http import json_reading
from coltexpress_server.api.http.openapi.bounds import GAME_ID
from coltexpress_server.api.http.openapi.examples import CALLS, ERRORS
from coltexpress_server.api.http.openapi.terms import TERMS
from coltexpress_server.store import is_game_id
from tests.api.conftest import Start
from tests.api.http.conftest import Web
from tests.api.http.openapi.documented import Documented
from tests.api.http.rest import DESCRIPTORS, rule_of

# What only a caller of other transports or of an unknown path meets, and what only streams say.
ELSEWHERE = {"VERB_NOT_ALLOWED", "ADMIN_KEY_MISSING", "GAME_EXISTS", "TOO_SLOW"}


@pytest.fixture
async def document(web: Web) -> Any:
    return (await web.http.get("/v1/openapi.json")).json()


def operations(document: Any) -> Iterator[tuple[str, str, Any]]:
    for path, item in document["paths"].items():
        for verb, operation in item.items():
            yield verb, path, operation


async def test_it_is_a_document_of_openapi(document: Any) -> None:
    assert document["openapi"].startswith("3.1.")
    OpenAPIV31SpecValidator(document).validate()


async def test_it_has_every_method_where_the_protos_put_it(document: Any) -> None:
    found = {each["operationId"]: (verb, path) for verb, path, each in operations(document)}
    assert found.keys() == DESCRIPTORS.keys() == TERMS.keys()
    for name, (verb, path) in found.items():
        wanted_verb, template, _ = rule_of(name)
        assert verb.upper() == wanted_verb
        assert path == re.sub(r"\{[\w.]+=games/\*\}", "games/{game}", template)


async def test_everything_in_it_is_described(document: Any) -> None:
    for _, path, operation in operations(document):
        assert operation["summary"], path
        assert all(each.get("description", "$ref") for each in operation["parameters"])
    for name, schema in document["components"]["schemas"].items():
        assert schema["description"].strip(), name
        for branch in (schema, *schema.get("oneOf", ())):
            for field, described in branch.get("properties", {}).items():
                if described is not False and "const" not in described:
                    said = described.get("description") or "$ref" in described
                    assert said, (name, field)


async def test_every_reason_is_told_where_it_may_be_met(document: Any) -> None:
    told = {
        reason
        for _, _, operation in operations(document)
        for response in operation["responses"].values()
        for reason in re.findall(r"^- `([A-Z_]+)`", response["description"], re.MULTILINE)
    }
    assert told == CODES.keys() - ELSEWHERE


async def test_every_schema_is_referred_to(document: Any) -> None:
    referred = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(document)))
    assert referred == document["components"]["schemas"].keys()


async def test_it_is_the_same_from_every_server(start: Start) -> None:
    texts = []
    for _ in range(2):
        async with start(http_port=0) as service, httpx.AsyncClient() as client:
            texts.append((await client.get(f"{service.http}/v1/openapi.json")).content)
    assert texts[0] == texts[1]


async def test_it_is_sent_to_those_alone_who_lack_it(web: Web) -> None:
    first = await web.http.get("/v1/openapi.json")
    assert first.headers["cache-control"] == "no-cache"
    tag = first.headers["etag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = await web.http.get("/v1/openapi.json", headers={"if-none-match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag
    other = await web.http.get("/v1/openapi.json", headers={"if-none-match": '"other"'})
    assert other.content == first.content
    head = await web.http.head("/v1/openapi.json")
    assert (head.status_code, head.content) == (200, b"")
    refused = await web.http.post("/v1/openapi.json")
    assert (refused.status_code, refused.headers["allow"]) == (405, "OPTIONS, GET")
    assert (await web.http.options("/v1/openapi.json")).headers["allow"] == "OPTIONS, GET"


async def test_every_method_has_examples_that_are_true(document: Any) -> None:
    documented = Documented(document)
    assert CALLS.keys() == DESCRIPTORS.keys()
    for _, path, operation in operations(document):
        for parameter in operation["parameters"]:
            if "example" in parameter:
                documented.check(parameter["schema"], parameter["example"])
        name = operation["operationId"]
        asked, answered = DESCRIPTORS[name].input_type, DESCRIPTORS[name].output_type
        if "requestBody" in operation:
            [content] = operation["requestBody"]["content"].values()
            documented.check(content["schema"], content["example"])
            if rule_of(name)[2] == "*":
                json_reading.merge(content["example"], GetMessageClass(asked)())
        for kind, content in operation["responses"]["200"]["content"].items():
            if kind == "text/event-stream":
                messages = re.findall(r"^data: (.*)$", content["example"], re.MULTILINE)
                lines = operation["responses"]["200"]["content"]["application/x-ndjson"]["schema"]
                assert len(messages) > 1, path
                for message in messages:
                    documented.check(lines, json.loads(message))
                    json_reading.merge(json.loads(message), GetMessageClass(answered)())
            elif kind == "application/json":
                documented.check(content["schema"], content["example"])
                json_reading.merge(content["example"], GetMessageClass(answered)())
    assert ERRORS
    for reason, error in ERRORS.items():
        documented.check({"$ref": "#/components/schemas/Error"}, error)
        assert error["error"]["details"][0]["reason"] == reason


def test_the_form_of_ids_is_the_stores() -> None:
    for text in (
        "3f" + "a" * 24,
        "00" + "7" * 24,
        "40" + "a" * 24,
        "3f" + "a" * 23,
        "3f" + "1" * 24,
    ):
        assert bool(re.fullmatch(GAME_ID, text)) == is_game_id(text)
