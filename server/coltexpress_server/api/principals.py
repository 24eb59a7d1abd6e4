"""Who calls: what the metadata of a call shows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import Final
from urllib.parse import unquote

from coltexpress_server.service.callers import ANONYMOUS, Caller, Principal
from coltexpress_server.service.refusals import Refused

AUTHORIZATION: Final = "authorization"
API_KEY: Final = "x-api-key"

_BEARER: Final = "bearer"
_LONGEST_TOKEN: Final = 200

Metadata = Iterable[tuple[str, str | bytes]]


class Principals:
    """The API keys that this server knows."""

    def __init__(self, api_keys: Mapping[str, str]) -> None:
        """api_keys: a principal's name to the SHA-256 of its key in hexadecimal digits."""
        # Looking a hash up takes a time that tells nothing about the key.
        self._names: Final = {digest.lower(): name for name, digest in api_keys.items()}

    def caller(self, metadata: Metadata, peer: str = "") -> Caller:
        """The caller of a call with this metadata.

        peer: where it comes from, as gRPC says it.

        Raises Refused: UNKNOWN_API_KEY, TOKEN_MISSING where the authorization is no bearer's.
        """
        principal, token = ANONYMOUS, ""
        for name, value in metadata:
            if name == API_KEY:
                principal = self._principal(value)
            elif name == AUTHORIZATION:
                token = _token(value)
        return Caller(principal, token, _network(peer.rpartition(":")[0]))

    def _principal(self, key: str | bytes) -> Principal:
        data = key if isinstance(key, bytes) else key.encode()
        name = self._names.get(hashlib.sha256(data).hexdigest())
        if name is None:
            raise Refused("UNKNOWN_API_KEY", "this API key is not known", field=API_KEY)
        return Principal(name)


@lru_cache(maxsize=1024)
def _network(host: str) -> str:
    """The network of `ipv4:ADDRESS` or `ipv6:[ADDRESS]`; what is no such address, as it is.

    Of IPv6 it is the first half of the address: whoever has one address there has all of them.
    """
    text = unquote(host.partition(":")[2]).strip("[]")
    try:
        address = ip_address(text)
    except ValueError:
        return host
    return str(ip_network((address, 64 if address.version == 6 else 32), strict=False))


def _token(authorization: str | bytes) -> str:
    text = (
        authorization
        if isinstance(authorization, str)
        else authorization.decode("ascii", "replace")
    )
    scheme, _, token = text.partition(" ")
    token = token.strip()
    if scheme.lower() != _BEARER or not token or len(token) > _LONGEST_TOKEN:
        raise Refused(
            "TOKEN_MISSING", 'the authorization is "Bearer " and a token', field=AUTHORIZATION
        )
    return token
