"""Which of the languages there are suits a caller best."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from babel import negotiate_locale

_ANY: Final = "*"
_MOST_RANGES: Final = 50
"""As many as are looked at; nobody speaks more languages."""


@lru_cache(maxsize=1024)
def negotiated(accept_language: str, available: tuple[str, ...]) -> str | None:
    """The tag of the best one, or None where none is wanted.

    accept_language: ranges with weights, as in `es-MX, es;q=0.9, en;q=0.5, *;q=0.1` (RFC 9110,
        12.5.4). Parts that are malformed are passed over.
    available: the tags there are, the one for "any" first.
    """
    parts = accept_language.split(",", _MOST_RANGES)[:_MOST_RANGES]
    weighed = [found for part in parts if (found := _range(part))]
    refused = {tag.lower() for tag, weight in weighed if weight == 0}
    offered = {tag.lower(): tag for tag in available if tag.lower() not in refused}
    for wanted, weight in sorted(weighed, key=lambda found: -found[1]):
        if weight == 0:
            continue
        if wanted == _ANY:
            return next(iter(offered.values()), None)
        if tag := negotiate_locale([wanted], offered, sep="-"):
            return offered[tag.lower()]
    return None


def _range(part: str) -> tuple[str, float] | None:
    """A language range and its weight."""
    tag, *parameters = [word.strip() for word in part.split(";")]
    weight = 1.0
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            try:
                weight = float(value)
            except ValueError:
                return None
    return (tag, weight) if tag and 0 <= weight <= 1 else None
