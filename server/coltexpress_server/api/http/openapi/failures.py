"""Errors in the document: their schemas, and why operations are refused, by HTTP status."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from coltexpress.v1.error_pb2 import ErrorReason
from coltexpress_server.api.errors import CODES, DOMAIN, Failure
from coltexpress_server.api.http.errors import status_of
from coltexpress_server.api.http.openapi.comments import comment_on_value
from coltexpress_server.api.http.openapi.examples import ERRORS
from coltexpress_server.api.http.openapi.schemas import Schema, reference

_PREFIX: Final = "ERROR_REASON_"
_TYPE: Final = "type.googleapis.com/google.rpc."
# What error.proto says before the reason itself: the codes, and where they are given.
_CODES: Final = re.compile(r"^(?:[A-Z_]{5,}(?:, [^:]*)?: )+")
_TITLES: Final = {
    400: "Bad request",
    401: "Not authenticated",
    403: "Not permitted",
    404: "Not found",
    409: "Conflict",
    413: "Too large",
    415: "Not JSON",
    429: "Too many",
    500: "A defect",
    503: "Unavailable",
    504: "Out of time",
}
_CHALLENGE: Final = {
    "WWW-Authenticate": {
        "description": "What to show.",
        "schema": {"type": "string"},
        "example": f'Bearer realm="{DOMAIN}"',
    }
}
_RETRY: Final = {
    "Retry-After": {
        "description": "After how many seconds to try again.",
        "schema": {"type": "integer", "minimum": 0},
        "example": 1,
    }
}
_HEADERS: Final = {401: _CHALLENGE, 429: _RETRY, 503: _RETRY}


def schemas() -> dict[str, Schema]:
    """The schemas of errors, by name."""
    reasons = [name.removeprefix(_PREFIX) for name in ErrorReason.keys()]  # noqa: SIM118 # no dict
    return {
        "Error": {
            "type": "object",
            "description": "Why a request failed (AIP-193).",
            "required": ["error"],
            "properties": {
                "error": {
                    "type": "object",
                    "description": "The error.",
                    "required": ["code", "status", "message", "details"],
                    "properties": {
                        "code": {"type": "integer", "description": "The HTTP status."},
                        "status": {
                            "type": "string",
                            "enum": sorted({code.name for code in CODES.values()}),
                            "description": "The same as a code of google.rpc.Code.",
                        },
                        "message": {
                            "type": "string",
                            "description": "What is wrong, for developers, in English.",
                        },
                        "details": {
                            "type": "array",
                            "description": "The reason first, then what else there is to say.",
                            "items": reference("ErrorDetail"),
                        },
                    },
                }
            },
        },
        "ErrorDetail": {
            "description": "An ErrorInfo is always there.",
            "oneOf": [
                reference(name)
                for name in ("ErrorInfo", "BadRequest", "RetryInfo", "LocalizedMessage")
            ],
        },
        "ErrorInfo": _detail(
            "ErrorInfo",
            "The reason, for programs.",
            {
                "reason": reference("ErrorInfo.Reason"),
                "domain": {"const": DOMAIN},
                "metadata": {
                    "type": "object",
                    "description": "What is wrong: `field` of the request, `rule` of the game.",
                    "additionalProperties": {"type": "string"},
                },
            },
            ["reason", "domain"],
        ),
        "BadRequest": _detail(
            "BadRequest",
            "The fields that are wrong.",
            {
                "fieldViolations": {
                    "type": "array",
                    "description": "One for each.",
                    "items": reference("FieldViolation"),
                }
            },
            ["fieldViolations"],
        ),
        "FieldViolation": {
            "type": "object",
            "description": "A field that is wrong.",
            "required": ["description", "reason"],
            "properties": {
                "field": {"type": "string", "description": "Its path in the request."},
                "description": {"type": "string", "description": "What is wrong with it."},
                "reason": reference("ErrorInfo.Reason"),
            },
        },
        "RetryInfo": _detail(
            "RetryInfo",
            "When to try again.",
            {"retryDelay": {"type": "string", "description": 'After how long, e.g. "0.200s".'}},
            ["retryDelay"],
        ),
        "LocalizedMessage": _detail(
            "LocalizedMessage",
            "What went wrong, for players who asked for a language.",
            {
                "locale": {"type": "string", "description": "The language, as a tag: `es`."},
                "message": {"type": "string", "description": "One sentence."},
            },
            ["locale", "message"],
        ),
        "ErrorInfo.Reason": {
            "type": "string",
            "enum": reasons,
            "description": "\n".join(
                ["Why a request was refused.", "", *map(_said_of, reasons)],
            ),
        },
    }


def responses(reasons: Iterable[str]) -> dict[str, Any]:
    """The responses for some reasons: HTTP status to response."""
    by_status: dict[int, list[str]] = {}
    for reason in sorted(reasons):
        by_status.setdefault(status_of(Failure(reason, "", {})), []).append(reason)
    return {str(status): _response(status, by_status[status]) for status in sorted(by_status)}


def _response(status: int, reasons: list[str]) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": reference("Error")}
    examples = [reason for reason in reasons if reason in ERRORS]
    if examples:
        content["examples"] = {
            reason: {"$ref": f"#/components/examples/{reason}"} for reason in examples
        }
    found: dict[str, Any] = {
        "description": "\n".join([f"{_TITLES[status]}:", "", *map(_said_of, reasons)]),
        "content": {"application/json": content},
    }
    if status in _HEADERS:
        found["headers"] = _HEADERS[status]
    return found


def _said_of(reason: str) -> str:
    """A reason and what it means, as an item of a list."""
    comment = comment_on_value(ErrorReason.DESCRIPTOR, _PREFIX + reason)
    return f"- `{reason}`: {_CODES.sub('', comment)}"


def _detail(name: str, description: str, properties: Schema, required: list[str]) -> Schema:
    return {
        "type": "object",
        "description": description,
        "required": ["@type", *required],
        "properties": {"@type": {"const": _TYPE + name}, **properties},
    }
