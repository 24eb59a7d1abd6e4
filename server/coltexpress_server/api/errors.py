"""Why a call failed, as a status with details (AIP-193).

Refusals and illegal choices say what is wrong with the request. Whatever else goes wrong is put in
words that reveal nothing.
"""

from __future__ import annotations

from typing import Final

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, LocalizedMessage, RetryInfo
from google.rpc.status_pb2 import Status

from coltexpress_server.api.texts import Language
from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.reader import Unreadable
from coltexpress_server.service.refusals import Refused
from coltexpress_server.store import StoreUnavailable, StoreUnfit

DOMAIN: Final = "coltexpress"

_TYPES: Final = "type.googleapis.com/"
_SOON_MS: Final = 200

_INVALID_ARGUMENT: Final = grpc.StatusCode.INVALID_ARGUMENT
_UNAUTHENTICATED: Final = grpc.StatusCode.UNAUTHENTICATED
_PERMISSION_DENIED: Final = grpc.StatusCode.PERMISSION_DENIED
_NOT_FOUND: Final = grpc.StatusCode.NOT_FOUND
_FAILED_PRECONDITION: Final = grpc.StatusCode.FAILED_PRECONDITION
_ABORTED: Final = grpc.StatusCode.ABORTED
_RESOURCE_EXHAUSTED: Final = grpc.StatusCode.RESOURCE_EXHAUSTED
_UNAVAILABLE: Final = grpc.StatusCode.UNAVAILABLE
_INTERNAL: Final = grpc.StatusCode.INTERNAL
_UNIMPLEMENTED: Final = grpc.StatusCode.UNIMPLEMENTED
_DEADLINE_EXCEEDED: Final = grpc.StatusCode.DEADLINE_EXCEEDED

CODES: Final = {
    "INVALID_FIELD": _INVALID_ARGUMENT,
    "INVALID_OPTIONS": _INVALID_ARGUMENT,
    "UNKNOWN_OPTION": _INVALID_ARGUMENT,
    "TOKEN_MISSING": _UNAUTHENTICATED,
    "TOKEN_EXPIRED": _UNAUTHENTICATED,
    "UNKNOWN_API_KEY": _UNAUTHENTICATED,
    "API_KEY_MISSING": _UNAUTHENTICATED,
    "ADMIN_KEY_MISSING": _UNAUTHENTICATED,
    "WRONG_ROLE": _PERMISSION_DENIED,
    "SEED_NOT_ALLOWED": _PERMISSION_DENIED,
    "WEBHOOKS_NOT_ALLOWED": _PERMISSION_DENIED,
    "GAME_NOT_FOUND": _NOT_FOUND,
    "GAME_EXISTS": grpc.StatusCode.ALREADY_EXISTS,
    "GAME_ALREADY_STARTED": _FAILED_PRECONDITION,
    "GAME_NOT_STARTED": _FAILED_PRECONDITION,
    "GAME_OVER": _FAILED_PRECONDITION,
    "GAME_NOT_OVER": _FAILED_PRECONDITION,
    "SEATS_FREE": _FAILED_PRECONDITION,
    "NO_SEAT_FREE": _FAILED_PRECONDITION,
    "SEAT_TAKEN": _FAILED_PRECONDITION,
    "SEAT_FREE": _FAILED_PRECONDITION,
    "FIGURE_TAKEN": _FAILED_PRECONDITION,
    "DECISION_CLOSED": _ABORTED,
    "CONFLICT": _ABORTED,
    "REQUEST_ID_REUSED": _ABORTED,
    "TOO_MANY": _RESOURCE_EXHAUSTED,
    "STORE_UNAVAILABLE": _UNAVAILABLE,
    "NEWER_RELEASE": _UNAVAILABLE,
    "TOO_SLOW": _UNAVAILABLE,
    "INTERNAL": _INTERNAL,
    "NOT_YOUR_DECISION": _FAILED_PRECONDITION,
    "WRONG_CHOICE": _FAILED_PRECONDITION,
    "COMPULSORY": _FAILED_PRECONDITION,
    "NOT_OFFERED": _FAILED_PRECONDITION,
    "CARD_NOT_IN_HAND": _FAILED_PRECONDITION,
    "BULLET_NOT_PLAYABLE": _FAILED_PRECONDITION,
    "NO_SUCH_CARD": _FAILED_PRECONDITION,
    "FACE_DOWN_NOT_ALLOWED": _FAILED_PRECONDITION,
    "FACE_DOWN_NOT_A_CHOICE": _FAILED_PRECONDITION,
    "NO_SUCH_SPACE": _FAILED_PRECONDITION,
    "STAYING_NOT_ALLOWED": _FAILED_PRECONDITION,
    "WRONG_LEVEL": _FAILED_PRECONDITION,
    "OUT_OF_REACH": _FAILED_PRECONDITION,
    "NO_SUCH_FIGURE": _FAILED_PRECONDITION,
    "NOT_A_TARGET": _FAILED_PRECONDITION,
    "NOT_IN_SIGHT": _FAILED_PRECONDITION,
    "NOT_IN_YOUR_SPACE": _FAILED_PRECONDITION,
    "TARGET_PROTECTED": _FAILED_PRECONDITION,
    "NO_SUCH_LOOT": _FAILED_PRECONDITION,
    "LOOT_NOT_HERE": _FAILED_PRECONDITION,
    "LOOT_NOT_OWNED": _FAILED_PRECONDITION,
    "VALUE_NOT_KNOWN": _FAILED_PRECONDITION,
    "VALUE_KNOWN": _FAILED_PRECONDITION,
    "KEEP_NOT_ALLOWED": _FAILED_PRECONDITION,
    "PATH_UNKNOWN": _NOT_FOUND,
    "VERB_NOT_ALLOWED": _UNIMPLEMENTED,
    "CONTENT_TYPE_UNSUPPORTED": _INVALID_ARGUMENT,
    "MALFORMED_JSON": _INVALID_ARGUMENT,
    "REQUEST_TOO_LARGE": _INVALID_ARGUMENT,
    "DEADLINE_PASSED": _DEADLINE_EXCEEDED,
}
"""The status of every ErrorReason that this server gives; TRANSPORT is gRPC's own."""


