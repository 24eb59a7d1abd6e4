"""What values of fields are refused, in the words of JSON Schema: the checks of `api.fields`.

Requests are held to these, answers keep to them. By the names of the fields without the package;
a field that every request may have, by its own name alone. For a repeated field they are of each
value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor, OneofDescriptor

from coltexpress_server.api import fields
from coltexpress_server.service.clocks import LONGEST_S, MOST_MISSES

Bounds = Mapping[str, Any]

GAME_ID: Final = "[0-3][0-9a-f][a-z2-7]{24}"
"""The form of the id in a game's name."""

_UUID4: Final = {
    "format": "uuid",
    "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
}
_NAME: Final = {"pattern": "^[0-9A-Za-z_.]{1,32}$"}
_TEXT: Final = {"maxLength": fields.LONGEST_TEXT, "pattern": "^[ -~]*$"}
_NOT_NEGATIVE: Final = {"minimum": 0}
_DISPLAY_NAME: Final = {"maxLength": fields.LONGEST_DISPLAY_NAME}
_SEAT: Final = {"minimum": 0}


def _base64(least: int, most: int) -> Bounds:
    """The bounds of so many bytes, in base64."""
    return {"minLength": _base64_length(least), "maxLength": _base64_length(most)}


def _base64_length(size: int) -> int:
    return (size + 2) // 3 * 4


_OF_REQUESTS: Final[Mapping[str, Bounds]] = {
    "request_id": _UUID4,
    "page_size": _NOT_NEGATIVE,
    "page_token": _TEXT,
    "as_seat": _SEAT,
}

_OF_FIELDS: Final[Mapping[str, Bounds]] = {
    "CreateGameRequest.seed": _base64(fields.SEED_BYTES, fields.SEED_BYTES),
    "GetGameRequest.wait_for_version": {"pattern": "^[0-9]{1,18}$"},
    "GetGameRequest.at_version": {"pattern": "^[1-9][0-9]{0,17}$"},
    "GetGameRequest.wait": {"pattern": r"^[0-9]{1,9}(\.[0-9]{1,9})?s$"},
    "ListGamesRequest.seat_counts": _NOT_NEGATIVE,
    "ListGamesRequest.free_seats": _NOT_NEGATIVE,
    "JoinGameRequest.seat": _SEAT,
    "JoinGameRequest.figures": _NAME,
    "JoinGameRequest.display_name": _DISPLAY_NAME,
    "JoinGameRequest.entropy": _base64(0, fields.LARGEST_ENTROPY),
    "RemovePlayerRequest.seat": _SEAT,
    "AddBotRequest.seat": _SEAT,
    "AddBotRequest.figures": _NAME,
    "AddBotRequest.level": _NAME,
    "AddBotRequest.display_name": _DISPLAY_NAME,
    "SubmitActionRequest.decision_id": {"pattern": r"^(0|[1-9][0-9]{0,8})\.[0-9]{1,2}$"},
    "SubmitActionRequest.option_id": {"minLength": 1, **_TEXT},
    "RematchRequest.entropy": _base64(0, fields.LARGEST_ENTROPY),
    "Clock.turn_seconds": {"minimum": 1, "maximum": LONGEST_S},
    "Clock.reserve_seconds": {"minimum": 0, "maximum": LONGEST_S},
    "Clock.auto_play_after": {"minimum": 0, "maximum": MOST_MISSES},
    "Seat.figures": _NAME,
    "GameOptions.cars": _NAME,
}

_MAY_BE_UNSET: Final = {"Catalog.Ransom.each"}


def bounds_of(field: FieldDescriptor) -> Bounds:
    """What is said here of a field's values; empty for nothing."""
    message: Any = field.containing_type
    name = _name(field)
    if name in _OF_FIELDS:
        return _OF_FIELDS[name]
    return _OF_REQUESTS.get(field.name, {}) if message.name.endswith("Request") else {}


def may_be_unset(oneof: OneofDescriptor) -> bool:
    """Whether there is a meaning to none of its fields being set."""
    return _name(oneof) in _MAY_BE_UNSET


def _name(part: FieldDescriptor | OneofDescriptor) -> str:
    """The name of a part of a message, without the package."""
    message: Any = part.containing_type
    return str(part.full_name.removeprefix(f"{message.file.package}."))
