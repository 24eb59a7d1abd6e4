"""Why the service refused a request, or why it could not be reached."""

from __future__ import annotations

from typing import Final

import grpc
from google.rpc.error_details_pb2 import ErrorInfo, LocalizedMessage, RetryInfo
from google.rpc.status_pb2 import Status

_DOMAIN: Final = "coltexpress"


class ColtExpressError(Exception):
    """A request that was refused, or that failed.

    message: one sentence for developers.
    code: the gRPC status.
    reason: a value of `coltexpress.v1.error_pb2.ErrorReason` without its prefix, for programs to
        branch on; empty where the error does not come from the service itself.
    field: the field of the request that is wrong, e.g. `seats[1].figures`; often empty.
    rule: the paragraph of the rules that forbids a choice, e.g. `1.6.4`; often empty.
    metadata: what else the service says, by name.
    text: one sentence for players, in the language that the client was made with; empty where it
        was made with none.
    retry_after: seconds after which the service wants to be asked again; None if it says nothing.
    """

    def __init__(
        self,
        message: str,
        code: grpc.StatusCode,
        reason: str = "",
        metadata: dict[str, str] | None = None,
        retry_after: float | None = None,
        *,
        text: str = "",
    ) -> None:
        super().__init__(message)
        self.message: Final = message
        self.code: Final = code
        self.reason: Final = reason
        self.metadata: Final = metadata or {}
        self.field: Final = self.metadata.get("field", "")
        self.rule: Final = self.metadata.get("rule", "")
        self.retry_after: Final = retry_after
        self.text: Final = text

    def __str__(self) -> str:
        """The message and what it is about, in one line."""
        about = [self.reason or self.code.name]
        about += [f"field {self.field}"] if self.field else []
        about += [f"rule {self.rule}"] if self.rule else []
        return f"{self.message} ({', '.join(about)})"


class IllegalAction(ColtExpressError):
    """A choice that the rules forbid; `rule` is never empty."""


class Unavailable(ColtExpressError):
    """The service did not answer, for as long as the client was told to try."""


_UNREACHABLE: Final = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.CANCELLED,  # by the other side: an own cancellation is another exception
    }
)
"""Codes that leave open whether the request was carried out, whoever says so."""

_BROKEN: Final = frozenset({grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN})
"""Likewise, where they do not come from the service itself: so a proxy ends what it was passing on
when the server behind it is gone."""


def error_of(failure: grpc.aio.AioRpcError) -> ColtExpressError:
    """The typed error that a failed call stands for."""
    code = failure.code()
    reason = ""
    metadata: dict[str, str] = {}
    retry_after: float | None = None
    text = ""
    info, retry, localized = ErrorInfo(), RetryInfo(), LocalizedMessage()
    for detail in _status(failure).details:
        if detail.Unpack(info) and info.domain == _DOMAIN:
            reason = info.reason
            metadata = dict(info.metadata)
        elif detail.Unpack(retry):
            retry_after = retry.retry_delay.ToTimedelta().total_seconds()
        elif detail.Unpack(localized):
            text = localized.message
    kind = ColtExpressError
    if metadata.get("rule"):
        kind = IllegalAction
    elif code in _UNREACHABLE or (code in _BROKEN and not reason):
        kind = Unavailable
    return kind(failure.details() or code.name, code, reason, metadata, retry_after, text=text)


def _status(failure: grpc.aio.AioRpcError) -> Status:
    """The rich status that came along; an empty one if none did."""
    for key, value in failure.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            return Status.FromString(value)
    return Status()