class Failure:
    """What a failed call is answered with.

    defect: whether this is one of the service, to be looked into.
    """

    __slots__ = ("code", "defect", "reason", "status")

    def __init__(
        self,
        reason: str,
        message: str,
        details: dict[str, str],
        *,
        retry_after_s: float | None = None,
        defect: bool = False,
    ) -> None:
        """reason: an ErrorReason; details: what goes into the metadata of ErrorInfo.

        retry_after_s: for RetryInfo, where the status has one; None for soon.
        """
        self.reason = reason
        self.code = CODES[reason]
        self.defect = defect
        number: int = self.code.value[0]
        self.status = Status(
            code=number,
            message=message,
            details=_details(self.code, reason, message, details, retry_after_s),
        )

    def say_in(self, language: Language) -> None:
        """Adds what went wrong, for the player: the message is for developers (AIP-193)."""
        text = language.reason(self.reason)
        self.status.details.append(_packed(LocalizedMessage(locale=language.tag, message=text)))


class Failed(Exception):
    """A call that has failed, logged already; its transport sends the failure."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure: Final = failure


def failure(error: Exception) -> Failure:
    """What to answer after an exception."""
    match error:
        case Refused():
            return Failure(
                error.reason, error.message, error.details, retry_after_s=error.retry_after_s
            )
        case IllegalChoice():
            return Failure(error.reason, error.message, {"rule": error.rule})
        case Unreadable(newer=True):
            return Failure(
                "NEWER_RELEASE",
                "a later release of the service wrote this; ask a later replica",
                {},
            )
        case StoreUnavailable() | StoreUnfit():
            return Failure("STORE_UNAVAILABLE", "the store does not answer", {})
    return Failure("INTERNAL", "a defect of the service; it has been logged", {}, defect=True)


def _details(
    code: grpc.StatusCode,
    reason: str,
    message: str,
    details: dict[str, str],
    retry_after_s: float | None,
) -> list[Any]:
    found: list[Message] = [ErrorInfo(reason=reason, domain=DOMAIN, metadata=details)]
    if code is _INVALID_ARGUMENT:
        violation = BadRequest.FieldViolation(
            field=details.get("field", ""), description=message, reason=reason
        )
        found.append(BadRequest(field_violations=[violation]))
    if code in {_UNAVAILABLE, _RESOURCE_EXHAUSTED}:
        delay = Duration()
        delay.FromMilliseconds(_SOON_MS if retry_after_s is None else round(retry_after_s * 1000))
        found.append(RetryInfo(retry_delay=delay))
    return [_packed(detail) for detail in found]


def _packed(detail: Message) -> Any:
    """Packs with the metadata in a fixed order, so that equal errors are equal bytes."""
    return Any(
        type_url=_TYPES + detail.DESCRIPTOR.full_name,
        value=detail.SerializeToString(deterministic=True),
    )
