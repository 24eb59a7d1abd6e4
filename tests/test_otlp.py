"""Sending spans: what a collector gets, and what becomes of them where it does not take them."""

from __future__ import annotations

import asyncio
import logging
from contextvars import copy_context
from typing import Final

import pytest

from coltexpress_server import tracing
from coltexpress_server.metrics import Metrics
from coltexpress_server.otlp import Export
from tests.collectors import Collector
from tests.test_metrics import told

LIMIT = 20  # s
QUEUE = 2048


class Heard(Metrics):
    """Metrics that tell what they are told."""

    def __init__(self) -> None:
        super().__init__()
        self.news: Final[asyncio.Queue[tuple[str, int]]] = asyncio.Queue()

    def spans_ended(self, outcome: str, count: int) -> None:
        super().spans_ended(outcome, count)
        self.news.put_nowait((outcome, count))

    async def next(self) -> tuple[str, int]:
        async with asyncio.timeout(LIMIT):
            return await self.news.get()

    def told(self, outcome: str) -> float | None:
        return told(self, "coltexpress_spans_total", outcome=outcome)


@pytest.fixture
def metrics() -> Heard:
    return Heard()


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The SDK waits for further spans of a batch for a moment only."""
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "10")


def export_to(url: str, metrics: Metrics, **headers: str) -> Export:
    return Export(url, headers, release="1.2.3", metrics=metrics)


def work(export: Export, *names: str) -> None:
    """Does something that is worth a span, for each name."""
    with tracing.recording(export.take, 1):
        for name in names:
            with tracing.work(name, {"coltexpress.seat": 2}):
                pass


async def test_a_collector_is_told_who_sends(
    metrics: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "k8s.pod.name=pod-1,service.name=games")
    with Collector() as collector:
        export = export_to(f"{collector.url}/base/", metrics, authorization="Bearer s3cret")
        work(export, "some work")
        await export.close(LIMIT)
    [span] = collector.spans()
    assert (span.name, span.kind, span.parent_id) == ("some work", "INTERNAL", "")
    assert span.attributes == {"coltexpress.seat": 2}
    assert span.resource["service.version"] == "1.2.3"
    assert span.resource["service.name"] == "games"
    assert span.resource["k8s.pod.name"] == "pod-1"
    assert span.resource["service.instance.id"]
    assert span.resource["telemetry.sdk.language"] == "python"
    [headers] = collector.headers
    assert headers[":path"] == "/base/v1/traces"
    assert headers["authorization"] == "Bearer s3cret"
    assert headers["content-encoding"] == "gzip"
    assert metrics.told("exported") == 1


async def test_a_part_belongs_to_its_whole_and_fails_alone(metrics: Heard) -> None:
    with Collector() as collector:
        export = export_to(collector.url, metrics)
        with (
            tracing.recording(export.take, 1),
            tracing.work("whole", {}),
            pytest.raises(KeyError),
            tracing.part("part", "CLIENT", {}),
        ):
            raise KeyError("what it says is nobody's business")
        await export.close(LIMIT)
    [part], [whole] = collector.spans("part"), collector.spans("whole")
    assert part.is_within(whole)
    assert part.failed
    assert not whole.failed
    assert part.attributes == {"error.type": "KeyError"}
    assert b"business" not in b"".join(collector.bodies)


async def test_what_does_not_fit_is_dropped_and_counted(metrics: Heard) -> None:
    with Collector() as collector:
        export = export_to(collector.url, metrics)
        # Nothing is taken off in this one turn of the loop.
        work(export, *["some work"] * (QUEUE + 7))
        assert metrics.told("dropped") == 7
        while metrics.told("exported") != QUEUE:
            await metrics.next()
        work(export, "there is room again")
        await export.close(LIMIT)
        assert len(collector.spans()) == QUEUE + 1
    assert metrics.told("dropped") == 7


async def test_a_collector_that_does_not_answer_is_not_waited_for(metrics: Heard) -> None:
    with Collector() as collector:
        collector.fall_silent()
        export = export_to(collector.url, metrics)
        work(export, "some work")
        async with asyncio.timeout(LIMIT):
            await export.close(0.05)
        assert collector.spans() == []


async def test_a_collector_that_refuses_is_told_of_once_and_when_it_is_over(
    metrics: Heard, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    with Collector(401, 401, 200) as collector:
        export = export_to(collector.url, metrics)
        for outcome in ("failed", "failed", "exported", "exported"):
            work(export, "some work")
            assert await metrics.next() == (outcome, 1)
        await export.close(LIMIT)
    assert len(collector.spans()) == 2
    [record] = caplog.records
    assert "401" in record.getMessage()


async def test_an_end_does_not_wait_for_a_collector_that_is_not_there(
    metrics: Heard, caplog: pytest.LogCaptureFixture
) -> None:
    with Collector() as gone:
        url = gone.url
    export = export_to(url, metrics)
    work(export, "some work")
    async with asyncio.timeout(LIMIT):
        await export.close(0.05)
        while await metrics.next() != ("failed", 1):
            pass
    work(export, "too late")
    assert "s3cret" not in caplog.text


async def test_nothing_is_taken_but_what_is_sampled_named_and_not_over() -> None:
    taken: list[tracing.Span] = []
    with tracing.recording(taken.append, 0):
        copy_context().run(_call, f"00-{1:032x}-{1:016x}-00", "unwanted")
        copy_context().run(_call, "", "no luck")
        copy_context().run(_call, f"00-{1:032x}-{1:016x}-01", "")
        copy_context().run(_call, f"00-{1:032x}-{1:016x}-01", "a call")
    copy_context().run(_call, f"00-{1:032x}-{1:016x}-01", "afterwards")
    assert [span.name for span in taken] == ["a trip", "a call"]


def _call(traceparent: str, name: str) -> None:
    span = tracing.begin(traceparent)
    if name:
        tracing.label(name, {})
    tracing.past_part("a trip", "CLIENT", {}, 0.001, "")
    span.end()
    span.end()
    span.note("too", "late")
    assert "too" not in span.attributes
    tracing.past_part("a trip that comes too late", "CLIENT", {}, 0.001, "")
