"""A request over HTTP as the message that it means: from the path, the query, and the body."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from coltexpress_server.api import fields
from coltexpress_server.api.http import json_reading
from coltexpress_server.api.http.bindings import Binding
from coltexpress_server.service.refusals import Refused

_MOST_PARAMETERS: Final = 100
_INTEGER: Final = re.compile(r"-?[0-9]{1,20}")
_BOOLEANS: Final = {"true": True, "false": False}


def request(binding: Binding, bound: Mapping[str, str], query: bytes, body: bytes) -> Message:
    """The message of a request.

    bound: what the path binds. query: as in the URL. body: empty where there is none.

    Raises Refused: MALFORMED_JSON, INVALID_FIELD.
    """
    message = binding.method.request_class()
    if binding.body == "*":
        if query:
            raise fields.invalid("query", "everything but the path goes into the body here")
        if body:
            json_reading.merge(json_reading.loaded(body), message)
    else:
        if binding.body and body:
            json_reading.merge({binding.body: json_reading.loaded(body)}, message)
        for name, values in _parameters(query).items():
            _set(message, name, values, binding)
    for path, value in bound.items():
        _bind(message, path, value)
    return message


def _parameters(query: bytes) -> dict[str, list[str]]:
    try:
        pairs = parse_qsl(
            query.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_PARAMETERS,
        )
    except ValueError:
        raise fields.invalid(
            "query", f"a query has at most {_MOST_PARAMETERS} parameters, percent-encoded in UTF-8"
        ) from None
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found


def _set(message: Message, name: str, values: list[str], binding: Binding) -> None:
    """Set the field that a parameter names; a repeated field takes it several times."""
    *outer, last = _fields(message, name)
    path = ".".join(field.name for field in (*outer, last))
    if path in binding.template.fields or path == binding.body:
        raise fields.invalid(path, "this is not for the query to say")
    if not json_reading.is_plain(last):
        raise fields.invalid(path, "a query names the fields of a message, not the message")
    if last.is_repeated:
        found: Any = [_value(last, value, f"{path}[{i}]") for i, value in enumerate(values)]
    elif len(values) > 1:
        raise fields.invalid(path, "this is said once")
    else:
        found = _value(last, values[0], path)
    for field in (last, *reversed(outer)):
        found = {field.name: found}
    json_reading.merge(found, message)


def _fields(message: Message, name: str) -> list[FieldDescriptor]:
    """The fields that lead to the one a parameter names, and that one."""
    found: list[FieldDescriptor] = []
    descriptor: Any = message.DESCRIPTOR
    for part in name.split("."):
        field = json_reading.field_of(descriptor, part) if descriptor else None
        if field is None or (found and found[-1].is_repeated):
            raise fields.invalid(name[:100], "there is no such parameter")
        found.append(field)
        descriptor = None if json_reading.is_plain(field) else field.message_type
    return found


def _value(field: FieldDescriptor, text: str, path: str) -> Any:
    """A parameter's value in the form that it has in JSON."""
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        if text not in _BOOLEANS:
            raise fields.invalid(path, "this is true or false")
        return _BOOLEANS[text]
    if field.enum_type is not None and _INTEGER.fullmatch(text):
        return int(text)
    if field.cpp_type in {
        FieldDescriptor.CPPTYPE_INT32,
        FieldDescriptor.CPPTYPE_INT64,
        FieldDescriptor.CPPTYPE_UINT32,
        FieldDescriptor.CPPTYPE_UINT64,
    } and not _INTEGER.fullmatch(text):
        raise fields.invalid(path, f"this is {json_reading.kind_of(field)}")
    return text


def _bind(message: Message, path: str, value: str) -> None:
    """Set what the path binds; a body may say the same, and nothing else."""
    *outer, last = path.split(".")
    target: Any = message
    for name in outer:
        target = getattr(target, name)
    if getattr(target, last) not in {"", value}:
        raise Refused("INVALID_FIELD", "the path says something else", field=path)
    setattr(target, last, value)
