"""Requests in which something is wrong: written down field by field, or made at random."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from google.api.field_behavior_pb2 import IDENTIFIER, OUTPUT_ONLY, field_behavior
from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from coltexpress.v1 import (
    action_pb2,
    catalog_service_pb2,
    game_service_pb2,
    horses_and_stagecoach_pb2,
    marshal_and_prisoners_pb2,
    seat_service_pb2,
    server_service_pb2,
    vocabulary_pb2,
)

_SERVICES: Final = (
    game_service_pb2.DESCRIPTOR.services_by_name["GameService"],
    seat_service_pb2.DESCRIPTOR.services_by_name["SeatService"],
    server_service_pb2.DESCRIPTOR.services_by_name["ServerService"],
    catalog_service_pb2.DESCRIPTOR.services_by_name["CatalogService"],
)

METHODS: Final[Mapping[str, Any]] = {
    method.name: message_factory.GetMessageClass(method.input_type)
    for service in _SERVICES
    for method in service.methods
}
"""Every method of the API and the class of its requests."""

PATHS: Final = {
    method.name: f"/{service.full_name}/{method.name}"
    for service in _SERVICES
    for method in service.methods
}

LARGEST_REQUEST: Final = 64 * 1024

MISSING: Final = object()
"""In the place of a value: the field is not set."""


@dataclass(frozen=True)
class Illegal:
    """A value that is well-formed and against the rules of the game."""

    value: object


_BAD_NAMES: Final = ["", " ", "\0", "a b", "\u00e9", "x" * 33, "x" * 5_000, "3/roof", "\u202eFOO"]
_BAD_TEXTS: Final = ["\0", "\u00e9", "a\nb", "x" * 201, "x" * 5_000]
_BAD_ENUMS: Final = [99, -1, 2**31 - 1, -(2**31)]
_BAD_EXPANSIONS: Final = [[0], [99], [1, -1], [1, 1], [1] * 1_000]
_BAD_TOKENS: Final = [*_BAD_TEXTS, "x", "-1", "0x1", "1.0", "\u0663"]
_MARK: Final = "0123456789abcdef"
_UUID: Final = str(uuid.UUID(int=0x0123456789AB4DEF8123456789ABCDEF))
_BAD_UUIDS: Final = [
    "",
    "x",
    _UUID.upper(),
    f"{{{_UUID}}}",
    f"urn:uuid:{_UUID}",
    _UUID.replace("-", ""),
    _UUID[:-1],
    _UUID + "0",
    f" {_UUID}",
    _UUID.replace("4def", "1def"),
    _UUID.replace("8123", "0123"),
    "\u0660" * 36,
    "x" * 5_000,
]
_GAME: Final = "00" + "a" * 24
_BAD_GAMES: Final = [
    "",
    "games",
    "games/",
    _GAME,
    f"Games/{_GAME}",
    f"games/{_GAME}/",
    f"games/{_GAME}/events",
    f"/games/{_GAME}",
    f"games/{_GAME.upper()}",
    f"games/40{_GAME[2:]}",
    f"games/{_GAME}a",
    f"games/{_GAME[:-1]}",
    f"games/{_GAME[:-1]}}}",
    "games/*",
    "games/../../etc/passwd",
    f"games/{_GAME[:-1]}\0",
    "\u202egames",
    "games/" + "a" * 5_000,
]

_NAMED: Final = {"name": _BAD_GAMES}
_CHANGE: Final = _NAMED | {"request_id": _BAD_UUIDS}

WRONG: Final[Mapping[str, Mapping[str, list[Any]]]] = {
    "CreateGame": {
        "game": [MISSING],
        "game.visibility": _BAD_ENUMS,
        "game.options": [],  # may be missing
        "game.options.variant": _BAD_ENUMS,
        "game.options.expansions": _BAD_EXPANSIONS,
        "game.options.edition": _BAD_ENUMS,
        "game.options.cars": [
            *([name] for name in _BAD_NAMES),
            ["A"],
            ["A", "B", "C", "G"],
            ["A", "B", "C", "A"],
            ["A"] * 1_000,
        ],
        "game.seats": [MISSING, [{}], [{}] * 2, [{}] * 7, [{}] * 1_000],
        "game.seats[1].figures": [
            *([name] for name in _BAD_NAMES),
            ["NOBODY"],
            ["doc"],
            ["MARSHAL"],
            ["DOC", "GHOST"],
            ["DOC"] * 1_000,
        ],
        "game.clock": [],  # may be missing
        "game.clock.turn_seconds": [0, -1, 604_801, 2**31 - 1, -(2**31)],
        "game.clock.reserve_seconds": [-1, 604_801, 2**31 - 1, -(2**31)],
        "game.clock.auto_play_after": [-1, 101, 2**31 - 1, -(2**31)],
        "game.stand_in": [*_BAD_NAMES[1:], "NOBODY", "random"],
        "seed": [b"x", bytes(31), bytes(33), bytes(5_000)],
        "request_id": _BAD_UUIDS,
    },
    "GetGame": {
        "name": _BAD_GAMES,
        "wait_for_version": [-1, -(2**63)],
        "wait": [
            {"seconds": -1},
            {"nanos": -1},
            {"seconds": 1, "nanos": -1},
            {"nanos": 1_000_000_000},
            {"seconds": -(2**63)},
        ],
        "at_version": [0, -1, 10**6, 2**63 - 1, -(2**63)],
        "as_seat": [-1, 4, 2**31 - 1, -(2**31)],
    },
    "ListGames": {
        "page_size": [-1, -(2**31)],
        "page_token": _BAD_TOKENS,
        "states": [[0], [99], [1, 0], [-1], [2**31 - 1], [99] * 1_000],
        "variants": [[0], [99], [1, 0], [-1]],
        "seat_counts": [[-1], [4, -(2**31)]],
        "free_seats": [-1, -(2**31)],
        "expansions": [[0], [99], [1, 0], [-1]],
    },
    "FindGame": {
        "join_code": [
            "",
            "ABCDE",
            "ABCDEFG",
            "ABCDE0",
            "ABCDEI",
            "\u00e9" * 6,
            "x" * 5_000,
            "AB_CDE",
        ],
    },
    "JoinGame": {
        **_CHANGE,
        "seat": [-1, 4, 2**31 - 1, -(2**31)],
        "figures": [
            *([name] for name in _BAD_NAMES),
            ["NOBODY"],
            ["doc"],
            ["MARSHAL"],
            ["DOC", "GHOST"],
        ],
        "display_name": ["\0", "a\nb", "x" * 41, "\u202eAnn", "x" * 5_000],
        "entropy": [bytes(65), bytes(5_000)],
        "join_code": _BAD_TEXTS,
    },
    "LeaveGame": _CHANGE,
    "StartGame": _CHANGE,
    "AddBot": {
        **_CHANGE,
        "seat": [-1, 4, 2**31 - 1, -(2**31)],
        "level": [*_BAD_NAMES, "NOBODY", "random"],
        "figures": [*([name] for name in _BAD_NAMES), ["NOBODY"], ["MARSHAL"], ["DOC", "GHOST"]],
        "display_name": ["\0", "a\nb", "x" * 41, "\u202eAnn", "x" * 5_000],
    },
    "SetAutoPlay": {**_CHANGE, "level": [*_BAD_NAMES[1:], "NOBODY", "random"]},
    "UpdateGame": {
        "game": [MISSING],
        "game.visibility": _BAD_ENUMS,
        "game.options": [],  # may be missing
        "game.options.variant": _BAD_ENUMS,
        "game.options.expansions": _BAD_EXPANSIONS,
        "game.options.edition": _BAD_ENUMS,
        "game.options.cars": [*([name] for name in _BAD_NAMES), ["A"], ["A", "B", "C", "A"]],
        "game.seats": [MISSING, [{}] * 2, [{}] * 7, [{}] * 1_000],
        "game.seats[1].figures": [*([name] for name in _BAD_NAMES), ["NOBODY"], ["DOC", "GHOST"]],
        "game.clock": [],  # may be missing
        "game.clock.turn_seconds": [0, -1, 604_801],
        "game.clock.reserve_seconds": [-1, 604_801],
        "game.clock.auto_play_after": [-1, 101],
        "game.stand_in": [*_BAD_NAMES[1:], "NOBODY"],
        "update_mask": [
            {"paths": paths}
            for paths in (["nothing"], ["seats", "name"], ["options.x"], ["seats.figures"])
        ],
        "request_id": _BAD_UUIDS,
    },
    "RemovePlayer": {**_CHANGE, "seat": [MISSING, -1, 4, 2**31 - 1, -(2**31)]},
    "SubmitAction": {
        **_CHANGE,
        "decision_id": [
            *["", "x", "0", "0.", ".0", "0.0", "0.0.", "0.0.0", "0.0.g" + _MARK[1:], "x" * 5_000],
            *(f"{name}.{_MARK}" for name in ("", "0", "-1.0", "0.-1", "00.0", " 0.0", "0.100")),
            *(f"{name}.{_MARK}" for name in ("1234567890.0", "\u0660.0")),
            *(f"0.0.{mark}" for mark in (_MARK + "0", _MARK[1:], "A" + _MARK[1:], _MARK + "\n")),
        ],
        "option_id": [
            *["", "x", "DRAW", "draw:", "play", "play:FIRE:", "move", "rob:PURSE:x"],
            *["rob:PURSE:-1", "marshal:", "marshal:x", "marshal:01", *_BAD_TEXTS],
        ],
        "action": [{}],
        "action.play_card.card": [0, *_BAD_ENUMS],
        "action.play_card.figure": _BAD_NAMES[1:],
        "action.move.space": [*_BAD_NAMES, Illegal("99.roof"), Illegal("roof")],
        "action.change_floor.space": [*_BAD_NAMES, Illegal("99.roof"), Illegal("roof")],
        "action.move_marshal.car": [Illegal(car) for car in (-1, 99, 2**31 - 1, -(2**31))],
        "action.fire.figure": [*_BAD_NAMES, Illegal("NOBODY")],
        "action.rob.loot": [0, *_BAD_ENUMS],
        "action.rob.value": [-1, -(2**31), Illegal(0), Illegal(2**31 - 1)],
        "action.punch.figure": [*_BAD_NAMES, Illegal("NOBODY")],
        "action.punch.drop": _BAD_ENUMS,
        "action.punch.space": [*_BAD_NAMES, Illegal("99.roof")],
        "action.take_purse.value": [-1, -(2**31), Illegal(0), Illegal(2**31 - 1)],
        "action.keep_cards.cards": [Illegal([])],
        "action.keep_cards.cards[0].card": [0, *_BAD_ENUMS],
        "action.keep_cards.cards[0].figure": _BAD_NAMES[1:],
        "action.board_car.car": [Illegal(car) for car in (1, -1, 2**31 - 1, -(2**31))],
        "action.board_bandits.figures": [*([name] for name in _BAD_NAMES), Illegal(["DOC"])],
        "action.board_cars.boardings": [Illegal([])],
        "action.board_cars.boardings[0].figure": [*_BAD_NAMES, Illegal("NOBODY")],
        "action.board_cars.boardings[0].car": [Illegal(1), Illegal(-(2**31))],
        "action.ride.space": [*_BAD_NAMES, Illegal("99.inside"), Illegal("gone")],
        "action.take_hostage.hostage": [*_BAD_NAMES, Illegal("POODLE"), Illegal("NOBODY")],
        "action.drink_whiskey.flask": [0, *_BAD_ENUMS],
        "action.drink_whiskey.figure": _BAD_NAMES[1:],
        "action.flee.space": [*_BAD_NAMES, Illegal("1.roof")],
        "action.capture.figure": [*_BAD_NAMES, Illegal("NOBODY")],
        "action.shoot_one.figure": [*_BAD_NAMES, Illegal("NOBODY")],
        "action.shoot_one.cylinder": [0, -1, 3, 2**31 - 1, -(2**31)],
        "action.shoot_two.first": [*_BAD_NAMES, Illegal("NOBODY")],
        "action.shoot_two.second": [*_BAD_NAMES, Illegal("NOBODY")],
        "action.rob_two.first": [MISSING],
        "action.rob_two.first.loot": [0, *_BAD_ENUMS],
        "action.rob_two.first.value": [-1, -(2**31), Illegal(0)],
        "action.rob_two.second": [MISSING],
        "action.rob_two.second.loot": [0, *_BAD_ENUMS],
        "action.rob_two.second.value": [-1, -(2**31), Illegal(0)],
        "action.free_prisoner.prisoner": [*_BAD_NAMES, Illegal("NOBODY")],
        "action.free_bandit.figure": [*_BAD_NAMES, Illegal("NOBODY")],
        "action.give.loot": [0, *_BAD_ENUMS],
        "action.give.value": [-1, -(2**31), Illegal(0)],
        "action.leave_cell.space": [*_BAD_NAMES, Illegal("1.roof")],
    },
    "WatchGame": {
        "name": _BAD_GAMES,
        "cursor": [
            *_BAD_TOKENS,
            "1-",
            "-",
            "-" + "0" * 16,
            "1-" + "0" * 15,
            "9" * 20 + "-" + "0" * 16,
        ],
    },
    "ListEvents": {
        "parent": _BAD_GAMES,
        "page_size": [-1, -(2**31)],
        "page_token": _BAD_TOKENS,
        "as_seat": [-1, 4, 2**31 - 1, -(2**31)],
    },
    "Rematch": {**_NAMED, "entropy": [bytes(65), bytes(5_000)]},
    "CreateWatchToken": _NAMED,
    "GetReplay": _NAMED,
    "DeleteGame": _CHANGE,
    "WatchSeats": {},
    "SetWebhook": _CHANGE
    | {
        "url": [
            *("x", "https://", "http://203.0.114.1/", "https://user@203.0.114.1/", "https://x/#f"),
            *(
                "https://203.0.114.1:x/",
                "https://203.0.114.1:99999/",
                "https://[::1/",
                "https://a b",
            ),
            *("https://203.0.114.1/\n", "https://203.0.114.1/\u00e9", f"https://x/{'x' * 2_048}"),
            *(
                "https://127.0.0.1/",
                "https://[::1]/",
                "https://169.254.169.254/",
                "https://10.0.0.1/",
            ),
        ]
    },
    "GetWebhook": _NAMED,
    "GetServerInfo": {},
    "GetCatalog": {},
}
"""For each method what is wrong in each field, by its path; a repeated field's values are lists."""

