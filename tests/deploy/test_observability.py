"""The dashboard and the alerts ask for metrics that there are, and lead to what is written."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import grpc
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from promql_parser import AggregateExpr, VectorSelector, parse, walk

from coltexpress_server.metrics import Metrics
from coltexpress_server.store import scripts
from tests.promises.bad_requests import PATHS

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FOLDER = ROOT / "deploy/observability"
SCRIPTS = Path(scripts.__file__).parent


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


def values() -> dict[str, set[str]]:
    """What some labels can be."""
    return {
        "method": set(PATHS),
        "code": {code.name for code in grpc.StatusCode},
        "call": {path.stem for path in SCRIPTS.glob("*.lua")},
    }


def panels() -> list[dict[str, Any]]:
    found: Any = json.loads((FOLDER / "dashboard.json").read_text())
    panels: list[dict[str, Any]] = found["panels"]
    return panels


def rules() -> list[dict[str, Any]]:
    found: Any = yaml.safe_load((FOLDER / "alerts.yaml").read_text())
    [group] = found["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


def expressions() -> list[str]:
    asked = [target["expr"] for panel in panels() for target in panel["targets"]]
    return asked + [rule["expr"] for rule in rules()]


def selectors(expression: str) -> tuple[list[VectorSelector], set[str]]:
    """Of an expression, the metrics that it asks for, and the labels that it groups by."""
    found: list[VectorSelector] = []
    groups: set[str] = set()

    def visit(part: object) -> None:
        if isinstance(part, VectorSelector):
            found.append(part)
        elif isinstance(part, AggregateExpr) and part.modifier:
            groups.update(part.modifier.labels)

    # Grafana fills in the interval.
    walk(parse(expression.replace("$__rate_interval", "5m")), visit)
    return found, groups


@pytest.mark.parametrize("expression", expressions())
def test_what_is_asked_for_is_there(expression: str) -> None:
    there, possible = samples(), values()
    asked, groups = selectors(expression)
    assert asked
    # Prometheus itself adds these.
    known = {"job", "instance", "namespace"}
    for each in asked:
        assert each.name in there
        known |= there[each.name]
        for matcher in each.matchers.matchers:
            assert matcher.name in known
            for value in matcher.value.split("|"):
                assert value in possible.get(matcher.name, {value})
    assert groups <= known


def test_every_metric_of_ours_is_on_the_dashboard() -> None:
    shown = " ".join(expressions())
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in samples()}
    assert [each for each in families if each.startswith("coltexpress") and each not in shown] == []


def test_panels_that_the_runbook_speaks_of_are_there() -> None:
    _, _, text = (ROOT / "docs/RUNBOOK.md").read_text().partition("## When something is wrong")
    titles = [panel["title"] for panel in panels()]
    named = re.findall(r"(?<!\*)\*([A-Z][^*\n]+)\*(?!\*)", text)
    assert len(named) > 3
    for name in named:
        assert any(title.startswith(name) for title in titles), name


def test_panels_have_the_units_of_what_they_show() -> None:
    for panel in panels():
        unit = panel["fieldConfig"]["defaults"]["unit"]
        for target in panel["targets"]:
            asked, _ = selectors(target["expr"])
            [name, *others] = [str(each.name) for each in asked]
            if "cpu_seconds" in name or others:
                assert unit == "percentunit"  # of a core, or of each other
            elif "_seconds" in name:
                assert unit == "s"
            elif name.endswith("_total"):
                assert unit == "ops"
            else:
                assert unit == ("bytes" if name.endswith("_bytes") else "short")


def test_panels_are_told_apart_and_do_not_overlap() -> None:
    assert len({panel["id"] for panel in panels()}) == len(panels())
    places = [
        (x, y)
        for panel in panels()
        for place in [panel["gridPos"]]
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(set(places)) == len(places)
    assert max(x for x, _ in places) == 23
    for panel in panels():
        names = [target["refId"] for target in panel["targets"]]
        assert len(set(names)) == len(names)


def test_alerts_are_given_when_they_should_be() -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool, which comes with Prometheus, is missing")
    subprocess.run([promtool, "check", "rules", FOLDER / "alerts.yaml"], check=True)
    subprocess.run([promtool, "test", "rules", HERE / "alerts.yaml"], check=True)


def test_every_alert_says_what_to_do() -> None:
    text = (ROOT / "docs/RUNBOOK.md").read_text()
    headings = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings}
    for rule in rules():
        path, _, anchor = rule["annotations"]["runbook"].partition("#")
        assert path == "docs/RUNBOOK.md"
        assert anchor in anchors
        assert rule["labels"]["severity"] in {"page", "ticket"}
