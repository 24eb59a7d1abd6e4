"""JSON into messages, by the mapping of proto3; what does not fit is named by its field's path.

The library does the reading. Where it refuses, the field is looked for: what the library says of it
is meant for people, and repeats what was sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NoReturn

from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from coltexpress_server.api import fields
from coltexpress_server.service.refusals import Refused

_WELL_KNOWN: Final = "google.protobuf."
_LONGEST_NAME: Final = 100
_BASE64: Final = re.compile(r"[0-9A-Za-z+/_-]*={0,2}")
_UNKNOWN: Final = "there is no such field"
# All that the library and the numbers, texts and enums behind it raise for what is sent.
_UNFIT: Final = (json_format.ParseError, ValueError, TypeError, RecursionError)

_KINDS: Final = {
    FieldDescriptor.CPPTYPE_INT32: "an integer of 32 bits",
    FieldDescriptor.CPPTYPE_INT64: "an integer of 64 bits",
    FieldDescriptor.CPPTYPE_UINT32: "an integer of 32 bits that is not negative",
    FieldDescriptor.CPPTYPE_UINT64: "an integer of 64 bits that is not negative",
    FieldDescriptor.CPPTYPE_DOUBLE: "a number",
    FieldDescriptor.CPPTYPE_FLOAT: "a number",
    FieldDescriptor.CPPTYPE_BOOL: "true or false",
    FieldDescriptor.CPPTYPE_STRING: "a text",
}


def loaded(body: bytes) -> Any:
    """What a JSON text says. Raises Refused MALFORMED_JSON."""
    try:
        return json.loads(body.decode(), object_pairs_hook=_object, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refused("MALFORMED_JSON", "the body is no JSON text in UTF-8") from None


def merge(value: Any, message: Message, *, ignore_unknown: bool = False) -> None:
    """Set in a message what a JSON value says.

    ignore_unknown: whether fields that there are not are left out.
    Raises Refused INVALID_FIELD.
    """
    try:
        # The library takes an empty array for an object.
        if not isinstance(value, dict) or _would_be_misread(value, message.DESCRIPTOR):
            raise TypeError
        _check_bytes(value, message.DESCRIPTOR)
        json_format.ParseDict(value, message, ignore_unknown_fields=ignore_unknown)
    except _UNFIT:
        for field, why in _unfit(value, message.DESCRIPTOR, ""):
            if not (ignore_unknown and why is _UNKNOWN):
                raise fields.invalid(field, why) from None
        # What fits alone and not together: two fields of one oneof.
        raise fields.invalid("body", "these fields do not go together") from None


def _check_bytes(value: Mapping[str, Any], descriptor: Any) -> None:
    """Raises Refused for what is no base64: the library leaves out what does not belong to it."""
    for field in descriptor.fields:
        if field.type == FieldDescriptor.TYPE_BYTES:
            for name in (field.name, field.camelcase_name):
                text = value.get(name, "")
                if isinstance(text, str) and not _BASE64.fullmatch(text):
                    raise fields.invalid(field.name, f"this is {kind_of(field)}")


def field_of(descriptor: Any, name: str) -> FieldDescriptor | None:
    """The field of a name, in either form: as in the protos, or in camel case."""
    found: FieldDescriptor | None = descriptor.fields_by_name.get(name)
    return found or descriptor.fields_by_camelcase_name.get(name)


def is_plain(field: FieldDescriptor) -> bool:
    """Whether the value of a field is no JSON object with fields of its own."""
    message = field.message_type
    return message is None or message.full_name.startswith(_WELL_KNOWN)


def kind_of(field: FieldDescriptor) -> str:
    """What a value of a field is, in words."""
    if field.enum_type is not None:
        return f"a value of {field.enum_type.name}"
    if field.message_type is not None:
        name = field.message_type.name
        return 'a duration such as "1.5s"' if name == "Duration" else f"a {name} in JSON"
    if field.type == FieldDescriptor.TYPE_BYTES:
        return "bytes in base64"
    return _KINDS[field.cpp_type]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _no_constant(name: str) -> NoReturn:
    """Refuses NaN and Infinity, which Python reads and JSON does not have."""
    raise ValueError(name)


def _unfit(value: object, descriptor: Any, path: str) -> Iterator[tuple[str, str]]:
    """The fields that cannot be read, each with what is wrong; there may be none."""
    if not isinstance(value, Mapping):
        yield path or "body", "this is a JSON object"
        return
    for name, inner in value.items():
        field = field_of(descriptor, name)
        if field is None:
            yield _join(path, name[:_LONGEST_NAME]), _UNKNOWN
            continue
        place = _join(path, field.name)
        if inner is None:
            continue
        if not field.is_repeated:
            yield from _unfit_value(inner, field, place)
        elif not isinstance(inner, list):
            yield place, "this is a JSON array"
        else:
            for number, each in enumerate(inner):
                yield from _unfit_value(each, field, f"{place}[{number}]")


def _unfit_value(value: object, field: FieldDescriptor, path: str) -> Iterator[tuple[str, str]]:
    if field.message_type is not None and not is_plain(field):
        yield from _unfit(value, field.message_type, path)
        return
    whole: Any = field.containing_type
    trial = GetMessageClass(whole)()
    if field.enum_type is not None and _is_no_enum(value):
        yield path, f"this is {kind_of(field)}"
        return
    try:
        json_format.ParseDict({field.name: [value] if field.is_repeated else value}, trial)
    except _UNFIT:
        yield path, f"this is {kind_of(field)}"


def _would_be_misread(value: object, descriptor: Any) -> bool:
    """Whether an enum is given as what the library takes for a number: false, true, a fraction."""
    if not isinstance(value, Mapping):
        return False
    for name, inner in value.items():
        field = field_of(descriptor, name)
        for each in inner if isinstance(inner, list) else [inner]:
            if field is None:
                continue
            if field.enum_type is not None:
                if _is_no_enum(each):
                    return True
            elif not is_plain(field) and _would_be_misread(each, field.message_type):
                return True
    return False


def _is_no_enum(value: object) -> bool:
    return isinstance(value, bool | float)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