ACTIONS: Final[Mapping[str, Message]] = {
    "play_card": action_pb2.PlayCard(card=vocabulary_pb2.CARD_KIND_FIRE),
    "move": action_pb2.Move(space="1.roof"),
    "change_floor": action_pb2.ChangeFloor(space="1.roof"),
    "move_marshal": action_pb2.MoveMarshal(car=1),
    "fire": action_pb2.Fire(figure="DOC"),
    "rob": action_pb2.Rob(loot=vocabulary_pb2.LOOT_KIND_PURSE),
    "punch": action_pb2.Punch(figure="DOC", drop=vocabulary_pb2.LOOT_KIND_PURSE, space="1.inside"),
    "take_purse": action_pb2.TakePurse(),
    "keep_cards": action_pb2.KeepCards(
        cards=[action_pb2.HandCard(card=vocabulary_pb2.CARD_KIND_FIRE)]
    ),
    "board": horses_and_stagecoach_pb2.Board(),
    "board_car": horses_and_stagecoach_pb2.BoardCar(car=1),
    "board_bandits": horses_and_stagecoach_pb2.BoardBandits(),
    "board_cars": horses_and_stagecoach_pb2.BoardCars(
        boardings=[horses_and_stagecoach_pb2.BoardCars.Boarding(figure="DOC", car=1)]
    ),
    "ride": horses_and_stagecoach_pb2.Ride(space="1.inside"),
    "take_hostage": horses_and_stagecoach_pb2.TakeHostage(hostage="POODLE"),
    "drink_whiskey": horses_and_stagecoach_pb2.DrinkWhiskey(flask=vocabulary_pb2.LOOT_KIND_FLASK),
    "flee": horses_and_stagecoach_pb2.Flee(space="1.roof"),
    "capture": marshal_and_prisoners_pb2.Capture(figure="DOC"),
    "shoot_one": marshal_and_prisoners_pb2.ShootOne(figure="DOC", cylinder=1),
    "shoot_two": marshal_and_prisoners_pb2.ShootTwo(first="DOC", second="TUCO"),
    "rob_two": marshal_and_prisoners_pb2.RobTwo(
        first=marshal_and_prisoners_pb2.LootName(loot=vocabulary_pb2.LOOT_KIND_JEWEL),
        second=marshal_and_prisoners_pb2.LootName(loot=vocabulary_pb2.LOOT_KIND_PURSE),
    ),
    "free_prisoner": marshal_and_prisoners_pb2.FreePrisoner(prisoner="DOC"),
    "free_bandit": marshal_and_prisoners_pb2.FreeBandit(figure="DOC"),
    "give": marshal_and_prisoners_pb2.Give(loot=vocabulary_pb2.LOOT_KIND_PURSE),
    "leave_cell": marshal_and_prisoners_pb2.LeaveCell(space="4.roof"),
}
"""Actions in which a single field is then made wrong."""


