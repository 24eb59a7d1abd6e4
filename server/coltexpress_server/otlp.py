"""Sends spans to an OpenTelemetry collector, over OTLP/HTTP, from a thread of its own.

The SDK batches, encodes and sends. Where a collector does not keep up, or is not there, spans are
dropped, and counted; nothing waits for it. Imported only where spans are wanted.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import structlog
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags

from coltexpress_server.metrics import Metrics
from coltexpress_server.tracing import Span

_SERVICE: Final = "colt-express"
_PATH: Final = "/v1/traces"
_MOST_WAITING: Final = 2048
# So few that encoding them, which holds up all else in Python, takes a few milliseconds.
_BATCH: Final = 128
_KINDS: Final = {kind.name: kind for kind in SpanKind}
_UNSET: Final = Status(StatusCode.UNSET)
_FAILED: Final = Status(StatusCode.ERROR)

_log = structlog.get_logger(__name__)


class Export:
    """The spans of a process on their way to a collector. To be made and used in an event loop."""

    def __init__(
        self, endpoint: str, headers: Mapping[str, str], *, release: str, metrics: Metrics
    ) -> None:
        """endpoint: URL of the collector; the path of traces is added to it.

        headers: to be sent along, for a collector that wants to know who comes.
        release: of the server. metrics: count the spans.
        What else the SDK can be told, by OpenTelemetry's own variables of the environment, it is.
        """
        self._scope: Final = InstrumentationScope(__package__, release)
        described = {
            "service.name": _SERVICE,
            "service.version": release,
            "service.instance.id": str(uuid.uuid4()),
        }
        self._resource: Final = Resource.create(described).merge(OTELResourceDetector().detect())
        self._metrics: Final = metrics
        self._loop: Final = asyncio.get_running_loop()
        self._waiting = 0
        sender = OTLPSpanExporter(
            endpoint.rstrip("/") + _PATH, headers=dict(headers), compression=Compression.Gzip
        )
        self._sender: Final = _Counted(sender, self)
        self._processor: Final = BatchSpanProcessor(
            self._sender, max_queue_size=_MOST_WAITING, max_export_batch_size=_BATCH
        )

    def take(self, span: Span) -> None:
        """Has a span sent, at some time; drops it where too many wait."""
        if self._waiting >= _MOST_WAITING:
            self._metrics.spans_ended("dropped", 1)
            return
        self._waiting += 1
        trace_id = int(span.trace_id, 16)
        flags = TraceFlags(int(span.flags, 16))
        # Not by the SDK's tracer: it would choose the ids, and the answer has named them already.
        self._processor.on_end(
            ReadableSpan(
                span.name,
                SpanContext(trace_id, int(span.span_id, 16), is_remote=False, trace_flags=flags),
                SpanContext(trace_id, int(span.parent_id, 16), span.remote, flags)
                if span.parent_id
                else None,
                self._resource,
                {**span.attributes, "error.type": span.error} if span.error else span.attributes,
                kind=_KINDS[span.kind],
                status=_FAILED if span.error else _UNSET,
                start_time=span.started_ns,
                end_time=span.ended_ns,
                instrumentation_scope=self._scope,
            )
        )

    async def close(self, limit_s: float) -> None:
        """Sends what is left, for as many seconds at most."""
        flushed = asyncio.Event()

        def flush() -> None:
            self._processor.shutdown()  # type: ignore[no-untyped-call] # it has no annotations
            self._tell(flushed.set)

        # One that the interpreter does not wait for when it ends.
        threading.Thread(target=flush, name="last spans", daemon=True).start()
        try:
            async with asyncio.timeout(limit_s):
                await flushed.wait()
        except TimeoutError:
            _log.warning("traces", problem="there was no time to send the last ones")
            self._sender.shutdown()  # it does not try again

    def handed_over(self, count: int) -> None:
        """So many spans no longer wait; called in the sending thread, like `sent`."""
        self._tell(self._take_off, count)

    def sent(self, count: int, *, taken: bool) -> None:
        """So many spans were sent; taken: whether the collector has them."""
        self._tell(self._metrics.spans_ended, "exported" if taken else "failed", count)

    def _take_off(self, count: int) -> None:
        self._waiting -= count

    def _tell(self, what: Callable[..., object], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(what, *arguments)


class _Counted(SpanExporter):
    """Sends batches in the SDK's thread, tells how that went, and says so once where it fails."""

    def __init__(self, sender: OTLPSpanExporter, export: Export) -> None:
        self._sender: Final = sender
        self._export: Final = export
        self._failing = False
        self._closed = False
        # The SDK would log every failure of a collector that is not there, for ever.
        self._logger: Final = logging.getLogger(OTLPSpanExporter.__module__)
        self._logger.addFilter(self._is_news)

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Sends a batch."""
        self._export.handed_over(len(spans))
        result = SpanExportResult.FAILURE if self._closed else self._sender.export(spans)
        taken = result is SpanExportResult.SUCCESS
        self._export.sent(len(spans), taken=taken)
        if taken and self._failing:
            _log.info("traces", problem="none any more")
        self._failing = not taken
        return result

    def shutdown(self) -> None:
        """Sends nothing more, and tries nothing again."""
        if not self._closed:
            self._closed = True
            self._sender.shutdown()  # type: ignore[no-untyped-call] # it has no annotations
            self._logger.removeFilter(self._is_news)

    def _is_news(self, record: logging.LogRecord) -> bool:
        return not self._failing
