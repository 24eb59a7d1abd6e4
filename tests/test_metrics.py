"""Metrics: what is counted when, how it is told, and that the documentation knows it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from prometheus_client import parser
from prometheus_client.openmetrics import parser as openmetrics_parser

from coltexpress_server.metrics import Metrics

TABLE = Path(__file__).parents[1] / "docs" / "OPERATIONS.md"
OWN = "coltexpress_"

# They have no annotations.
text_families: Any = parser.text_string_to_metric_families
openmetrics_families: Any = openmetrics_parser.text_string_to_metric_families


def told(metrics: Metrics, name: str, **labels: str) -> float | None:
    """The value of a sample, as a scraper reads it."""
    body, content_type = metrics.exposition("")
    assert content_type.startswith("text/plain")
    for family in text_families(body.decode()):
        for sample in family.samples:
            if (sample.name, sample.labels) == (name, labels):
                return float(sample.value)
    return None


def test_the_table_in_the_documentation_is_what_there_is() -> None:
    rows = re.findall(
        r"^\| `(coltexpress_\w+)` \| (\w+) \| (.*?) \|", TABLE.read_text(), re.MULTILINE
    )
    documented = {name: (kind, set(re.findall(r"`(\w+)`", labels))) for name, kind, labels in rows}
    there = {}
    # The library tells the names of labels of series only, and most have none yet.
    for collector in Metrics().registry._collector_to_names:
        name = getattr(collector, "_name", "")
        if name.startswith(OWN):
            kind = getattr(collector, "_type", "")
            full = f"{name}_total" if kind == "counter" else name
            there[full] = (kind, set(getattr(collector, "_labelnames", ())))
    assert documented == there


def test_a_process_tells_of_itself() -> None:
    metrics = Metrics("1.2.3")
    assert told(metrics, "coltexpress_build_info", version="1.2.3") == 1
    body, _ = metrics.exposition("")
    names = {family.name for family in text_families(body.decode())}
    assert {"process_cpu_seconds", "process_open_fds", "python_info"} <= names


def test_a_scraper_gets_the_format_that_it_asks_for() -> None:
    metrics = Metrics()
    metrics.call_ended("grpc", "GetGame", "OK", 0.1)
    body, content_type = metrics.exposition("application/openmetrics-text; version=1.0.0")
    assert content_type.startswith("application/openmetrics-text")
    families = {family.name for family in openmetrics_families(body.decode())}
    assert "coltexpress_calls" in families


def test_calls_are_counted_and_streams_have_no_duration() -> None:
    metrics = Metrics()
    metrics.stream_opened("grpc", "WatchGame")
    metrics.stream_opened("grpc", "WatchGame")
    metrics.stream_closed("grpc", "WatchGame")
    metrics.call_ended("grpc", "WatchGame", "CANCELLED", None)
    metrics.call_ended("http", "GetGame", "NOT_FOUND", 0.003)
    watching = {"transport": "grpc", "method": "WatchGame"}
    assert told(metrics, "coltexpress_streams_open", **watching) == 1
    assert told(metrics, "coltexpress_calls_total", **watching, code="CANCELLED") == 1
    assert told(metrics, "coltexpress_call_duration_seconds_count", **watching) is None
    reading = {"transport": "http", "method": "GetGame"}
    assert told(metrics, "coltexpress_calls_total", **reading, code="NOT_FOUND") == 1
    assert told(metrics, "coltexpress_call_duration_seconds_count", **reading) == 1


def test_what_is_not_known_of_the_store_is_not_told() -> None:
    metrics = Metrics()
    metrics.games_counted({"LOBBY": 3})
    assert told(metrics, "coltexpress_games", state="LOBBY") == 3
    metrics.games_counted({})
    assert told(metrics, "coltexpress_games", state="LOBBY") is None