def paths_that_can_be_wrong(descriptor: Descriptor, before: str = "") -> Iterator[str]:
    """The paths of all fields that the service reads, but for those any value of which is right."""
    for field in descriptor.fields:
        path = before + field.name
        # The annotations of google.api's extensions do not say of what they are extensions.
        behaviour: Any = field.GetOptions().Extensions[field_behavior]  # type: ignore[index]
        if OUTPUT_ONLY in behaviour or IDENTIFIER in behaviour:
            continue  # "All else in it is ignored"
        if field.message_type is None or field.message_type.file.package == "google.protobuf":
            if field.type != FieldDescriptor.TYPE_BOOL:
                yield path
        elif field.containing_oneof is not None and field.containing_oneof.name == "action":
            yield from paths_that_can_be_wrong(field.message_type, f"{path}.")
        else:
            yield path
            yield from paths_that_can_be_wrong(field.message_type, f"{path}.")


def put(request: Message, path: str, value: object) -> None:
    """Sets the field at a path, such as `game.seats[1].figures`; MISSING clears it.

    An action gets right values in its other fields.
    """
    *way, last = path.split(".")
    at: Any = request
    if way[:1] == ["action"]:
        getattr(at.action, way[1]).CopyFrom(ACTIONS[way[1]])
    for step in way:
        name, _, place = step.partition("[")
        at = getattr(at, name)
        if place:
            at = at[int(place.rstrip("]"))]
    at.ClearField(last)
    if value is MISSING:
        return
    field = at.DESCRIPTOR.fields_by_name[last]
    if field.is_repeated:
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                getattr(at, last).add(**each)
            else:
                getattr(at, last).append(each)
    elif isinstance(value, dict):
        getattr(at, last).SetInParent()
        for name, part in value.items():
            if isinstance(part, list):
                getattr(getattr(at, last), name)[:] = part
            else:
                setattr(getattr(at, last), name, part)
    else:
        setattr(at, last, value)


