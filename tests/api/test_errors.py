from __future__ import annotations

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo

from coltexpress_server.api.errors import CODES, Failure, failure
from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.reader import Unreadable
from coltexpress_server.service.refusals import Refused
from coltexpress_server.store import StoreDamaged, StoreError, StoreUnavailable, StoreUnfit


def info(found: Failure) -> ErrorInfo:
    message = ErrorInfo()
    assert found.status.details[0].Unpack(message)
    return message


def has(found: Failure, kind: type[BadRequest] | type[RetryInfo]) -> bool:
    return any(detail.Unpack(kind()) for detail in found.status.details)


@pytest.mark.parametrize("reason", CODES)
def test_every_reason_becomes_a_status_with_details(reason: str) -> None:
    found = failure(Refused(reason, "because", field="a.b", game="games/x"))
    assert found.status.code == CODES[reason].value[0]
    assert found.status.message == "because"
    message = info(found)
    assert message.reason == reason
    assert message.domain == "coltexpress"
    assert dict(message.metadata) == {"field": "a.b", "game": "games/x"}
    code = CODES[reason]
    assert has(found, BadRequest) == (code is grpc.StatusCode.INVALID_ARGUMENT)
    assert has(found, RetryInfo) == (
        code in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED}
    )


def test_an_invalid_argument_names_its_field_in_the_standard_place_too() -> None:
    found = failure(Refused("INVALID_FIELD", "too long", field="display_name"))
    message = BadRequest()
    assert found.status.details[1].Unpack(message)
    [violation] = message.field_violations
    assert violation.field == "display_name"
    assert violation.description == "too long"


def test_an_illegal_choice_names_its_rule() -> None:
    found = failure(IllegalChoice("NOT_IN_SIGHT", "1.6.4", "TUCO is not in sight"))
    assert found.code is grpc.StatusCode.FAILED_PRECONDITION
    assert dict(info(found).metadata) == {"rule": "1.6.4"}
    assert not found.defect


@pytest.mark.parametrize(
    ("error", "reason", "defect"),
    [
        (StoreUnavailable("secret"), "STORE_UNAVAILABLE", False),
        (StoreUnfit("secret"), "STORE_UNAVAILABLE", False),
        (Unreadable("secret", newer=True), "NEWER_RELEASE", False),
        (Unreadable("secret"), "INTERNAL", True),
        (StoreDamaged("secret"), "INTERNAL", True),
        (StoreError("secret"), "INTERNAL", True),
        (ValueError("secret"), "INTERNAL", True),
        (KeyError("secret"), "INTERNAL", True),
    ],
)
def test_other_errors_are_put_in_words_that_reveal_nothing(
    error: Exception, reason: str, defect: bool
) -> None:
    found = failure(error)
    assert found.reason == reason
    assert found.defect is defect
    assert b"secret" not in found.status.SerializeToString()


def test_equal_errors_are_equal_bytes() -> None:
    one = failure(Refused("INVALID_FIELD", "no", field="a", game="b", rule="c", version="d"))
    two = failure(Refused("INVALID_FIELD", "no", version="d", rule="c", game="b", field="a"))
    assert one.status.SerializeToString() == two.status.SerializeToString()
