"""The dashboard and the alerts ask for metrics that there are, and lead to what is written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from coltexpress_server.metrics import Metrics

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy/observability"


def samples() -> dict[str, set[str]]:
    """What a process exposes: the name of every sample and its labels."""
    metrics = Metrics("0")
    metrics.call_ended("grpc", "SubmitAction", "OK", 0.1)
    metrics.stream_opened("grpc", "WatchGame")
    metrics.committed("PLAYER")
    metrics.met_conflict()
    metrics.store_called("commit", 0.1, "StoreUnavailable")
    metrics.webhook_tried("delivered")
    metrics.spans_ended("exported", 1)
    metrics.games_counted({"RUNNING": 1})
    text = metrics.exposition("")[0].decode()
    return {
        sample.name: set(sample.labels)
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def expressions() -> Iterator[str]:
    dashboard: Any = json.loads((FOLDER / "dashboard.json").read_text())
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            yield target["expr"]
    for rule in rules():
        yield rule["expr"]


def rules() -> list[dict[str, Any]]:
    found: Any = yaml.safe_load((FOLDER / "alerts.yaml").read_text())
    [group] = found["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


@pytest.mark.parametrize("expression", list(expressions()))
def test_what_is_asked_for_is_there(expression: str) -> None:
    there = samples()
    asked = re.findall(r"\b((?:coltexpress|process)_\w+)(?:\{([^}]*)\})?", expression)
    assert asked
    # Prometheus itself adds these.
    known = {"job", "instance"}
    for name, conditions in asked:
        assert name in there
        assert set(re.findall(r"(\w+)(?==|!=)", conditions)) <= there[name] | known
        known |= there[name]
    for grouped in re.findall(r"by \(([^)]*)\)", expression):
        assert set(grouped.split(", ")) <= known


def test_every_metric_of_ours_is_on_the_dashboard() -> None:
    shown = " ".join(expressions())
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in samples()}
    assert [each for each in families if each.startswith("coltexpress") and each not in shown] == []


def test_every_alert_says_what_to_do() -> None:
    text = (ROOT / "docs/RUNBOOK.md").read_text()
    headings = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings}
    for rule in rules():
        path, _, anchor = rule["annotations"]["runbook"].partition("#")
        assert path == "docs/RUNBOOK.md"
        assert anchor in anchors
        assert rule["labels"]["severity"] in {"page", "ticket"}
