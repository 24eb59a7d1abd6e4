"""The tests' own reader of events, against the examples and corners of its specification."""

from __future__ import annotations

import pytest

from tests.api.http.event_source import Event, EventParser


@pytest.mark.parametrize(
    ("stream", "events"),
    [
        (b"data: a\ndata: b\n\n", [Event("message", "a\nb", "")]),
        (b": note\n\ndata:x\n\n", [Event("message", "x", "")]),
        (
            b"id: 1\ndata: x\n\nid\ndata: y\n\n",
            [Event("message", "x", "1"), Event("message", "y", "")],
        ),
        (b"data\n\ndata\ndata\n\ndata:", [Event("message", "", ""), Event("message", "\n", "")]),
        (b"\xef\xbb\xbfevent: e\rdata: \xc3\xa9\r\n\r\n", [Event("e", "\u00e9", "")]),
        (b"event: e\n\ndata: x\n\n", [Event("message", "x", "")]),
        (b"id: 7\n\ndata:  x\n\n", [Event("message", " x", "7")]),
    ],
)
def test_it_reads_what_the_specification_says(stream: bytes, events: list[Event]) -> None:
    for cut in range(len(stream)):
        parser = EventParser()
        assert [*parser.feed(stream[:cut]), *parser.feed(stream[cut:])] == events
