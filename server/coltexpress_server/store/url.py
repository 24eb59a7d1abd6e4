"""What a store's URL says. It may hold a password, so no error repeats it."""

from __future__ import annotations

import re
from typing import Any, Final, Literal, NamedTuple, get_args
from urllib.parse import urlsplit

from redis.asyncio.connection import parse_url

from coltexpress_server.store.errors import StoreUnfit

FORMS: Final = (
    "redis://[USER:PASSWORD@]HOST[:PORT][/DB]",
    "unix://[USER:PASSWORD@]/PATH",
    "redis+sentinel://[USER:PASSWORD@]HOST[:PORT],.../SERVICE[/DB]",
    "redis+cluster://[USER:PASSWORD@]HOST[:PORT],...",
)
"""The forms of a URL. `rediss` in place of `redis` means TLS; options of redis-py follow a `?`, and
of ours: sentinel_username, sentinel_password."""

Kind = Literal["", "sentinel", "cluster"]
Address = tuple[str, int]

_DEFAULT_PORTS: Final[dict[Kind, int]] = {"": 6379, "sentinel": 26379, "cluster": 6379}
# As RFC 3986 splits them. `urlsplit` wants one host, where there may be several here.
_PARTS: Final = re.compile(
    r"([A-Za-z+]+)://(?:([^/?#]*)@)?([^/?#@]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?", re.DOTALL
)


class StoreUrl:
    """A URL taken apart.

    Attributes:
        kind: how the server is found: it is the one at the address, the one that sentinels name,
            or one of a cluster's nodes.
        addresses: where it, the sentinels, or the nodes to ask first are; none for a socket's path.
        service: what the sentinels call the server.
        options: what redis-py needs to know to make a connection.
    """

    def __init__(self, url: str) -> None:
        """Take a URL apart. Raises StoreUnfit where it has none of the FORMS."""
        try:
            parts = _split(url)
            base, _, kind = parts.scheme.partition("+")
            if base not in ({"redis", "rediss"} if kind else {"redis", "rediss", "unix"}):
                raise ValueError
            if kind not in get_args(Kind):
                raise ValueError
            self.kind: Final[Kind] = kind  # type: ignore[assignment] # checked above
            self.addresses: Final = tuple(_addresses(parts, _DEFAULT_PORTS[self.kind]))
            self.service, path = _service(parts) if kind == "sentinel" else ("", parts.path)
            host = "" if base == "unix" else "host"
            authority = f"{parts.user}@{host}" if parts.user else host
            self.options: Final[dict[str, Any]] = dict(
                parse_url(f"{base}://{authority}{path}?{parts.query}")
            )
            if base == "unix" and not parts.path:
                raise ValueError
        except ValueError:
            raise StoreUnfit("the store's URL has none of the forms " + ", ".join(FORMS)) from None


def place_of(url: str) -> str:
    """Where a store's URL leads, without user, password or options."""
    parts = _split(url)
    return f"{parts.scheme}://{parts.places}{parts.path}"


class _Parts(NamedTuple):
    scheme: str
    user: str
    places: str
    path: str
    query: str


def _split(url: str) -> _Parts:
    """Raises ValueError where it is no URL."""
    found = _PARTS.fullmatch(url)
    if found is None:
        raise ValueError
    scheme, *rest = found.groups(default="")
    return _Parts(scheme.lower(), *rest)


def _addresses(parts: _Parts, default_port: int) -> list[Address]:
    if parts.scheme == "unix":
        return []
    found = [urlsplit(f"//{place}") for place in parts.places.split(",")]
    return [(place.hostname or "localhost", place.port or default_port) for place in found]


def _service(parts: _Parts) -> tuple[str, str]:
    service, slash, db = parts.path.removeprefix("/").partition("/")
    if not service:
        raise ValueError
    return service, slash + db