_TEXTS: Final = [
    *(
        "",
        "x",
        "\0",
        "\u00e9",
        "\U0001f920" * 41,
        "x" * 41,
        "x" * 201,
        "x" * 5_000,
    ),
    *("games/", f"games/{_GAME}", "../..", "%s%n", "' OR 1=1 --", "\u202e", "0.0", "1-" + "0" * 16),
    *("draw", "pass", "play:FIRE", "rob:PURSE:250", "marshal:3", "DOC", "3.roof", _UUID),
]
_BYTES: Final = [b"", b"x", bytes(31), bytes(32), bytes(33), bytes(64), bytes(65)]
_INTEGERS: Final = [0, 1, 2, -1, 7, 99, 2**31 - 1, -(2**31)]
_LONG_INTEGERS: Final = [*_INTEGERS, 2**63 - 1, -(2**63)]


class Mutations:
    """Makes requests wrong at random, the same way for the same chance."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def request(self, right: Message) -> bytes:
        """A request made of a right one; some turn out to be right too."""
        chance = self._chance
        if chance.random() < 0.6:
            wrong = type(right)()
            wrong.CopyFrom(right)
            for _ in range(chance.randint(1, 3)):
                self._change(wrong)
            data = wrong.SerializeToString()
        else:
            data = self._garble(right.SerializeToString())
        return data + self._unknown_field() if chance.random() < 0.2 else data

    def metadata(self, right: tuple[tuple[str, str | bytes], ...]) -> Any:
        """Metadata, mostly right."""
        chance = self._chance
        if chance.random() < 0.8:
            return right
        length = chance.choice([0, 1, 10, 200, 201, 3_000])
        text = "".join(chr(chance.randint(32, 126)) for _ in range(length))
        name = chance.choice(["authorization", "x-api-key", "x-unknown", "x-unknown-bin"])
        if name.endswith("-bin"):
            return (*right, (name, chance.randbytes(length)))
        scheme = chance.choice(["", "Bearer ", "bearer ", "Basic ", "Bearer  "])
        return (
            (*right, (name, scheme + text)) if chance.random() < 0.5 else ((name, scheme + text),)
        )

    def _change(self, message: Message) -> None:
        """Changes one field, somewhere inside."""
        chance = self._chance
        fields: Any = message.DESCRIPTOR.fields
        if not fields:
            return
        field: FieldDescriptor = chance.choice(fields)
        if chance.random() < 0.1:
            message.ClearField(field.name)
            return
        at: Any = getattr(message, field.name)
        if field.is_repeated:
            for _ in range(chance.choice([1, 1, 1, 2, 100])):
                if field.message_type is not None:
                    self._change(at.add())
                else:
                    at.append(self._value(field))
        elif field.message_type is not None:
            at.SetInParent()
            self._change(at)
        elif isinstance(at, str | bytes) and chance.random() < 0.05:
            setattr(message, field.name, b"x" * 1_000_000)
        else:
            setattr(message, field.name, self._value(field))

    def _value(self, field: FieldDescriptor) -> object:
        match field.type:
            case FieldDescriptor.TYPE_STRING:
                return self._chance.choice(_TEXTS)
            case FieldDescriptor.TYPE_BYTES:
                return self._chance.choice(_BYTES)
            case FieldDescriptor.TYPE_BOOL:
                return self._chance.random() < 0.5
            case FieldDescriptor.TYPE_INT64:
                return self._chance.choice(_LONG_INTEGERS)
        return self._chance.choice(_INTEGERS)

    def _garble(self, data: bytes) -> bytes:
        chance = self._chance
        match chance.randrange(5):
            case 0:
                return chance.randbytes(chance.choice([1, 2, 10, 100, 1_000, 70_000]))
            case 1:
                return data[: chance.randint(0, len(data))]
            case 2:
                at = chance.randint(0, len(data))
                return data[:at] + chance.randbytes(chance.randint(1, 8)) + data[at:]
            case 3:
                return data + data
        garbled = bytearray(data)
        for _ in range(chance.randint(1, 4)):
            if garbled:
                garbled[chance.randrange(len(garbled))] ^= 1 << chance.randrange(8)
        return bytes(garbled)

    def _unknown_field(self) -> bytes:
        """A field of a number that no message has, of each wire type."""
        chance = self._chance
        kind, content = chance.choice(
            [(0, b"\x01"), (1, bytes(8)), (2, b"\x03abc"), (5, bytes(4)), (3, b"\xc4\x3e")]
        )
        tag = 1000 << 3 | kind
        return bytes([tag & 0x7F | 0x80, tag >> 7]) + content
