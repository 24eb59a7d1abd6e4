"""What a process counts and measures, for Prometheus.

docs/OPERATIONS.md says what each metric means. Names follow Prometheus' conventions; a label takes
few values, none of them from a caller: methods, statuses, kinds of errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import choose_encoder

# The time of creation of every series would double what is scraped, and tells nothing.
disable_created_metrics()  # type: ignore[no-untyped-call] # it has no annotations

_CALL_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_STORE_BUCKETS: Final = (0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1)


class Metrics:
    """The metrics of one process, in a registry of their own."""

    def __init__(self, release: str = "") -> None:
        """release: of the server."""
        self.registry: Final = CollectorRegistry()
        self._calls: Final = Counter(
            "coltexpress_calls",
            "Calls that have ended, by transport, method and status.",
            ("transport", "method", "code"),
            registry=self.registry,
        )
        self._call_seconds: Final = Histogram(
            "coltexpress_call_duration_seconds",
            "How long calls took that are no streams; long polls wait on purpose.",
            ("transport", "method"),
            buckets=_CALL_BUCKETS,
            registry=self.registry,
        )
        self._streams: Final = Gauge(
            "coltexpress_streams_open",
            "Streams that are open now.",
            ("transport", "method"),
            registry=self.registry,
        )
        self._commits: Final = Counter(
            "coltexpress_commits",
            "Steps committed by this process, by what triggered them.",
            ("trigger",),
            registry=self.registry,
        )
        self._conflicts: Final = Counter(
            "coltexpress_commit_conflicts",
            "Commits refused because another process was faster; they are tried again.",
            registry=self.registry,
        )
        self._store_seconds: Final = Histogram(
            "coltexpress_store_call_duration_seconds",
            "How long the store took to answer, by script.",
            ("call",),
            buckets=_STORE_BUCKETS,
            registry=self.registry,
        )
        self._store_errors: Final = Counter(
            "coltexpress_store_call_errors",
            "Calls to the store that failed, by script and kind of error.",
            ("call", "error"),
            registry=self.registry,
        )
        self._games: Final = Gauge(
            "coltexpress_games",
            "Games in the store, by state; the same from every process on one store.",
            ("state",),
            registry=self.registry,
        )
        self._webhooks: Final = Counter(
            "coltexpress_webhook_attempts",
            "Tries of this process to deliver a webhook, by outcome.",
            ("outcome",),
            registry=self.registry,
        )
        self._spans: Final = Counter(
            "coltexpress_spans",
            "Spans of traces that were to be exported, by outcome.",
            ("outcome",),
            registry=self.registry,
        )
        build = Gauge(
            "coltexpress_build_info",
            "The release, as a label of a metric that is always 1.",
            ("version",),
            registry=self.registry,
        )
        build.labels(release).set(1)
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)

    def call_ended(self, transport: str, method: str, code: str, seconds: float | None) -> None:
        """A call has ended; seconds: how long it took, None for a stream."""
        self._calls.labels(transport, method, code).inc()
        if seconds is not None:
            self._call_seconds.labels(transport, method).observe(seconds)

    def stream_opened(self, transport: str, method: str) -> None:
        """A stream was opened."""
        self._streams.labels(transport, method).inc()

    def stream_closed(self, transport: str, method: str) -> None:
        """A stream was closed."""
        self._streams.labels(transport, method).dec()

    def committed(self, trigger: str) -> None:
        """A step was committed."""
        self._commits.labels(trigger).inc()

    def met_conflict(self) -> None:
        """A commit was refused since the game had changed."""
        self._conflicts.inc()

    def store_called(self, call: str, seconds: float, error: str) -> None:
        """The store has answered a call; error: the kind of error, empty for none."""
        self._store_seconds.labels(call).observe(seconds)
        if error:
            self._store_errors.labels(call, error).inc()

    def webhook_tried(self, outcome: str) -> None:
        """A try to deliver a webhook is over: delivered, failed, given_up, or dropped unsent."""
        self._webhooks.labels(outcome).inc()

    def spans_ended(self, outcome: str, count: int) -> None:
        """So many spans were exported, or have failed to be, or were dropped unsent."""
        self._spans.labels(outcome).inc(count)

    def games_counted(self, counts: Mapping[str, int]) -> None:
        """So many games of each state are in the store; none where that is not known."""
        self._games.clear()
        for state, count in counts.items():
            self._games.labels(state).set(count)

    def exposition(self, accept: str) -> tuple[bytes, str]:
        """All metrics for a scraper that sent this Accept header: the body and its content type."""
        encode, content_type = choose_encoder(accept)
        return encode(self.registry), content_type
