"""Traces: which a call goes on with, and when it begins one."""

from __future__ import annotations

import re
from contextvars import copy_context

import pytest

from coltexpress_server import tracing

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@pytest.mark.parametrize(
    "traceparent",
    [f"00-{TRACE}-{SPAN}-01", f"00-{TRACE}-{SPAN}-01".encode(), f"cc-{TRACE}-{SPAN}-01-more"],
)
def test_a_call_goes_on_with_its_trace(traceparent: str | bytes) -> None:
    task = copy_context()
    span = task.run(tracing.begin, traceparent)
    assert (span.trace_id, span.parent_id, span.flags) == (TRACE, SPAN, "01")
    assert span.span_id != SPAN
    assert re.fullmatch(rf"00-{TRACE}-[0-9a-f]{{16}}-01", span.context)
    assert task.run(tracing.current) is span
    assert tracing.current() is None


@pytest.mark.parametrize(
    "traceparent",
    [
        "",
        "x",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}",
        f"00-{TRACE}-{SPAN}-01-{'x' * 500}",
        f"00-{TRACE}-{SPAN}-01\n",
        b"\xff" * 55,
    ],
)
def test_what_is_no_trace_begins_one(traceparent: str | bytes) -> None:
    first, second = [copy_context().run(tracing.begin, traceparent) for _ in range(2)]
    assert first.trace_id not in {TRACE, second.trace_id}
    assert re.fullmatch(r"00-[0-9a-f]{32}-[0-9a-f]{16}-00", first.context)
