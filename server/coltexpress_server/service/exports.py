"""A game with all that is stored of it, as bytes that another deployment takes back.

The bytes are compressed and sealed with the service's key: only a service with the same key takes
them, unchanged. They hold what the store holds: the seed and all hands, but of tokens only hashes.
"""

from __future__ import annotations

import zlib
from typing import Final

import msgspec

from coltexpress_server.service.keys import Keys, same
from coltexpress_server.service.refusals import Refused
from coltexpress_server.store import Exported

_FORMAT: Final = 1
_MAGIC: Final = b"colt-express-game\n"
_SEAL_BYTES: Final = 32


class _Document(msgspec.Struct, array_like=True):
    format: int
    game_id: str
    game: Exported


def write_export(game_id: str, game: Exported, keys: Keys) -> bytes:
    """A game as bytes."""
    packed = zlib.compress(msgspec.msgpack.encode(_Document(_FORMAT, game_id, game)), 9)
    return _MAGIC + keys.seal(packed) + packed


def read_export(data: bytes, keys: Keys) -> tuple[str, Exported]:
    """The id of a game, and the game. Raises Refused INVALID_FIELD for bytes that are none."""
    seal = data[len(_MAGIC) : len(_MAGIC) + _SEAL_BYTES]
    packed = data[len(_MAGIC) + _SEAL_BYTES :]
    if not data.startswith(_MAGIC) or not same(seal, keys.seal(packed)):
        raise Refused(
            "INVALID_FIELD", "no service with this key has exported this", field="document"
        )
    # What is sealed is what a service has written: no bomb, and whole.
    document = msgspec.msgpack.decode(zlib.decompress(packed), type=_Document)
    if document.format != _FORMAT:
        raise Refused("NEWER_RELEASE", "a later release has exported this")
    return document.game_id, document.game
