"""Who may call a method, and why it refuses: what its use case says, beside what all methods do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from google.api.field_info_pb2 import FieldInfo, field_info
from google.protobuf.descriptor import FieldDescriptor

from coltexpress_server.api.http.bindings import Binding
from coltexpress_server.api.texts.reasons import ILLEGAL

TOKEN: Final = "token"  # noqa: S105 # the name of a way to show who calls
API_KEY: Final = "apiKey"
WATCH_TOKEN: Final = "watchToken"  # noqa: S105 # likewise
NOBODY: Final = ""

_HOSTS: Final = frozenset({"TOKEN_MISSING", "WRONG_ROLE"})
_LOBBYS: Final = _HOSTS | {"GAME_ALREADY_STARTED", "GAME_OVER"}
_SEATS: Final = _HOSTS
_STORE: Final = frozenset({"STORE_UNAVAILABLE"})


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a method.

    callers: the ways to show who calls, of which one is needed; NOBODY: none is.
    reasons: ErrorReasons.
    """

    callers: tuple[str, ...]
    reasons: frozenset[str] = field(default_factory=frozenset)


TERMS: Final[Mapping[str, Terms]] = {
    "CreateGame": Terms((NOBODY, API_KEY), _STORE | {"INVALID_OPTIONS", "SEED_NOT_ALLOWED"}),
    "GetGame": Terms(
        (NOBODY, TOKEN), frozenset({"WRONG_ROLE", "GAME_NOT_OVER", "GAME_NOT_STARTED"})
    ),
    "ListGames": Terms((NOBODY, API_KEY), _STORE | {"API_KEY_MISSING"}),
    "FindGame": Terms((NOBODY, API_KEY), _STORE | {"GAME_NOT_FOUND"}),
    "JoinGame": Terms(
        (NOBODY, API_KEY),
        frozenset(
            {"GAME_ALREADY_STARTED", "GAME_OVER", "NO_SEAT_FREE", "SEAT_TAKEN", "FIGURE_TAKEN"}
        )
        | {"INVALID_OPTIONS"},
    ),
    "LeaveGame": Terms((TOKEN,), _SEATS | {"GAME_OVER"}),
    "UpdateGame": Terms((TOKEN,), _LOBBYS | {"INVALID_OPTIONS", "SEAT_TAKEN", "FIGURE_TAKEN"}),
    "RemovePlayer": Terms((TOKEN,), _LOBBYS | {"SEAT_FREE"}),
    "StartGame": Terms((TOKEN,), _LOBBYS | {"SEATS_FREE"}),
    "AddBot": Terms((TOKEN,), _LOBBYS | {"NO_SEAT_FREE", "SEAT_TAKEN", "FIGURE_TAKEN"}),
    "SetAutoPlay": Terms((TOKEN,), _SEATS | {"GAME_NOT_STARTED", "GAME_OVER"}),
    "SubmitAction": Terms(
        (TOKEN,),
        _SEATS | {*ILLEGAL, "UNKNOWN_OPTION", "DECISION_CLOSED", "GAME_NOT_STARTED", "GAME_OVER"},
    ),
    "WatchGame": Terms((NOBODY, TOKEN, WATCH_TOKEN), frozenset({"TOKEN_EXPIRED"})),
    "CreateWatchToken": Terms((NOBODY, TOKEN)),
    "ListEvents": Terms((NOBODY, TOKEN), frozenset({"WRONG_ROLE"})),
    "Rematch": Terms(
        (TOKEN,), _SEATS | {"GAME_NOT_OVER", "GAME_ALREADY_STARTED", "SEAT_TAKEN", "CONFLICT"}
    ),
    "GetReplay": Terms((NOBODY, TOKEN), frozenset({"GAME_NOT_OVER", "GAME_NOT_STARTED"})),
    "DeleteGame": Terms((TOKEN,), _HOSTS),
    "WatchSeats": Terms((API_KEY,), _STORE | {"API_KEY_MISSING"}),
    "SetWebhook": Terms((TOKEN,), _SEATS | {"WEBHOOKS_NOT_ALLOWED", "GAME_OVER"}),
    "GetWebhook": Terms((TOKEN,), _SEATS),
    "GetCatalog": Terms((NOBODY,)),
    "GetServerInfo": Terms((NOBODY,)),
}

_OF_ALL: Final = frozenset(
    {"INVALID_FIELD", "TOKEN_MISSING", "UNKNOWN_API_KEY", "REQUEST_TOO_LARGE", "TOO_MANY"}
    | {"INTERNAL", "DEADLINE_PASSED"}
)
_OF_BODIES: Final = frozenset({"MALFORMED_JSON", "CONTENT_TYPE_UNSUPPORTED"})
_OF_GAMES: Final = _STORE | {"PATH_UNKNOWN", "GAME_NOT_FOUND", "NEWER_RELEASE"}
_OF_CHANGES: Final = frozenset({"CONFLICT", "REQUEST_ID_REUSED"})


def reasons_of(binding: Binding) -> frozenset[str]:
    """All reasons for which a call may be refused."""
    found = _OF_ALL | TERMS[binding.method.name].reasons
    if binding.body:
        found |= _OF_BODIES
    if binding.template.fields:
        found |= _OF_GAMES
    if any(is_request_id(each) for each in binding.method.descriptor.input_type.fields):
        found |= _OF_CHANGES
    return found


def is_request_id(described: FieldDescriptor) -> bool:
    """Whether a field is a request's id."""
    extension: Any = field_info  # its annotation does not say of what it is an extension
    info: FieldInfo = described.GetOptions().Extensions[extension]
    return info.format == FieldInfo.UUID4
