"""Which trace the work at hand belongs to, after W3C Trace Context, and as which span of it.

A call that comes with a `traceparent` goes on with its trace, another one begins one, as does what
the service does by itself. The answer names it, as a `traceresponse`, and so does every log line
that is written for the call, be it by a task that the call began.

A span is handed over when it has ended, where its trace is sampled and somebody takes spans (see
`recording`). It says nothing that a caller has sent, and nothing that is hidden from anybody.
"""

from __future__ import annotations

import contextlib
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from typing import Final, Literal

TRACEPARENT: Final = "traceparent"
TRACERESPONSE: Final = "traceresponse"

Kind = Literal["SERVER", "CLIENT", "INTERNAL"]
Value = str | int

# Any version but ff; a later one may have more behind the flags.
_FORM: Final = re.compile(
    r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?"
)
_LONGEST: Final = 200
_SAMPLED: Final = 1
_RATIO_BITS: Final = 64


class Span:
    """A piece of work in a trace, from when it is made until `end`.

    trace_id, span_id, parent_id: hexadecimal digits; parent_id is empty for the first of a trace.
    flags: two hexadecimal digits, those of the trace.
    remote: whether the parent is somebody else's.
    name: of the kind of work; one without a name is not recorded, nor are parts of it.
    error: the kind of error with which it ended, empty for none.
    started_ns, ended_ns: since 1970.
    """

    __slots__ = (
        "_take",
        "attributes",
        "ended_ns",
        "error",
        "flags",
        "kind",
        "name",
        "parent_id",
        "remote",
        "span_id",
        "started_ns",
        "trace_id",
    )

    def __init__(
        self, trace_id: str, parent_id: str, flags: str, kind: Kind, *, remote: bool = False
    ) -> None:
        """Begins now, within a trace; what the others mean: see the class."""
        self.trace_id: Final = trace_id
        # Unique is what ids have to be, not secret. One bit more, so that none is zero.
        self.span_id: Final = f"{random.getrandbits(63) | 1 << 63:016x}"
        self.parent_id: Final = parent_id
        self.flags: Final = flags
        self.kind: Final = kind
        self.remote: Final = remote
        self.name = ""
        self.error = ""
        self.attributes: Final[dict[str, Value]] = {}
        self._take = _recording.take if int(flags, 16) & _SAMPLED else None
        self.started_ns = time.time_ns() if self._take is not None else 0
        self.ended_ns = 0

    @property
    def context(self) -> str:
        """Trace, span and flags, in the form of a `traceparent` and a `traceresponse`."""
        return f"00-{self.trace_id}-{self.span_id}-{self.flags}"

    @property
    def is_recorded(self) -> bool:
        """Whether somebody will get it, and what is added to it from now on."""
        return self._take is not None and self.name != ""

    def label(self, name: str, attributes: Mapping[str, Value]) -> None:
        """Says what kind of work this is."""
        if self._take is not None:
            self.name = name
            self.attributes.update(attributes)

    def note(self, name: str, value: Value) -> None:
        """Adds an attribute, unless it is too late."""
        if self._take is not None:
            self.attributes[name] = value

    def fail(self, error: str) -> None:
        """Says that the work failed, and with which kind of error."""
        if self._take is not None:
            self.error = error

    def end(self) -> None:
        """Ends it, once; later calls do nothing."""
        take, self._take = self._take, None
        if take is not None and self.name:
            self.ended_ns = time.time_ns()
            take(self)


class _Recording:
    """take: gets spans that have ended; None: nobody wants any.

    bound: traces whose last bits are less are sampled, where it is for us to say.
    """

    take: Callable[[Span], object] | None = None
    bound = 0


_recording: Final = _Recording()
_current: Final[ContextVar[Span | None]] = ContextVar("span", default=None)


@contextlib.contextmanager
def recording(take: Callable[[Span], object], ratio: float) -> Iterator[None]:
    """Have this process record spans inside the block.

    take: gets each of them as it ends; must not block. ratio: from 0 to 1, how many of the traces
    that begin here are sampled; the others are as their callers say.
    """
    before = _recording.take, _recording.bound
    _recording.take, _recording.bound = take, round(ratio * (1 << _RATIO_BITS))
    try:
        yield
    finally:
        _recording.take, _recording.bound = before


def begin(traceparent: str | bytes) -> Span:
    """Have the work of this task belong to the trace that a call came with, or to a new one.

    traceparent: empty, or nothing that it should be, for a new one.
    Whoever begins ends the span, and gives it its name.
    """
    text = traceparent.decode("latin-1") if isinstance(traceparent, bytes) else traceparent
    found = _FORM.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None:
        span = _root("SERVER")
    else:
        span = Span(found[1], found[2], found[3], "SERVER", remote=True)
    _current.set(span)
    return span


@contextlib.contextmanager
def work(name: str, attributes: Mapping[str, Value]) -> Iterator[Span]:
    """A trace of its own for what the service does by itself inside the block."""
    with _as_current(_root("INTERNAL"), name, attributes) as span:
        yield span


@contextlib.contextmanager
def part(name: str, kind: Kind, attributes: Mapping[str, Value]) -> Iterator[Span]:
    """A part of the work at hand, which is what happens inside the block."""
    with _as_current(_child(_current.get(), kind), name, attributes) as span:
        yield span


def past_part(
    name: str, kind: Kind, attributes: Mapping[str, Value], seconds: float, error: str
) -> None:
    """A part of the work at hand that has just ended, after so many seconds.

    error: the kind of error with which it ended, empty for none.
    """
    whole = _current.get()
    if whole is not None and whole.is_recorded:
        span = _child(whole, kind)
        span.started_ns -= round(seconds * 1e9)
        span.label(name, attributes)
        span.fail(error)
        span.end()


def label(name: str, attributes: Mapping[str, Value]) -> None:
    """Says what kind of work is at hand."""
    span = _current.get()
    if span is not None:
        span.label(name, attributes)


def current() -> Span | None:
    """The span that the work at hand belongs to, which may have ended."""
    return _current.get()


def _root(kind: Kind) -> Span:
    number = random.getrandbits(127) | 1 << 127
    # As OpenTelemetry's samplers do it, so that services decide alike.
    sampled = number & ((1 << _RATIO_BITS) - 1) < _recording.bound
    return Span(f"{number:032x}", "", "01" if sampled else "00", kind)


def _child(whole: Span | None, kind: Kind) -> Span:
    if whole is None:
        return _root(kind)
    return Span(whole.trace_id, whole.span_id, whole.flags, kind)


@contextlib.contextmanager
def _as_current(span: Span, name: str, attributes: Mapping[str, Value]) -> Iterator[Span]:
    span.label(name, attributes)
    token = _current.set(span)
    try:
        yield span
    except Exception as error:
        span.fail(type(error).__name__)
        raise
    finally:
        _current.reset(token)
        span.end()
