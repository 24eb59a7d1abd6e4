"""A collector of traces on loopback, which speaks OTLP/HTTP."""

from __future__ import annotations

import gzip
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status


@dataclass(frozen=True)
class Exported:
    """A span as it has arrived; ids as hexadecimal digits, times in ns since 1970."""

    name: str
    kind: str
    trace_id: str
    span_id: str
    parent_id: str
    started_ns: int
    ended_ns: int
    failed: bool
    attributes: dict[str, Any]
    resource: dict[str, Any]

    def is_within(self, other: Exported) -> bool:
        """Whether another one is its parent, in time too."""
        return (
            (self.trace_id, self.parent_id) == (other.trace_id, other.span_id)
            and other.started_ns <= self.started_ns <= self.ended_ns
            # Two clocks make a span that is recorded when it has ended.
            and self.ended_ns <= other.ended_ns + 1_000_000
        )


class Collector:
    """Takes spans while it is entered.

    statuses: of its answers; the last one stands for all that follow.
    headers, bodies: of the requests so far; bodies are no longer compressed.
    """

    def __init__(self, *statuses: int) -> None:
        self.headers: list[dict[str, str]] = []
        self.bodies: list[bytes] = []
        self._statuses = list(statuses or (200,))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._answering = threading.Event()
        self._answering.set()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._answering.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def fall_silent(self) -> None:
        """Leave requests unanswered, until it is left."""
        self._answering.clear()

    def spans(self, name: str = "") -> list[Exported]:
        """The spans that have arrived, or those of a name."""
        found = []
        for body in self.bodies:
            for each in ExportTraceServiceRequest.FromString(body).resource_spans:
                resource = _attributes(each.resource.attributes)
                for scope in each.scope_spans:
                    found += [_read(span, resource) for span in scope.spans]
        return [span for span in found if name in {"", span.name}]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        collector = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                collector._answering.wait()
                collector.headers.append(
                    {":path": self.path}
                    | {name.lower(): value for name, value in self.headers.items()}
                )
                statuses = collector._statuses
                status = statuses.pop(0) if len(statuses) > 1 else statuses[0]
                if status == 200:
                    collector.bodies.append(gzip.decompress(body))
                self.send_response(status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, message: str, *arguments: object) -> None:
                """Nothing is logged."""

        return Handler


def _read(span: Span, resource: dict[str, Any]) -> Exported:
    return Exported(
        span.name,
        Span.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_"),
        span.trace_id.hex(),
        span.span_id.hex(),
        span.parent_span_id.hex(),
        span.start_time_unix_nano,
        span.end_time_unix_nano,
        span.status.code == Status.STATUS_CODE_ERROR,
        _attributes(span.attributes),
        resource,
    )


def _attributes(pairs: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    pair: KeyValue
    for pair in pairs:
        found[pair.key] = getattr(pair.value, pair.value.WhichOneof("value") or "string_value")
    return found
