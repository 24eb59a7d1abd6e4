"""Examples from a game, as `python -m tests.api.http.openapi.recording` has written them down."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

import msgspec


class Example(msgspec.Struct, frozen=True, omit_defaults=True):
    """A call and its answer.

    parameters: of path and query, by name. request, response: JSON values; of a stream `events` and
    `lines` are what is sent, in either form.
    """

    parameters: dict[str, Any] = {}
    request: Any = None
    response: Any = None
    events: str = ""
    lines: str = ""


class Examples(msgspec.Struct, frozen=True):
    """Calls by the name of the method, and errors by their reason."""

    calls: dict[str, Example]
    errors: dict[str, Any]


_RECORDED: Final = msgspec.json.decode(
    files(__package__).joinpath("examples.json").read_bytes(), type=Examples
)

CALLS: Final[Mapping[str, Example]] = _RECORDED.calls
ERRORS: Final[Mapping[str, Any]] = _RECORDED.errors
