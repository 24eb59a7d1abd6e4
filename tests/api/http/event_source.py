"""An EventSource (WHATWG HTML, 9.2): reads events, connects anew with the id of the last one."""

from __future__ import annotations

import codecs
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
from google.protobuf import json_format

from coltexpress.v1 import game_service_pb2 as pb


@dataclass(frozen=True)
class Event:
    """An event that is dispatched; last_id: the id of this or of the latest one that had any."""

    kind: str
    data: str
    last_id: str

    @property
    def json(self) -> Any:
        return json.loads(self.data)

    @property
    def message(self) -> pb.WatchGameResponse:
        return json_format.Parse(self.data, pb.WatchGameResponse())


class EventParser:
    """Takes a stream in pieces of any size, and gives its events."""

    def __init__(self) -> None:
        self.last_id = ""
        self.retry_ms: int | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line = ""
        self._after_cr = False
        self._id = ""
        self._kind = ""
        self._data: list[str] = []

    def feed(self, piece: bytes) -> Iterator[Event]:
        for character in self._decoder.decode(piece):
            if character == "\n" and self._after_cr:
                self._after_cr = False
                continue
            self._after_cr = character == "\r"
            if character in "\r\n":
                line, self._line = self._line, ""
                yield from self._read(line.removeprefix("\ufeff"))
            else:
                self._line += character

    def _read(self, line: str) -> Iterator[Event]:
        if not line:
            self.last_id = self._id
            kind, data = self._kind or "message", self._data
            self._kind, self._data = "", []
            if data:
                yield Event(kind, "\n".join(data), self.last_id)
            return
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "event":
                self._kind = value
            case "data":
                self._data.append(value)
            case "id" if "\0" not in value:
                self._id = value
            case "retry" if value.isascii() and value.isdigit():
                self.retry_ms = int(value)


class EventSource:
    """A connection that is made anew, at once, wherever it ends; until the server answers 204."""

    def __init__(self, client: httpx.AsyncClient, url: str) -> None:
        self._client = client
        self._url = url
        self.parser = EventParser()
        self.connections = 0
        self.status = 0

    async def events(self, *, cut_at: int = 0) -> AsyncIterator[Event]:
        """All events; cut_at: after so many the connection is lost, each time."""
        while True:
            self.connections += 1
            headers = {"accept": "text/event-stream", "cache-control": "no-store"}
            if self.parser.last_id:
                headers["last-event-id"] = self.parser.last_id
            read = 0
            async with self._client.stream("GET", self._url, headers=headers) as answer:
                self.status = answer.status_code
                if answer.status_code != 200:
                    await answer.aread()
                    self.answer = answer
                    return
                assert answer.headers["content-type"] == "text/event-stream"
                async for piece in answer.aiter_raw():
                    for event in self.parser.feed(piece):
                        yield event
                        read += 1
                        if read == cut_at:
                            break
                    if cut_at and read >= cut_at:
                        break
