"""What a proxy passes on, and how it ends that when the server behind it is killed.

Over HTTP/2 it resets streams. Over HTTP/1.1 it answers by itself what the server has not begun to
answer, without knowing our errors, and closes the connection.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

_PREFACE: Final = len(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
_HEAD: Final = 9
"""Bytes before the payload of a frame (RFC 9113, 4.1)."""
_DATA: Final = 0
_HEADERS: Final = 1
_RST_STREAM: Final = 3
_END_STREAM: Final = 0x1
_END_HEADERS: Final = 0x4
_CONTINUATION: Final = 9
_INTERNAL_ERROR: Final = 2
_CANCEL: Final = 8

_PAGE: Final = b"<html><body><h1>502 Bad Gateway</h1></body></html>\n"
_BAD_GATEWAY: Final = (
    b"HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(_PAGE), _PAGE)
)


@dataclass(frozen=True)
class End:
    """What is still sent on a connection, and whether that is then closed."""

    to_client: bytes
    to_service: bytes
    closes: bool


class Exchange(Protocol):
    """What goes on on one connection."""

    def request(self, piece: bytes) -> bytes:
        """The client has sent something; returns what may be passed on by now."""

    def reply(self, piece: bytes) -> bytes:
        """The service has sent something; returns what may be passed on by now."""

    def end(self) -> End:
        """The server behind is gone."""


class Opaque:
    """Bytes of which nothing is known."""

    def request(self, piece: bytes) -> bytes:
        """All of them."""
        return piece

    def reply(self, piece: bytes) -> bytes:
        """All of them."""
        return piece

    def end(self) -> End:
        """Closes the connection."""
        return End(b"", b"", closes=True)


class Http1:
    """HTTP/1.1, where one request is open at a time."""

    def __init__(self) -> None:
        self._waits = False

    def request(self, piece: bytes) -> bytes:
        """Something of a request: its answer has not begun."""
        self._waits = True
        return piece

    def reply(self, piece: bytes) -> bytes:
        """Something of its answer."""
        self._waits = False
        return piece

    def end(self) -> End:
        """Answers in the service's place, if it has not begun to."""
        return End(_BAD_GATEWAY if self._waits else b"", b"", closes=True)


class Http2:
    """HTTP/2, in whole frames, between which others may be put."""

    def __init__(self) -> None:
        self._requests: Final = _Frames(_PREFACE)
        self._replies: Final = _Frames(0)
        self._open: Final[set[int]] = set()

    def request(self, piece: bytes) -> bytes:
        """Takes note of the streams that are opened."""
        passed, frames = self._requests.take(piece)
        for frame in frames:
            if frame.kind == _HEADERS:
                self._open.add(frame.stream)
            elif frame.kind == _RST_STREAM:
                self._open.discard(frame.stream)
        return passed

    def reply(self, piece: bytes) -> bytes:
        """Takes note of the streams that end."""
        passed, frames = self._replies.take(piece)
        self._open.difference_update(frame.stream for frame in frames if frame.ends)
        return passed

    def end(self) -> End:
        """Resets all streams; the connection is the proxy's, and stays."""
        streams = sorted(self._open)
        self._open.clear()
        return End(
            b"".join(_reset(stream, _INTERNAL_ERROR) for stream in streams),
            b"".join(_reset(stream, _CANCEL) for stream in streams),
            closes=False,
        )


class _Frame(NamedTuple):
    """The head of a frame."""

    kind: int
    flags: int
    stream: int

    @property
    def ends(self) -> bool:
        """Whether it is the last of its sender on its stream."""
        if self.kind == _RST_STREAM:
            return True
        return self.kind in {_DATA, _HEADERS} and bool(self.flags & _END_STREAM)

    @property
    def goes_on(self) -> bool:
        """Whether only its own continuation may follow."""
        return self.kind in {_HEADERS, _CONTINUATION} and not self.flags & _END_HEADERS


class _Frames:
    """Finds the frames in what one side sends."""

    def __init__(self, preface: int) -> None:
        """preface: how many bytes come before the first frame."""
        self._preface = preface
        self._kept = b""

    def take(self, piece: bytes) -> tuple[bytes, list[_Frame]]:
        """What may be passed on, so that any frame may follow, and the frames therein."""
        self._kept += piece
        frames: list[_Frame] = []
        whole, at, count = 0, self._preface, 0
        while len(self._kept) >= at + _HEAD:
            length = int.from_bytes(self._kept[at : at + 3])
            kind, flags = self._kept[at + 3], self._kept[at + 4]
            stream = int.from_bytes(self._kept[at + 5 : at + _HEAD])
            at += _HEAD + length
            if len(self._kept) < at:
                break
            frames.append(_Frame(kind, flags, stream))
            if not frames[-1].goes_on:
                whole, count = at, len(frames)
        if not whole:
            return b"", []
        self._preface = 0
        passed, self._kept = self._kept[:whole], self._kept[whole:]
        return passed, frames[:count]


def _reset(stream: int, code: int) -> bytes:
    """A frame that ends a stream."""
    head = (4).to_bytes(3) + bytes([_RST_STREAM, 0]) + stream.to_bytes(4)
    return head + code.to_bytes(4)
