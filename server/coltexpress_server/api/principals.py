"""Who calls: what the metadata of a call shows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote

from coltexpress_server.service.callers import ANONYMOUS, Caller, Principal
from coltexpress_server.service.refusals import Refused

AUTHORIZATION: Final = "authorization"
API_KEY: Final = "x-api-key"
ADMIN_KEY: Final = "x-admin-key"
FORWARDED_FOR: Final = "x-forwarded-for"

_BEARER: Final = "bearer"
_LONGEST_TOKEN: Final = 200

Metadata = Iterable[tuple[str, str | bytes]]


class Principals:
    """The API keys and the admin keys that this server knows, and the proxies that it believes."""

    def __init__(
        self,
        api_keys: Mapping[str, str],
        admin_keys: Mapping[str, str] = MappingProxyType({}),
        trusted_proxies: Sequence[IPv4Network | IPv6Network] = (),
    ) -> None:
        """api_keys: a principal's name to the SHA-256 of its key in hexadecimal digits.

        admin_keys: the same for operators.
        trusted_proxies: where those are that tell truly whose calls they pass on.
        """
        self._proxies: Final = tuple(trusted_proxies)
        # Looking a hash up takes a time that tells nothing about the key.
        self._names: Final = {digest.lower(): name for name, digest in api_keys.items()}
        self._operators: Final = {digest.lower(): name for name, digest in admin_keys.items()}

    def caller(self, metadata: Metadata, peer: str = "") -> Caller:
        """The caller of a call with this metadata.

        peer: where it comes from, as gRPC says it.

        Raises Refused: UNKNOWN_API_KEY, ADMIN_KEY_MISSING for one that is not known, TOKEN_MISSING
        where the authorization is no bearer's.
        """
        principal, token, operator, forwarded = ANONYMOUS, "", "", ""
        for name, value in metadata:
            if name == API_KEY:
                principal = self._principal(value)
            elif name == AUTHORIZATION:
                token = _token(value)
            elif name == ADMIN_KEY:
                operator = self._operator(value)
            elif name == FORWARDED_FOR and isinstance(value, str):
                forwarded = f"{forwarded},{value}"
        host = peer.rpartition(":")[0]
        if self._proxies and forwarded:
            host = self._origin(host, forwarded)
        return Caller(principal, token, _network(host), operator)

    def _origin(self, host: str, forwarded: str) -> str:
        """Where a call comes from that has been passed on, as far as proxies can be believed."""
        for each in reversed(forwarded.split(",")):
            address = _address(host)
            if address is None or not any(address in network for network in self._proxies):
                break
            before = _address(f":{each.strip()}")
            if before is None:
                break
            host = f"ipv{before.version}:{before}"
        return host

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
    address = _address(host)
    if address is None:
        return host
    return str(ip_network((address, 64 if address.version == 6 else 32), strict=False))


@lru_cache(maxsize=1024)
def _address(host: str) -> IPv4Address | IPv6Address | None:
    """The address in `ipv4:ADDRESS` or `ipv6:[ADDRESS]`; None where there is none."""
    try:
        return ip_address(unquote(host.partition(":")[2]).strip("[]"))
    except ValueError:
        return None


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
