"""Messages as JSON Schemas, by the JSON mapping of proto3.

Of a message there are two. What is answered has all fields but those that can be absent (see
json_writing). What is asked has what is required, may have null in the place of all else, has no
fields that only the service sets, and takes no others: it is called `...Input`, unless it is the
request.
Of a oneof exactly one field is set, but for those that `bounds` names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from google.api.field_behavior_pb2 import IDENTIFIER, OUTPUT_ONLY, REQUIRED, field_behavior
from google.protobuf.descriptor import (
    Descriptor,
    EnumDescriptor,
    FieldDescriptor,
    OneofDescriptor,
)

from coltexpress_server.api.http.openapi.bounds import bounds_of, may_be_unset
from coltexpress_server.api.http.openapi.comments import comment_on, comment_on_value

Schema = dict[str, Any]

_INTEGER: Final = {"type": "integer", "format": "int32"}
_LONG: Final = {"type": "string", "format": "int64", "pattern": "^-?[0-9]{1,20}$"}
_NUMBER: Final = {"type": "number"}
_PLAIN: Final[Mapping[int, Schema]] = {
    FieldDescriptor.CPPTYPE_INT32: _INTEGER,
    FieldDescriptor.CPPTYPE_UINT32: _INTEGER,
    FieldDescriptor.CPPTYPE_INT64: _LONG,
    FieldDescriptor.CPPTYPE_UINT64: _LONG,
    FieldDescriptor.CPPTYPE_DOUBLE: _NUMBER,
    FieldDescriptor.CPPTYPE_FLOAT: _NUMBER,
    FieldDescriptor.CPPTYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.CPPTYPE_STRING: {"type": "string"},
}
_BYTES: Final = {
    "type": "string",
    "contentEncoding": "base64",
    "pattern": "^([0-9A-Za-z+/_-]{4})*([0-9A-Za-z+/_-]{2}==|[0-9A-Za-z+/_-]{3}=)?$",
}
_WELL_KNOWN: Final[Mapping[str, Schema]] = {
    "google.protobuf.Duration": {
        "type": "string",
        "pattern": r"^-?[0-9]{1,12}(\.[0-9]{1,9})?s$",
        "examples": ["1.5s"],
    },
    "google.protobuf.Empty": {"type": "object"},
    "google.protobuf.FieldMask": {
        "type": "string",
        "description": "Paths of fields, with commas between them.",
    },
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
}


class Schemas:
    """The schemas that a document refers to.

    components: name to schema, of all messages and enums that were asked for, and those in them.
    """

    def __init__(self) -> None:
        self.components: Final[dict[str, Schema]] = {}

    def answered(self, message: Descriptor) -> Schema:
        """The schema of a message that is answered."""
        return self._message(message, asked=False)

    def asked(self, message: Descriptor, without: Collection[str] = ()) -> Schema:
        """The schema of a request, as far as it is a body; without: the fields that are not."""
        name = _name(message)
        self.components[name] = self._object(message, asked=True, without=without)
        return reference(name)

    def field(self, field: FieldDescriptor, *, asked: bool) -> Schema:
        """The schema of a field's value, without its description."""
        found = {**self._value(field, asked=asked), **bounds_of(field)}
        if asked and field.enum_type is not None and (field.is_repeated or is_required(field)):
            found["not"] = {"const": field.enum_type.values_by_number[0].name}
        return {"type": "array", "items": found} if field.is_repeated else found

    def enum(self, enum: EnumDescriptor) -> Schema:
        """The schema of an enum."""
        name = _name(enum)
        if name not in self.components:
            values = [value.name for value in enum.values]
            said = [f"- `{value}`: {comment_on_value(enum, value)}" for value in values]
            self.components[name] = {
                "type": "string",
                "enum": values,
                "description": "\n".join([comment_on(enum), "", *said]),
            }
        return reference(name)

    def _value(self, field: FieldDescriptor, *, asked: bool) -> Schema:
        if field.message_type is not None:
            return self._message(field.message_type, asked=asked)
        if field.enum_type is not None:
            named = self.enum(field.enum_type)
            # Its number is taken too, by the mapping of proto3, though never answered.
            return {"anyOf": [named, {"type": "integer"}]} if asked else named
        return _BYTES if field.type == FieldDescriptor.TYPE_BYTES else _PLAIN[field.cpp_type]

    def _message(self, message: Descriptor, *, asked: bool) -> Schema:
        known = _WELL_KNOWN.get(message.full_name)
        if known is not None:
            return known
        name = _name(message) + ("Input" if asked else "")
        if name not in self.components:
            self.components[name] = {}  # a message may hold others of its own kind
            self.components[name] = self._object(message, asked=asked)
        return reference(name)

    def _object(self, message: Descriptor, *, asked: bool, without: Collection[str] = ()) -> Schema:
        single = [
            field
            for field in message.fields
            if not (field.name in without or _is_in_oneof(field))
            and not (asked and _is_the_services(field))
        ]
        found: Schema = {"type": "object", "description": comment_on(message)}
        if single:
            found["properties"] = self._properties(single, asked=asked)
        needed = [field.json_name for field in single if _is_needed(field, asked=asked)]
        if needed:
            found["required"] = needed
        choices = [self._choices(oneof, asked=asked) for oneof in _oneofs(message)]
        if len(choices) == 1:
            found["oneOf"] = choices[0]
        elif choices:
            found["allOf"] = [{"oneOf": each} for each in choices]
        if asked:
            found["unevaluatedProperties" if choices else "additionalProperties"] = False
        return found

    def _properties(self, fields: Sequence[FieldDescriptor], *, asked: bool) -> Schema:
        return {field.json_name: self._property(field, asked=asked) for field in fields}

    def _property(self, field: FieldDescriptor, *, asked: bool) -> Schema:
        schema = self.field(field, asked=asked)
        if asked and not _is_in_oneof(field) and not is_required(field):
            schema = _or_null(schema)
        if OUTPUT_ONLY in _behavior(field):
            schema = {**schema, "readOnly": True}
        return {**schema, "description": comment_on(field)}

    def _choices(self, oneof: OneofDescriptor, *, asked: bool) -> list[Schema]:
        choices: list[Schema] = [
            {
                "type": "object",
                "title": field.json_name,
                "properties": self._properties([field], asked=asked),
                "required": [field.json_name],
            }
            for field in oneof.fields
        ]
        if may_be_unset(oneof):
            neither: Schema = {field.json_name: False for field in oneof.fields}
            choices.append({"type": "object", "title": "none", "properties": neither})
        return choices


