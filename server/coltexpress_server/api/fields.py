"""Checks of single fields of requests. A field that fails is named by its path in the request.

All raise Refused with the reason INVALID_FIELD. What is checked here is the form alone: whether a
well-formed name means anything, the rules and the use cases say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from google.protobuf.duration_pb2 import Duration

from coltexpress_server.service.join_codes import LENGTH as CODE_LENGTH
from coltexpress_server.service.join_codes import read_code
from coltexpress_server.service.refusals import Refused
from coltexpress_server.store import is_game_id

_UUID4: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_NAME: Final = re.compile(r"[0-9A-Za-z_.]{1,32}")
_DECISION_ID: Final = re.compile(r"(0|[1-9][0-9]{0,8})\.[0-9]{1,2}\.[0-9a-f]{16}")
_GAMES: Final = "games/"

LONGEST_DISPLAY_NAME: Final = 40
LONGEST_TEXT: Final = 200
LARGEST_ENTROPY: Final = 64
SEED_BYTES: Final = 32


def invalid(field: str, message: str) -> Refused:
    """The refusal of a field that is malformed, unknown or out of bounds."""
    return Refused("INVALID_FIELD", message, field=field)


def missing(field: str) -> Refused:
    """The refusal of a request in which a field is not set that must be."""
    return invalid(field, "this field is required")


def game_id(name: str, field: str) -> str:
    """The id in the resource name of a game."""
    if not name:
        raise missing(field)
    found = name.removeprefix(_GAMES)
    if found == name or not is_game_id(found):
        raise invalid(field, 'a game is named "games/{game}", as in the answer that created it')
    return found


def request_id(text: str, field: str = "request_id") -> str:
    """A request id. It is a secret: no message repeats it."""
    if not text:
        raise missing(field)
    if not _UUID4.fullmatch(text):
        raise invalid(field, "a request id is a UUID of version 4 in lower-case letters")
    return text


def decision_id(text: str, field: str = "decision_id") -> str:
    """The id of a decision."""
    if not text:
        raise missing(field)
    if not _DECISION_ID.fullmatch(text):
        raise invalid(field, "this is no decision id")
    return text


def name(text: str, field: str) -> str:
    """The name of a figure, a space, a car."""
    if not text:
        raise missing(field)
    if not _NAME.fullmatch(text):
        raise invalid(field, "a name has 1 to 32 letters, digits, underscores, full stops")
    return text


def text(value: str, field: str) -> str:
    """A text that the server has made, and that only it reads."""
    if len(value) > LONGEST_TEXT or not (value.isascii() and (value.isprintable())):
        raise invalid(field, f"this has at most {LONGEST_TEXT} printable ASCII characters")
    return value


def display_name(value: str, field: str = "display_name") -> str:
    """A name for people, without the space around it."""
    trimmed = value.strip()
    if len(trimmed) > LONGEST_DISPLAY_NAME or not trimmed.isprintable():
        raise invalid(
            field, f"a display name has at most {LONGEST_DISPLAY_NAME} printable characters"
        )
    return trimmed


def join_code(value: str, field: str = "join_code") -> str:
    """A join code, as it is derived."""
    if not value:
        raise missing(field)
    code = read_code(value)
    if code is None:
        raise invalid(field, f"a join code has {CODE_LENGTH} letters and digits")
    return code


def sentence(value: str, field: str) -> str:
    """A sentence for people, without the space around it; may be empty."""
    trimmed = value.strip()
    if len(trimmed) > LONGEST_TEXT or not trimmed.isprintable():
        raise invalid(field, f"this has at most {LONGEST_TEXT} printable characters")
    return trimmed


def entropy(value: bytes, field: str = "entropy") -> bytes:
    """What a player brings to the shuffle."""
    if len(value) > LARGEST_ENTROPY:
        raise invalid(field, f"at most {LARGEST_ENTROPY} bytes")
    return value


def seed(value: bytes, field: str = "seed") -> bytes:
    """A seed, or none."""
    if len(value) not in {0, SEED_BYTES}:
        raise invalid(field, f"a seed has {SEED_BYTES} bytes")
    return value


def page_size(value: int, *, default: int, largest: int, field: str = "page_size") -> int:
    """The size of a page (AIP-158)."""
    if value < 0:
        raise invalid(field, "a page size is not negative")
    return min(value, largest) or default


def not_negative(value: int, field: str) -> int:
    """A number that counts something."""
    if value < 0:
        raise invalid(field, "this is not negative")
    return value


def between(value: int, least: int, most: int, field: str) -> int:
    """A number with bounds."""
    if not least <= value <= most:
        raise invalid(field, f"this is from {least} to {most}")
    return value


def seconds(value: Duration, field: str) -> float:
    """A stretch of time."""
    nanos = value.nanos
    if value.seconds < 0 or not 0 <= nanos < 1_000_000_000:
        raise invalid(field, "this is a duration that is not negative")
    return value.seconds + nanos / 1e9


def word(value: int, words: Mapping[int, str], field: str, default: str = "") -> str:
    """The word that an enum's value stands for; `default` for the value 0, if there is one."""
    if value == 0:
        if not default:
            raise missing(field)
        return default
    found = words.get(value)
    if found is None:
        raise invalid(field, f"the value {value} is not known")
    return found
