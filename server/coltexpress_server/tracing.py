"""Which trace the work at hand belongs to, after W3C Trace Context.

A call that comes with a `traceparent` goes on with its trace, another one begins one. The answer
names it, as a `traceresponse`, and so does every log line that is written for the call, be it by a
task that the call began.
"""

from __future__ import annotations

import random
import re
from contextvars import ContextVar
from typing import Final, NamedTuple

TRACEPARENT: Final = "traceparent"
TRACERESPONSE: Final = "traceresponse"

# Any version but ff; a later one may have more behind the flags.
_FORM: Final = re.compile(
    r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?"
)
_LONGEST: Final = 200


class Trace(NamedTuple):
    """A trace, and our part in it: ids as hexadecimal digits."""

    trace_id: str
    span_id: str
    flags: str

    @property
    def response(self) -> str:
        """What the answer says of it, in the form of a `traceresponse`."""
        return f"00-{self.trace_id}-{self.span_id}-{self.flags}"


_current: Final[ContextVar[Trace | None]] = ContextVar("trace", default=None)


def begin(traceparent: str | bytes) -> Trace:
    """Have the work of this task belong to the trace that a call came with, or to a new one.

    traceparent: empty, or nothing that it should be, for a new one.
    """
    text = traceparent.decode("latin-1") if isinstance(traceparent, bytes) else traceparent
    found = _FORM.fullmatch(text) if len(text) <= _LONGEST else None
    # Unique is what ids have to be, not secret. One bit more, so that none is zero.
    span_id = f"{random.getrandbits(63) | 1 << 63:016x}"
    if found is None:
        trace = Trace(f"{random.getrandbits(127) | 1 << 127:032x}", span_id, "00")
    else:
        trace = Trace(found[1], span_id, found[2])
    _current.set(trace)
    return trace


def current() -> Trace | None:
    """The trace that the work at hand belongs to."""
    return _current.get()