def reference(name: str) -> Schema:
    """A reference to a schema by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def is_required(field: FieldDescriptor) -> bool:
    """Whether a request is refused without this field."""
    return REQUIRED in _behavior(field)


def _name(named: Descriptor | EnumDescriptor) -> str:
    """The name of a message or an enum without its package."""
    return str(named.full_name.removeprefix(f"{named.file.package}."))


def _behavior(field: FieldDescriptor) -> frozenset[Any]:
    extension: Any = field_behavior  # its annotation does not say of what it is an extension
    return frozenset(field.GetOptions().Extensions[extension])


def _is_the_services(field: FieldDescriptor) -> bool:
    """Whether only the service sets a field: a request names its game elsewhere."""
    return not _behavior(field).isdisjoint({OUTPUT_ONLY, IDENTIFIER})


def _is_needed(field: FieldDescriptor, *, asked: bool) -> bool:
    return is_required(field) if asked else not field.has_presence


def _oneofs(message: Descriptor) -> list[OneofDescriptor]:
    """The oneofs of a message, but those that only make a field optional."""
    return [oneof for oneof in message.oneofs if _is_in_oneof(oneof.fields[0])]


def _is_in_oneof(field: FieldDescriptor) -> bool:
    oneof = field.containing_oneof
    return oneof is not None and not (len(oneof.fields) == 1 and oneof.name.startswith("_"))


def _or_null(schema: Schema) -> Schema:
    if "type" in schema and "enum" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}
