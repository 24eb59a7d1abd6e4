"""Which server has which key: one for all, the one that Sentinel names, or those of a cluster."""

from __future__ import annotations

import asyncio
import random
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final

from redis.asyncio.connection import AbstractConnection, Connection, SSLConnection
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import (
    Sentinel,
    SentinelConnectionPool,
    SentinelManagedConnection,
    SentinelManagedSSLConnection,
)
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from coltexpress_server.store.errors import StoreUnfit
from coltexpress_server.store.joint import Joint
from coltexpress_server.store.line import Line
from coltexpress_server.store.url import Address, StoreUrl


class Servers(ABC):
    """The servers of one store. Their errors are redis-py's."""

    is_cluster = False
    """Whether they are the nodes of a cluster."""

    @abstractmethod
    def line_to(self, key: str | None) -> Line:
        """Return the line to the server that has a key; to any server without one."""

    @abstractmethod
    def lines(self) -> list[Line]:
        """Return all lines."""

    async def look_again(self) -> None:  # noqa: B027 (not every kind has to look)
        """Find out where the servers are."""

    async def close(self) -> None:
        """Close all lines."""
        for line in self.lines():
            await line.close()


class OneServer(Servers):
    """A server at an address."""

    def __init__(self, line: Line) -> None:
        """`line` leads to it."""
        self._line: Final = line

    def line_to(self, key: str | None) -> Line:
        """Return the line."""
        return self._line

    def lines(self) -> list[Line]:
        """Return the line."""
        return [self._line]


class NamedServer(OneServer):
    """The server that sentinels say is in charge; they are asked for each new connection."""

    def __init__(self, line: Line, sentinel: Sentinel) -> None:
        """`line` asks `sentinel`."""
        super().__init__(line)
        self._sentinel: Final = sentinel

    async def close(self) -> None:
        """Close the line, and the connections to the sentinels."""
        await super().close()
        for sentinel in self._sentinel.sentinels:
            await sentinel.aclose()


class Cluster(Servers):
    """The nodes of a cluster, each of which has some of the keys."""

    is_cluster = True

    def __init__(
        self, seeds: tuple[Address, ...], line_at: Callable[[Address], Line], *, timeout: float
    ) -> None:
        """`seeds` are nodes to ask for the others; each has `timeout` seconds to answer."""
        self._timeout: Final = timeout
        self._line_at: Final = line_at
        self._lines: Final = {seed: line_at(seed) for seed in seeds}  # of all nodes ever met
        self._owners: dict[int, Line] = {}  # of each slot
        self._looking: Final = Joint(self._look, "store finding the cluster's nodes")

    def line_to(self, key: str | None) -> Line:
        """Return the line to the node that has a key, as far as is known.

        A node that does not have it says so, which is a reason to look again.
        """
        owner = None if key is None else self._owners.get(key_slot(key.encode()))
        return owner or random.choice(self.lines())

    def lines(self) -> list[Line]:
        """Return the lines to the nodes that have keys, as far as is known."""
        return list(set(self._owners.values()) or self._lines.values())

    async def look_again(self) -> None:
        """Ask one node after the other until one says which has which keys."""
        await self._looking.done()

    async def close(self) -> None:
        """Close the lines to all nodes."""
        await self._looking.cancel()
        for line in self._lines.values():
            await line.close()

    async def _look(self) -> None:
        for asked, line in list(self._lines.items()):
            with suppress(RedisError, TimeoutError):
                async with asyncio.timeout(self._timeout):
                    slots = await (await line.open()).send(("CLUSTER", "SLOTS"))
                owners = {}
                for first, last, (host, port, *_), *_ in slots:
                    node = (host.decode() if host else asked[0], port)
                    if node not in self._lines:
                        self._lines[node] = self._line_at(node)
                    owners.update(dict.fromkeys(range(first, last + 1), self._lines[node]))
                self._owners = owners
                return
        raise RedisConnectionError("no node of the cluster says where the others are")


def servers_at(url: str, *, timeout: float) -> Servers:
    """Prepare the lines to the servers of a URL; they are laid when first used.

    Laying one may take `timeout` seconds, asking the way a third of it.
    Raises StoreUnfit where the URL is not valid.
    """
    place = StoreUrl(url)
    connection_class: type[Connection] = place.options.pop("connection_class", Connection)
    options: dict[str, Any] = place.options | {
        # Calls are limited and repeated as a whole (see Link), not step by step.
        "socket_timeout": None,
        "socket_connect_timeout": timeout,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
        "client_name": "coltexpress",
    }

    def line_at(node: Address) -> Line:
        at = {"host": node[0], "port": node[1]}
        return _line(partial(connection_class, **options | at), timeout)

    match place.kind:
        case "cluster":
            return Cluster(place.addresses, line_at, timeout=timeout / 3)
        case "":
            if place.addresses:
                return OneServer(line_at(place.addresses[0]))
            return OneServer(_line(partial(connection_class, **options), timeout))
        case "sentinel":
            # redis-py's own classes have no annotations here.
            sentinel = Sentinel(  # type: ignore[no-untyped-call]
                place.addresses,
                sentinel_kwargs=_sentinel_options(
                    options, timeout / 3, tls=connection_class is SSLConnection
                ),
            )
            pool = SentinelConnectionPool(  # type: ignore[no-untyped-call]
                place.service,
                sentinel,
                connection_class=(
                    SentinelManagedSSLConnection
                    if connection_class is SSLConnection
                    else SentinelManagedConnection
                ),
                **options,
            )
            return NamedServer(_line(pool.make_connection, timeout), sentinel)


def _line(make: Callable[[], AbstractConnection], timeout: float) -> Line:
    """Prepare a line, making sure that its connections can be made."""
    try:
        connection = make()
    except (TypeError, ValueError, RedisError) as error:
        # This names the option that redis-py does not know, or not with this value.
        raise StoreUnfit(f"the store's URL has an option that does not do: {error}") from None
    if isinstance(connection, SSLConnection):
        _check_certificates(connection)
    return Line(make, timeout=timeout)


def _check_certificates(connection: SSLConnection) -> None:
    """Make sure that the files which a URL names can be read; each connection reads them anew."""
    try:
        connection.ssl_context.get()
    except OSError as error:
        named = (connection.ca_certs, connection.certfile, connection.keyfile)
        files = ", ".join(file for file in named if file)
        what = f" with {files}" if files else ""
        raise StoreUnfit(f"no TLS can be spoken as the store's URL asks{what}: {error}") from None


def _sentinel_options(options: dict[str, Any], timeout: float, *, tls: bool) -> dict[str, Any]:
    """Take what is for the sentinels out of a URL's options; what is for TLS is for both."""
    names = {"sentinel_username": "username", "sentinel_password": "password"}
    return {
        **{name: options.pop(long) for long, name in names.items() if long in options},
        **{name: value for name, value in options.items() if name.startswith("ssl_")},
        "ssl": tls,
        "socket_timeout": timeout,
        "socket_connect_timeout": timeout,
        "retry": Retry(NoBackoff(), 0),
    }
