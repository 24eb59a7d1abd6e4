"""The comments of the protos, which descriptors at run time do not have."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec
from google.protobuf.descriptor import (
    Descriptor,
    EnumDescriptor,
    FieldDescriptor,
    MethodDescriptor,
    OneofDescriptor,
    ServiceDescriptor,
)

Named = (
    Descriptor
    | EnumDescriptor
    | FieldDescriptor
    | MethodDescriptor
    | OneofDescriptor
    | ServiceDescriptor
)

_SNAKE: Final = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")


def comment_on(named: Named) -> str:
    """What the protos say of something, with fields as JSON names them; empty for nothing."""
    return _in_json(_comments().get(named.full_name, ""))


def comment_on_value(enum: EnumDescriptor, name: str) -> str:
    """What the protos say of a value of an enum."""
    return _in_json(_comments().get(f"{enum.full_name}.{name}", ""))


def first_sentence(comment: str) -> str:
    """The beginning of a comment, without the full stop."""
    sentence, _, _ = comment.partition(". ")
    return sentence.partition("\n")[0].removesuffix(".")


def camel_case(name: str) -> str:
    """A field's name, or a path of them, as JSON has it."""
    first, *others = name.split("_")
    return first + "".join(each.title() for each in others)


@cache
def _comments() -> dict[str, str]:
    text = files(__package__).joinpath("comments.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, str])


@cache
def _fields() -> frozenset[str]:
    return frozenset(name.rpartition(".")[2] for name in _comments())


def _in_json(comment: str) -> str:
    return _SNAKE.sub(_field_in_json, comment)


def _field_in_json(found: re.Match[str]) -> str:
    return camel_case(found[0]) if found[0] in _fields() else found[0]
