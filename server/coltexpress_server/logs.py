"""How log lines are made: structlog, and what libraries log through the standard library, alike.

JSON, one object a line, where nobody reads along; else text for people. All go to standard error.
"""

from __future__ import annotations

import logging
import sys
from typing import Final, Literal

import msgspec
import structlog
from structlog.typing import Processor

from coltexpress_server import tracing

Level = Literal["debug", "info", "warning", "error"]
Format = Literal["auto", "json", "text"]

_json: Final = msgspec.json.Encoder(enc_hook=repr)


def set_up(level: Level, form: Format) -> None:
    """Sets logging up for the whole process.

    level: the least that is logged. form: "auto" is "text" on a terminal, else "json".
    """
    as_text = form == "text" or (form == "auto" and sys.stderr.isatty())
    number = logging.getLevelNamesMapping()[level.upper()]
    shared: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _add_trace,
    ]
    render: list[Processor] = (
        [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]
        if as_text
        else [structlog.processors.format_exc_info, _render_json]
    )
    structlog.configure(
        processors=[*shared, *render],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render],
        )
    )
    logging.basicConfig(level=max(number, logging.WARNING), handlers=[handler], force=True)


def _add_trace(
    logger: object, method: str, line: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Names the trace that the work at hand belongs to, and as which span of it."""
    span = tracing.current()
    if span is not None:
        line["trace_id"] = span.trace_id
        line["span_id"] = span.span_id
    return line


def _render_json(logger: object, method: str, line: structlog.typing.EventDict) -> str:
    return _json.encode(line).decode()
