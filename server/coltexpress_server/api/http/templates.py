"""Path templates of google.api.http: which paths they match, and what those bind to fields.

The syntax, from google/api/http.proto:

    Template = "/" Segments [ ":" LITERAL ]
    Segments = Segment { "/" Segment }
    Segment  = "*" | "**" | LITERAL | Variable
    Variable = "{" FieldPath [ "=" Segments ] "}"
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote

_TOKEN: Final = re.compile(
    r"\{(?P<field>[\w.]+)(?:=(?P<segments>[^{}]+))?\}|(?P<any>\*\*)|(?P<one>\*)|(?P<literal>[^{}*]+)"
)
# A colon begins the verb: in a segment it is written %3A.
_ONE: Final = "[^/:]+"
_ANY: Final = "[^:]*"


class PathTemplate:
    """A template, ready to match.

    text: as it is written in the protos. fields: the paths of the fields that it binds, in order.
    """

    __slots__ = ("_pattern", "fields", "text")

    def __init__(self, text: str) -> None:
        """Reads a template. Raises ValueError where it is none."""
        self.text: Final = text
        fields: list[str] = []
        self._pattern: Final = re.compile(_pattern(text, fields))
        self.fields: Final = tuple(fields)

    def match(self, raw_path: str) -> Mapping[str, str] | None:
        """What a path, percent-encoded as it came, binds: field path to value.

        None where the template does not match.
        """
        found = self._pattern.fullmatch(raw_path)
        if found is None:
            return None
        return dict(zip(self.fields, map(unquote, found.groups()), strict=True))


def _pattern(text: str, fields: list[str]) -> str:
    """The regular expression of a template or of a part; appends the fields that it binds."""
    found, place = "", 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            raise ValueError(f"{text!r} is no path template")
        if token["field"]:
            fields.append(token["field"])
            found += f"({_pattern(token['segments'] or '*', [])})"
        elif token["any"]:
            found += _ANY
        elif token["one"]:
            found += _ONE
        else:
            found += re.escape(token["literal"])
        place = token.end()
    return found
