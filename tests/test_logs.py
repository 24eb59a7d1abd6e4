from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from coltexpress_server import logs, tracing
from tests.logs_kept import logs_kept


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Puts logging back as it was."""
    with logs_kept():
        yield


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    out, err = capsys.readouterr()
    assert not out
    return [json.loads(line) for line in err.splitlines()]


def test_where_no_terminal_is_a_line_is_a_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("info", "auto")
    structlog.get_logger("x").info("call", game="g", latency_ms=1.5)
    [line] = lines(capsys)
    assert line.pop("timestamp").endswith("Z")
    assert line == {"event": "call", "level": "info", "game": "g", "latency_ms": 1.5}


def test_what_is_below_the_level_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("warning", "json")
    structlog.get_logger("x").info("left out")
    structlog.get_logger("x").warning("logged")
    assert [line["event"] for line in lines(capsys)] == ["logged"]


def test_what_libraries_log_looks_alike(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("info", "json")
    logging.getLogger("library").warning("it %s", "is")
    logging.getLogger("library").info("left out: chatter")
    [line] = lines(capsys)
    assert line["event"] == "it is"
    assert line["level"] == "warning"


def test_an_exception_stays_on_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("info", "json")
    try:
        raise KeyError("x")
    except KeyError:
        logging.getLogger("library").exception("failed")
    [line] = lines(capsys)
    assert "KeyError" in line["exception"]


def test_text_is_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("info", "text")
    structlog.get_logger("x").info("call", game="g")
    _, err = capsys.readouterr()
    assert "call" in err
    assert "game=g" in err
    assert not err.startswith("{")


async def test_a_line_names_the_trace_that_it_belongs_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.set_up("info", "json")

    async def call(traceparent: str) -> None:
        spans.append(tracing.begin(traceparent).span_id)
        await asyncio.sleep(0)
        await asyncio.create_task(work())

    async def work() -> None:
        structlog.get_logger("x").info("call")

    spans: list[str | None] = []
    traces = [f"{number:032x}" for number in (1, 2)]
    await asyncio.gather(*(call(f"00-{trace}-{1:016x}-01") for trace in traces))
    structlog.get_logger("x").info("no call")
    logged = lines(capsys)
    assert [line.get("trace_id") for line in logged] == [*traces, None]
    assert [line.get("span_id") for line in logged] == [*spans, None]
