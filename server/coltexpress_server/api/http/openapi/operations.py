"""Operations: the bindings of methods to paths and verbs, in the document's form."""

from __future__ import annotations

import re
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor

from coltexpress_server.api.http import streams
from coltexpress_server.api.http.bindings import Binding
from coltexpress_server.api.http.openapi import failures
from coltexpress_server.api.http.openapi.bounds import GAME_ID
from coltexpress_server.api.http.openapi.comments import comment_on, first_sentence
from coltexpress_server.api.http.openapi.examples import CALLS, Example
from coltexpress_server.api.http.openapi.schemas import Schema, Schemas, is_required
from coltexpress_server.api.http.openapi.terms import NOBODY, TERMS, reasons_of

_JSON: Final = "application/json"
_VARIABLE: Final = re.compile(r"\{[\w.]+=(?P<collection>\w+)s/\*\}")
_GAME: Final = {
    "name": "game",
    "in": "path",
    "required": True,
    "description": "The game: what stands behind `games/` in its name.",
    "schema": {"type": "string", "pattern": f"^{GAME_ID}$"},
}
LANGUAGE: Final = {
    "name": "Accept-Language",
    "in": "header",
    "description": "The languages that texts for people may be in, the best one first.",
    "schema": {"type": "string"},
    "example": "es",
}
_RESUMED: Final = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "Go on behind this event; EventSource sends it by itself.",
    "schema": {"type": "string"},
}


def path_of(binding: Binding) -> str:
    """A path with the ids of resources in the place of their names: /v1/games/{game}:join."""
    return _VARIABLE.sub(r"\g<collection>s/{\g<collection>}", binding.template.text)


def tag_of(binding: Binding) -> str:
    """The group in which an operation stands: the name of its service, for short."""
    service: Any = binding.method.descriptor.containing_service
    return str(service.name.removesuffix("Service"))


def operation(binding: Binding, schemas: Schemas) -> dict[str, Any]:
    """One operation; the schemas of its messages are added to the others."""
    method = binding.method
    comment = comment_on(method.descriptor)
    found: dict[str, Any] = {
        "operationId": method.name,
        "tags": [tag_of(binding)],
        "summary": first_sentence(comment),
        "description": comment,
        "security": [{way: []} if way != NOBODY else {} for way in TERMS[method.name].callers],
        "parameters": _parameters(binding, schemas),
        "responses": {
            **(_streamed(binding, schemas) if method.streams else _answered(binding, schemas)),
            **failures.responses(reasons_of(binding)),
        },
    }
    if found["security"] == [{}]:
        found["security"] = []
    if binding.body:
        found["requestBody"] = _body(binding, schemas)
    return found


def _parameters(binding: Binding, schemas: Schemas) -> list[Schema]:
    example = _example(binding).parameters
    found: list[Schema] = []
    if binding.template.fields:
        found.append(dict(_GAME))
    if binding.body != "*":
        asked = [
            field
            for field in binding.method.descriptor.input_type.fields
            if field.name not in {*binding.template.fields, binding.body}
        ]
        found += [_query(field, schemas) for field in asked]
    for each in found:
        if each["name"] in example:
            each["example"] = example[each["name"]]
    found.append({"$ref": "#/components/parameters/AcceptLanguage"})
    if _is_resumable(binding):
        found.append(_RESUMED)
    return found


def _query(field: FieldDescriptor, schemas: Schemas) -> Schema:
    found = {
        "name": field.json_name,
        "in": "query",
        "description": comment_on(field),
        "schema": schemas.field(field, asked=True),
    }
    return found | ({"required": True} if is_required(field) else {})


def _body(binding: Binding, schemas: Schemas) -> dict[str, Any]:
    request = binding.method.descriptor.input_type
    if binding.body == "*":
        bound = binding.template.fields
        schema = schemas.asked(request, without=bound)
        required = any(is_required(field) for field in request.fields if field.name not in bound)
    else:
        schema = schemas.field(request.fields_by_name[binding.body], asked=True)
        required = True
    content: dict[str, Any] = {"schema": schema}
    if _example(binding).request is not None:
        content["example"] = _example(binding).request
    return {"required": required, "content": {_JSON: content}}


def _answered(binding: Binding, schemas: Schemas) -> dict[str, Any]:
    response = binding.method.descriptor.output_type
    content: dict[str, Any] = {"schema": schemas.answered(response)}
    if _example(binding).response is not None:
        content["example"] = _example(binding).response
    return {
        "200": {
            "description": comment_on(response) or "It is done.",
            "content": {_JSON: content},
        }
    }


def _streamed(binding: Binding, schemas: Schemas) -> dict[str, Any]:
    response = binding.method.descriptor.output_type
    message = response.name
    events: dict[str, Any] = {
        "schema": {
            "type": "string",
            "description": "Server-Sent Events: `event` is the name of the field that the"
            f" {message} sets, `data` the whole of it, `id` where to resume. An error in the"
            " middle is the event `failure`.",
        }
    }
    # OpenAPI 3.1 has no schema for the parts of a stream.
    lines: dict[str, Any] = {"schema": schemas.answered(response)}
    if _example(binding).events:
        events["example"] = _example(binding).events
    found = {
        "200": {
            "description": "A stream. As `application/x-ndjson`, where `Accept` names that, each"
            f" line is a {message}.",
            "content": {"text/event-stream": events, "application/x-ndjson": lines},
        }
    }
    if _is_resumable(binding):
        found["204"] = {"description": "Nothing more will come: leave off."}
    return found


def _is_resumable(binding: Binding) -> bool:
    request = binding.method.descriptor.input_type
    return binding.method.streams and streams.CURSOR in request.fields_by_name


def _example(binding: Binding) -> Example:
    return CALLS.get(binding.method.name, Example())
