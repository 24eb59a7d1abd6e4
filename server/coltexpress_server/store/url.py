"""What a store's URL says. It may hold a password, so no error repeats it."""

from __future__ import annotations

from typing import Any, Final, Literal, get_args
from urllib.parse import SplitResult, urlsplit

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
            parts = urlsplit(url)
            base, _, kind = parts.scheme.partition("+")
            if base not in ({"redis", "rediss"} if kind else {"redis", "rediss", "unix"}):
                raise ValueError
            if kind not in get_args(Kind):
                raise ValueError
            self.kind: Final[Kind] = kind  # type: ignore[assignment] # checked above
            self.addresses: Final = tuple(_addresses(parts, _DEFAULT_PORTS[self.kind]))
            self.service, path = _service(parts) if kind == "sentinel" else ("", parts.path)
            user = parts.netloc.rpartition("@")[0]
            host = "" if base == "unix" else "host"
            authority = f"{user}@{host}" if user else host
            self.options: Final[dict[str, Any]] = dict(
                parse_url(f"{base}://{authority}{path}?{parts.query}")
            )
            if base == "unix" and not parts.path:
                raise ValueError
        except ValueError:
            raise StoreUnfit("the store's URL has none of the forms " + ", ".join(FORMS)) from None


def describe(url: str) -> str:
    """Say where a store's URL leads, without user, password or options."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _addresses(parts: SplitResult, default_port: int) -> list[Address]:
    places = parts.netloc.rpartition("@")[2]
    if parts.scheme == "unix":
        return []
    found = [urlsplit(f"//{place}") for place in places.split(",")]
    return [(place.hostname or "localhost", place.port or default_port) for place in found]


def _service(parts: SplitResult) -> tuple[str, str]:
    service, slash, db = parts.path.removeprefix("/").partition("/")
    if not service:
        raise ValueError
    return service, slash + db
