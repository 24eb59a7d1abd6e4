"""Everything derived from the service's key: game ids, tokens, the memory of requests.

Ids and tokens are derived from the request that asked for them, so that a repeated request gets the
same ones from any replica; the store holds only hashes (DESIGN.md, API).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec

from coltexpress_server.service.callers import Caller
from coltexpress_server.service.join_codes import code_in
from coltexpress_server.store import bucket_number, game_id_from

_REQUEST_KEY_BYTES: Final = 16
_DIGEST_BYTES: Final = 16
_SIGNATURE_BYTES: Final = 16
_CODE_HASH_BYTES: Final = 16
_CODES_KEPT: Final = 4096
_COUNTER_BYTES: Final = 16
_MESSAGE_ID_BYTES: Final = 15
_PRINCIPAL_BYTES: Final = 12

Plain = str | bytes | int | None | Sequence["Plain"]


class Keys:
    """Derives with HMAC-SHA256; all replicas on one store need the same key."""

    def __init__(self, service_key: bytes) -> None:
        """service_key: 32 secret bytes."""
        self._key: Final = service_key

    def game_id(self, principal: str, request_id: str) -> str:
        """The id of the game that this request of this principal creates."""
        return game_id_from(self._derive("game", principal, request_id))

    def host_token(self, game_id: str, request_id: str) -> str:
        """The host's token of the game that this request creates."""
        return f"host_{_text(self._derive('host', game_id, request_id))}"

    def join_code(self, game_id: str, number: int) -> str:
        """The join code of a game; number: which of those that it could have."""
        return _join_code(self._key, game_id, number)

    def code_hash(self, code: str) -> str:
        """Under what a game is found by its join code."""
        return _code_hash(self._key, code)

    def seat_token(self, game_id: str, principal: str, request_id: str) -> str:
        """The token of the seat that this request takes."""
        return f"seat_{_text(self._derive('seat', game_id, principal, request_id))}"

    def rematch_id(self, game_id: str) -> str:
        """The id of the game that is played after this one."""
        return game_id_from(self._derive("rematch", game_id))

    def rematch_host_token(self, game_id: str) -> str:
        """The host's token of a game that is a rematch."""
        return f"host_{_text(self._derive('rematch host', game_id))}"

    def rematch_seat_token(self, game_id: str, seat: int) -> str:
        """The token of a seat in a game that is a rematch, for who sat there before."""
        return f"seat_{_text(self._derive('rematch seat', game_id, str(seat)))}"

    def seal(self, data: bytes) -> bytes:
        """What shows that these bytes come from a service with this key."""
        return hmac.digest(self._key, b"seal" + data, "sha256")

    def hash(self, secret: str) -> bytes:
        """What is stored of a token."""
        return self._derive("hash", secret)

    def watch_signature(self, game_id: str, role: str, until: int, stands_for: bytes) -> str:
        """What makes a watch token good; stands_for: the hash of the token behind it."""
        return _text(
            self._derive("watch", game_id, role, str(until), stands_for.hex())[:_SIGNATURE_BYTES]
        )

    def webhook_secret(self, game_id: str, request_key: bytes) -> bytes:
        """What signs the messages of the webhook that this request has set, 32 bytes."""
        return self._derive("webhook", game_id, request_key.hex())

    def message_id(self, *notice: str) -> str:
        """Names what a webhook is told of a notice, the same in every try."""
        return _text(self._derive("message", *notice)[:_MESSAGE_ID_BYTES])

    def request_key(self, game_id: str, actor: str, request_id: str) -> bytes:
        """Under what a request is remembered; actor: the token or principal it came with."""
        return self._derive("request", game_id, actor, request_id)[:_REQUEST_KEY_BYTES]

    def principal(self, name: str) -> str:
        """What stands for a principal in the store's indexes, where no names are."""
        return self._derive("principal", name)[:_PRINCIPAL_BYTES].hex()

    def chance(self, game_id: str, decision_id: str) -> bytes:
        """The chance of a bot that makes this decision: the same in every process."""
        return self._derive("chance", game_id, decision_id)

    def counter(self, what: str, caller: Caller) -> str:
        """Under what is counted how often a principal, or an anonymous one's network, does this."""
        name = caller.principal.name
        who = ("principal", name) if name else ("network", caller.network)
        return self._derive("counter", what, *who)[:_COUNTER_BYTES].hex()

    def _derive(self, *words: str) -> bytes:
        return _derive(self._key, *words)


def _derive(key: bytes, *words: str) -> bytes:
    message = b"".join(
        len(data).to_bytes(4, "big") + data for data in (word.encode() for word in words)
    )
    return hmac.digest(key, message, "sha256")


# Every commit of a game needs both again.
@lru_cache(maxsize=_CODES_KEPT)
def _join_code(key: bytes, game_id: str, number: int) -> str:
    chance = _derive(key, "join code", game_id, str(number))
    return code_in(bucket_number(game_id), int.from_bytes(chance))


@lru_cache(maxsize=_CODES_KEPT)
def _code_hash(key: bytes, code: str) -> str:
    return _derive(key, "code", code)[:_CODE_HASH_BYTES].hex()


def digest(*words: Plain) -> bytes:
    """Tells requests with one id apart by what they ask for, in plain values."""
    return hashlib.sha256(msgspec.msgpack.encode(words)).digest()[:_DIGEST_BYTES]


def same(first: bytes, second: bytes) -> bool:
    """Whether two hashes are equal, in a time that does not depend on where they differ."""
    return hmac.compare_digest(first, second)


def _text(secret: bytes) -> str:
    return base64.urlsafe_b64encode(secret).rstrip(b"=").decode()
