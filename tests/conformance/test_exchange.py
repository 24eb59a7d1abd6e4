"""What passes through a proxy, piece by piece, and what it sends when the server is gone."""

from __future__ import annotations

import pytest

from coltexpress_server.conformance.exchange import Http1, Http2

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, CONTINUATION = 0, 1, 3, 4, 9
END_STREAM, END_HEADERS = 1, 4


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + payload


def reset(stream: int, code: int) -> bytes:
    return frame(RST_STREAM, 0, stream, code.to_bytes(4))


REQUESTS = PREFACE + b"".join(
    [
        frame(SETTINGS, 0, 0, b""),
        frame(HEADERS, END_HEADERS, 1, b"first"),
        frame(DATA, END_STREAM, 1, b"x" * 300),
        frame(HEADERS, 0, 3, b"second"),
        frame(CONTINUATION, END_HEADERS, 3, b"goes on"),
        frame(DATA, END_STREAM, 3, b""),
        frame(HEADERS, END_HEADERS | END_STREAM, 5, b"third"),
        frame(RST_STREAM, 0, 5, b"\0\0\0\x08"),
    ]
)


@pytest.mark.parametrize("size", [1, 2, 7, 9, 10, 1000])
def test_all_that_is_sent_is_passed_on_whatever_pieces_it_comes_in(size: int) -> None:
    exchange = Http2()
    pieces = [REQUESTS[at : at + size] for at in range(0, len(REQUESTS), size)]
    assert b"".join(map(exchange.request, pieces)) == REQUESTS
    assert exchange.end().to_client == reset(1, 2) + reset(3, 2)


def test_a_frame_is_passed_on_as_a_whole_and_headers_with_what_continues_them() -> None:
    exchange = Http2()
    exchange.request(REQUESTS)
    begun = frame(HEADERS, 0, 1, b"answer")
    rest = frame(CONTINUATION, END_HEADERS, 1, b"")
    assert exchange.reply(begun) == b""
    assert exchange.reply(rest[:4]) == b""
    assert exchange.reply(rest[4:] + begun[:3]) == begun + rest


def test_streams_that_have_ended_are_not_reset() -> None:
    exchange = Http2()
    exchange.request(REQUESTS)
    exchange.reply(frame(HEADERS, END_HEADERS, 1, b"") + frame(DATA, 0, 1, b"answer"))
    exchange.reply(frame(HEADERS, END_HEADERS | END_STREAM, 3, b""))
    end = exchange.end()
    assert (end.to_client, end.to_service, end.closes) == (reset(1, 2), reset(1, 8), False)
    assert exchange.end().to_client == b""


def test_over_http_1_what_has_not_begun_is_answered_by_the_proxy() -> None:
    exchange = Http1()
    assert exchange.end().to_client == b""
    assert exchange.request(b"GET /") == b"GET /"
    assert exchange.end().to_client.startswith(b"HTTP/1.1 502 Bad Gateway\r\n")
    assert exchange.reply(b"HTTP/1.1 200") == b"HTTP/1.1 200"
    end = exchange.end()
    assert (end.to_client, end.to_service, end.closes) == (b"", b"", True)
