from __future__ import annotations

import grpc
import pytest
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from coltexpress import ColtExpressError, IllegalAction, Unavailable
from coltexpress.errors import error_of


def failure(code: grpc.StatusCode, *details: Message, message: str = "No.") -> grpc.aio.AioRpcError:
    status = Status(code=code.value[0], message=message)
    for detail in details:
        packed = Any()
        packed.Pack(detail)
        status.details.append(packed)
    trailing = grpc.aio.Metadata(
        ("server", "somewhere"), ("grpc-status-details-bin", status.SerializeToString())
    )
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), trailing, message)


def info(reason: str, **metadata: str) -> ErrorInfo:
    return ErrorInfo(reason=reason, domain="coltexpress", metadata=metadata)


def test_an_error_carries_reason_field_and_code() -> None:
    error = error_of(
        failure(grpc.StatusCode.INVALID_ARGUMENT, info("INVALID_FIELD", field="page_size"))
    )
    assert type(error) is ColtExpressError
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert (error.reason, error.field, error.rule) == ("INVALID_FIELD", "page_size", "")
    assert str(error) == "No. (INVALID_FIELD, field page_size)"


def test_what_the_rules_forbid_names_the_rule() -> None:
    error = error_of(
        failure(grpc.StatusCode.FAILED_PRECONDITION, info("OUT_OF_REACH", rule="1.6.2"))
    )
    assert type(error) is IllegalAction
    assert error.rule == "1.6.2"
    assert str(error) == "No. (OUT_OF_REACH, rule 1.6.2)"


def test_the_service_may_say_when_to_come_back() -> None:
    error = error_of(
        failure(
            grpc.StatusCode.UNAVAILABLE,
            info("STORE_UNAVAILABLE"),
            RetryInfo(retry_delay=Duration(nanos=250_000_000)),
        )
    )
    assert type(error) is Unavailable
    assert error.retry_after == 0.25


@pytest.mark.parametrize(
    "code",
    [
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.CANCELLED,
        # What a proxy says when the replica behind it is killed.
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
    ],
)
def test_no_answer_is_an_error_of_its_own(code: grpc.StatusCode) -> None:
    error = error_of(grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(), "Gone."))
    assert type(error) is Unavailable
    assert str(error) == f"Gone. ({code.name})"


def test_a_defect_of_the_service_is_an_answer() -> None:
    error = error_of(failure(grpc.StatusCode.INTERNAL, info("INTERNAL")))
    assert type(error) is ColtExpressError
    assert error.reason == "INTERNAL"


def test_errors_of_others_have_no_reason() -> None:
    other = ErrorInfo(reason="RATE_LIMITED", domain="a.proxy", metadata={"field": "x"})
    error = error_of(failure(grpc.StatusCode.PERMISSION_DENIED, other))
    assert type(error) is ColtExpressError
    assert (error.reason, error.field, error.metadata) == ("", "", {})
