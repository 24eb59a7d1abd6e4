"""How seats name loot tokens, in both directions: by kind, and by value where they know it."""

from __future__ import annotations

from coltexpress.v1.action_pb2 import Rob, TakePurse
from coltexpress.v1.marshal_and_prisoners_pb2 import Give, LootName
from coltexpress_server.api import fields
from coltexpress_server.api.words import LOOT_KINDS
from coltexpress_server.game.loot import UNKNOWN_VALUE


def known(value: int) -> int | None:
    """A value as messages have it; None where it is not known."""
    return None if value == UNKNOWN_VALUE else value


def read_kind(message: Rob | Give | LootName, path: str) -> str:
    """The kind of a token. Raises Refused where it is missing or unknown."""
    return fields.word(message.loot, LOOT_KINDS.words, f"{path}.loot")


def read_value(message: Rob | TakePurse | Give | LootName, path: str) -> int:
    """The value of a token, or UNKNOWN_VALUE. Raises Refused for a negative one."""
    if not message.HasField("value"):
        return UNKNOWN_VALUE
    return fields.not_negative(message.value, f"{path}.value")
