"""The whole document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from coltexpress_server.api.errors import CODES
from coltexpress_server.api.http import access_tokens
from coltexpress_server.api.http.bindings import Bindings
from coltexpress_server.api.http.openapi import failures
from coltexpress_server.api.http.openapi.comments import comment_on
from coltexpress_server.api.http.openapi.examples import ERRORS
from coltexpress_server.api.http.openapi.operations import LANGUAGE, operation, path_of, tag_of
from coltexpress_server.api.http.openapi.schemas import Schemas
from coltexpress_server.api.http.openapi.terms import API_KEY, TOKEN, WATCH_TOKEN
from coltexpress_server.api.methods import Method
from coltexpress_server.api.principals import API_KEY as API_KEY_HEADER
from coltexpress_server.api.server_servicer import RELEASE

VERSION: Final = "3.1.1"

_ABOUT: Final = """\
Playing Colt Express over HTTP. The same methods are there over gRPC, Connect and gRPC-Web.

- **Who calls.** Creating a game gives the token of its host, joining it that of a seat; whoever \
shows none is a spectator. Tokens are secrets.
- **Trying again.** What changes something takes a `requestId`, a new UUID (version 4). Repeating \
a request with its id is safe: it is carried out once, and answered the same way.
- **Names.** Bodies and queries take fields in `lowerCamelCase`, and as the protos name them. \
64-bit integers are texts, bytes are in base64, durations are texts such as `"1.5s"`.
- **Waiting.** `events:watch` streams what happens; `GetGame` with `waitForVersion` is the long \
poll. The header `X-Server-Timeout` says how many seconds to wait for an answer.
- **Errors.** `error.details` has an `ErrorInfo` whose `reason` programs go by.
"""


def document(methods: Iterable[Method]) -> dict[str, Any]:
    """The document of some methods: those that are bound to a path.

    It depends on the release alone, down to the order of its keys.
    """
    bindings = Bindings(methods).every
    schemas = Schemas()
    paths: dict[str, Any] = {}
    tags: dict[str, str] = {}
    for binding in bindings:
        path = paths.setdefault(path_of(binding), {})
        path[binding.verb.lower()] = operation(binding, schemas)
        service: Any = binding.method.descriptor.containing_service
        tags[tag_of(binding)] = comment_on(service)
    return {
        "openapi": VERSION,
        "info": {
            "title": "Colt Express",
            "version": RELEASE,
            "summary": "A back end for playing the board game Colt Express.",
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "The server that this document comes from."}],
        "tags": [{"name": name, "description": tags[name]} for name in tags],
        "paths": paths,
        "components": {
            "schemas": dict(sorted((schemas.components | failures.schemas()).items())),
            "parameters": {"AcceptLanguage": LANGUAGE},
            "examples": {
                reason: {"summary": CODES[reason].name, "value": error}
                for reason, error in ERRORS.items()
            },
            "securitySchemes": _SECURITY,
        },
    }


_SECURITY: Final = {
    TOKEN: {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a host or of a seat, as CreateGame and JoinGame give them.",
    },
    API_KEY: {
        "type": "apiKey",
        "in": "header",
        "name": API_KEY_HEADER,
        "description": "The key of a principal, from who runs the service.",
    },
    WATCH_TOKEN: {
        "type": "apiKey",
        "in": "query",
        "name": access_tokens.PARAMETER,
        "description": "A token of CreateWatchToken, for EventSource, which sends no headers.",
    },
}
