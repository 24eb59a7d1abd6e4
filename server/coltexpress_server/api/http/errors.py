"""Failures over HTTP: the status that says the same, and the JSON of AIP-193.

{"error": {"code": 404, "status": "NOT_FOUND", "message": "...", "details": [
    {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "GAME_NOT_FOUND", ...}]}}
"""

from __future__ import annotations

import math
from typing import Any, Final

import grpc
import msgspec
from google.protobuf import json_format
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from starlette.types import Send

from coltexpress_server.api.errors import Failure
from coltexpress_server.api.http.sending import Headers, send_json

_STATUSES: Final = {
    grpc.StatusCode.CANCELLED: 499,
    grpc.StatusCode.UNKNOWN: 500,
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.DEADLINE_EXCEEDED: 504,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.FAILED_PRECONDITION: 400,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.OUT_OF_RANGE: 400,
    grpc.StatusCode.UNIMPLEMENTED: 501,
    grpc.StatusCode.INTERNAL: 500,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.DATA_LOSS: 500,
    grpc.StatusCode.UNAUTHENTICATED: 401,
}
# What only HTTP has words for.
_STATUSES_OF_REASONS: Final = {
    "VERB_NOT_ALLOWED": 405,
    "CONTENT_TYPE_UNSUPPORTED": 415,
    "REQUEST_TOO_LARGE": 413,
}


def status_of(failure: Failure) -> int:
    """The HTTP status of a failure."""
    return _STATUSES_OF_REASONS.get(failure.reason) or _STATUSES[failure.code]


def headers_of(failure: Failure) -> Headers:
    """What an answer's header says of a failure: who may try again, and when, or with what."""
    found: Headers = []
    for detail in failure.status.details:
        info, retry = ErrorInfo(), RetryInfo()
        if detail.Unpack(info) and failure.reason == "VERB_NOT_ALLOWED":
            found.append((b"allow", info.metadata["allow"].encode()))
        if detail.Unpack(retry):
            seconds = math.ceil(retry.retry_delay.ToTimedelta().total_seconds())
            found.append((b"retry-after", str(seconds).encode()))
    if failure.code is grpc.StatusCode.UNAUTHENTICATED:
        found.append((b"www-authenticate", b'Bearer realm="coltexpress"'))
    if failure.reason == "CONTENT_TYPE_UNSUPPORTED":
        found.append((b"accept-post", b"application/json"))
    return found


def error_of(failure: Failure) -> dict[str, Any]:
    """The error as JSON has it."""
    return {
        "error": {
            "code": status_of(failure),
            "status": failure.code.name,
            "message": failure.status.message,
            "details": [json_format.MessageToDict(each) for each in failure.status.details],
        }
    }


def text_of(failure: Failure) -> bytes:
    """The JSON text of an error, without a line break."""
    return msgspec.json.encode(error_of(failure))


async def send_failure(send: Send, failure: Failure) -> None:
    """Sends a failure as the whole answer."""
    await send_json(send, text_of(failure), status_of(failure), headers_of(failure))
