"""Who calls: what the metadata of a call shows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import ip_address, ip_network
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote

from coltexpress_server.service.callers import ANONYMOUS, Caller, Principal
from coltexpress_server.service.refusals import Refused

AUTHORIZATION: Final = "authorization"
API_KEY: Final = "x-api-key"
ADMIN_KEY: Final = "x-admin-key"

_BEARER: Final = "bearer"
_LONGEST_TOKEN: Final = 200

Metadata = Iterable[tuple[str, str | bytes]]


class Principals:
    """The API keys and the admin keys that this server knows."""

    def __init__(
        self, api_keys: Mapping[str, str], admin_keys: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """api_keys: a principal's name to the SHA-256 of its key in hexadecimal digits.

        admin_keys: the same for operators.
        """
        # Looking a hash up takes a time that tells nothing about the key.
        self._names: Final = {digest.lower(): name for name, digest in api_keys.items()}
        self._operators: Final = {digest.lower(): name for name, digest in admin_keys.items()}

    def caller(self, metadata: Metadata, peer: str = "") -> Caller:
        """The caller of a call with this metadata.

        peer: where it comes from, as gRPC says it.

        Raises Refused: UNKNOWN_API_KEY, ADMIN_KEY_MISSING for one that is not known, TOKEN_MISSING
        where the authorization is no bearer's.
        """
        principal, token, operator = ANONYMOUS, "", ""
        for name, value in metadata:
            if name == API_KEY:
                principal = self._principal(value)
            elif name == AUTHORIZATION:
                token = _token(value)
            elif name == ADMIN_KEY:
                operator = self._operator(value)
        return Caller(principal, token, _network(peer.rpartition(":")[0]), operator)

    def _principal(self, key: str | bytes) -> Principal:
        name = self._names.get(_hash(key))
        if name is None:
            raise Refused("UNKNOWN_API_KEY", "this API key is not known", field=API_KEY)
        return Principal(name)

    def _operator(self, key: str | bytes) -> str:
        name = self._operators.get(_hash(key))
        if name is None:
            raise Refused("ADMIN_KEY_MISSING", "this admin key is not known", field=ADMIN_KEY)
        return name


def _hash(key: str | bytes) -> str:
    return hashlib.sha256(key if isinstance(key, bytes) else key.encode()).hexdigest()


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
