"""What values of fields are refused, in the words of JSON Schema: the checks of `api.fields`.

Requests are held to these, answers keep to them. By the names of the fields without the package;
a field that every request may have, by its own name alone. For a repeated field they are of each
value.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor, OneofDescriptor

from coltexpress_server.api import fields
from coltexpress_server.api.http.openapi.comments import camel_case
from coltexpress_server.api.requests import UPDATABLE, UPDATABLE_OPTIONS
from coltexpress_server.bots.levels import LEVELS
from coltexpress_server.service.clocks import LONGEST_S, MOST_MISSES
from coltexpress_server.service.join_codes import ALPHABET, LENGTH

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


# A letter of base64, of either alphabet; whole groups of four are three bytes.
_B64: Final = "[0-9A-Za-z+/_-]"
_SEED: Final = {"pattern": f"^({_B64}{{{fields.SEED_BYTES * 4 // 3 + 1}}}=)?$"}
_ENTROPY: Final = {
    "pattern": f"^({_B64}{{4}}){{0,{fields.LARGEST_ENTROPY // 3 - 1}}}"
    f"({_B64}{{2}}==|{_B64}{{3}}=|{_B64}{{4}}({_B64}{{2}}==)?)?$"
}
_CODE_LETTER: Final = f"[{ALPHABET}{ALPHABET.lower()}]"
_CODE: Final = f"[ -]*({_CODE_LETTER}[ -]*){{{LENGTH}}}"
_LEVEL: Final = {"enum": [*LEVELS]}
_LEVEL_OR_NONE: Final = {"enum": ["", *LEVELS]}


def _mask(paths: Collection[str]) -> Bounds:
    """The bounds of a FieldMask of some paths, in JSON."""
    named = "|".join(sorted(camel_case(path).replace(".", r"\.") for path in paths))
    return {"pattern": rf"^(\*|({named})(,({named}))*)?$"}


_OF_REQUESTS: Final[Mapping[str, Bounds]] = {
    "request_id": _UUID4,
    "page_size": _NOT_NEGATIVE,
    "page_token": _TEXT,
    "as_seat": _SEAT,
}

_OF_FIELDS: Final[Mapping[str, Bounds]] = {
    "CreateGameRequest.seed": _SEED,
    "GetGameRequest.wait_for_version": {"pattern": "^[0-9]{1,18}$"},
    "GetGameRequest.at_version": {"pattern": "^[1-9][0-9]{0,17}$"},
    "GetGameRequest.wait": {"pattern": r"^[0-9]{1,9}(\.[0-9]{1,9})?s$"},
    "ListGamesRequest.seat_counts": _NOT_NEGATIVE,
    "ListEventsRequest.page_token": {"pattern": "^[0-9]{0,9}$"},
    "ListGamesRequest.free_seats": _NOT_NEGATIVE,
    "JoinGameRequest.seat": _SEAT,
    "JoinGameRequest.figures": _NAME,
    "JoinGameRequest.display_name": _DISPLAY_NAME,
    "JoinGameRequest.entropy": _ENTROPY,
    "JoinGameRequest.join_code": {"pattern": f"^({_CODE})?$"},
    "FindGameRequest.join_code": {"pattern": f"^{_CODE}$"},
    "UpdateGameRequest.update_mask": _mask(UPDATABLE | UPDATABLE_OPTIONS),
    "RemovePlayerRequest.seat": _SEAT,
    "AddBotRequest.seat": _SEAT,
    "AddBotRequest.figures": _NAME,
    "AddBotRequest.level": _LEVEL,
    "AddBotRequest.display_name": _DISPLAY_NAME,
    "SetAutoPlayRequest.level": _LEVEL_OR_NONE,
    "SubmitActionRequest.decision_id": {
        "pattern": r"^(0|[1-9][0-9]{0,8})\.[0-9]{1,2}\.[0-9a-f]{16}$"
    },
    "SubmitActionRequest.option_id": {"minLength": 1, **_TEXT},
    "RematchRequest.entropy": _ENTROPY,
    "Clock.turn_seconds": {"minimum": 1, "maximum": LONGEST_S},
    "Clock.reserve_seconds": {"minimum": 0, "maximum": LONGEST_S},
    "Clock.auto_play_after": {"minimum": 0, "maximum": MOST_MISSES},
    "Seat.figures": _NAME,
    "Game.stand_in": _LEVEL_OR_NONE,
    "Move.space": _NAME,
    "ChangeFloor.space": _NAME,
    "Fire.figure": _NAME,
    "Punch.figure": _NAME,
    "Punch.space": _NAME,
    "Ride.space": _NAME,
    "TakeHostage.hostage": _NAME,
    "Flee.space": _NAME,
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
