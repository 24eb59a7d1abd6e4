"""Messages in JSON: the compiled writers against the library."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from coltexpress_server.api.http.json_writing import json_of
from tests.api.http.rest import DESCRIPTORS
from tests.promises.bad_requests import METHODS

MESSAGES = {
    **{f"{name}.request": kind for name, kind in METHODS.items()},
    **{
        f"{name}.response": GetMessageClass(method.output_type)
        for name, method in DESCRIPTORS.items()
    },
}


def fill(message: Any, chance: Random, depth: int = 0) -> None:
    """Sets fields at random, some to their default, some not at all."""
    for field in message.DESCRIPTOR.fields:
        if chance.random() < 0.3 or depth > 6:
            continue
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            entries = getattr(message, field.name)
            key, value = (field.message_type.fields_by_name[each] for each in ("key", "value"))
            for _ in range(2):
                if value.message_type is None:
                    entries[scalar(key, chance)] = scalar(value, chance)
                else:
                    fill(entries[scalar(key, chance)], chance, depth + 1)
        elif field.is_repeated:
            values = getattr(message, field.name)
            for _ in range(chance.randrange(3)):
                if field.message_type is not None:
                    fill(values.add(), chance, depth + 1)
                else:
                    values.append(scalar(field, chance))
        elif field.message_type is None:
            setattr(message, field.name, scalar(field, chance))
        elif field.message_type.name in {"Timestamp", "Duration"}:
            inner = getattr(message, field.name)
            inner.seconds = chance.choice([0, 1, 1_800_000_000])
            inner.nanos = chance.choice([0, 1, 500_000_000, 120_000])
        elif field.message_type.name == "FieldMask":
            getattr(message, field.name).paths.append("options.variant_of_it")
        else:
            getattr(message, field.name).SetInParent()
            fill(getattr(message, field.name), chance, depth + 1)


def scalar(field: Any, chance: Random) -> Any:
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING:
            if field.type == FieldDescriptor.TYPE_BYTES:
                return chance.choice([b"", b"\0\xff?>", chance.randbytes(7)])
            return chance.choice(["", "x", 'a"\\\n\u2028\u00e9\U0001f920'])
        case FieldDescriptor.CPPTYPE_BOOL:
            return chance.random() < 0.5
        case FieldDescriptor.CPPTYPE_ENUM:
            return chance.choice([*field.enum_type.values_by_number, 9999])
        case FieldDescriptor.CPPTYPE_DOUBLE:
            return chance.choice([0.0, -1.5, 1e300, float("inf"), float("-inf")])
        case FieldDescriptor.CPPTYPE_INT64:
            return chance.choice([0, -1, 2**63 - 1])
    return chance.choice([0, 1, 2**31 - 1])


@pytest.mark.parametrize("name", MESSAGES)
def test_json_is_what_the_library_writes(name: str) -> None:
    chance = Random(name)
    for _ in range(10):
        message: Message = MESSAGES[name]()
        fill(message, chance)
        written = json_of(message)
        assert b"\n" not in written
        assert json.loads(written) == json_format.MessageToDict(
            message, always_print_fields_with_no_presence=True
        )
        assert json_format.Parse(written, type(message)()) == message
