"""Why a use case was not carried out; nothing was changed then."""

from __future__ import annotations


class Refused(Exception):
    """A request that cannot be carried out.

    reason: a value of the API's ErrorReason, without prefix; which status it means is the API's.
    message: one sentence for the developer of a client; reveals nothing the caller may not know.
    retry_after_s: after how many seconds it may be tried again, where the use case knows.
    details: further names of what is wrong: `field`, `rule`, `game`, `version`.
    """

    def __init__(
        self, reason: str, message: str, *, retry_after_s: float | None = None, **details: str
    ) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message
        self.retry_after_s = retry_after_s
        self.details = details
