"""Requests to addresses that callers have named: only where that can do no harm.

A caller could name an address that he cannot reach himself but we can: of this machine, of the
network that we run in, of a cloud's metadata. So a name is resolved once, every address that it
stands for must be one of the public internet, and the connection goes to that very address; no
redirect is followed, and of an answer nothing but its status is read.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

import httpx

LONGEST_URL: Final = 2048

_DEFAULT_PORTS: Final = {"https": 443, "http": 80}
# What is sent there ends at an IPv4 address that is written into it.
_TRANSLATED: Final = (IPv6Network("64:ff9b::/96"), IPv6Network("2002::/16"))


class Unfit(Exception):
    """A URL that nothing is sent to; the message says why, and does not repeat it."""


class Unreached(Exception):
    """There was no answer; the message is a word on why."""


class Outgoing:
    """Sends requests to addresses that callers have named."""

    def __init__(self, *, timeout_s: float, at_once: int, allow_private: bool) -> None:
        """timeout_s: how long a request may take as a whole. at_once: how many there may be.

        allow_private: whether addresses of this machine and of private networks will do, and http.
        """
        self._timeout_s: Final = timeout_s
        self._at_once: Final = at_once
        self._allow_private: Final = allow_private
        self._client: httpx.AsyncClient | None = None

    async def close(self) -> None:
        """Closes all connections."""
        if self._client is not None:
            await self._client.aclose()

    def examine(self, url: str) -> None:
        """Raises Unfit where nothing may be sent to a URL, whatever its name stands for."""
        self._read(url)

    async def check(self, url: str) -> None:
        """Raises Unfit where nothing may be sent to a URL as its name is resolved now."""
        try:
            async with asyncio.timeout(self._timeout_s):
                await self._addresses(self._read(url))
        except TimeoutError:
            raise Unfit("the host's name cannot be resolved") from None

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Posts a body; returns the status of the answer.

        Raises Unfit, and Unreached where no answer came in time.
        """
        place = self._read(url)
        if self._client is None:
            self._client = httpx.AsyncClient(
                trust_env=False,
                follow_redirects=False,
                timeout=self._timeout_s,
                # A connection is to an address and for a name: another name may have the address.
                limits=httpx.Limits(max_connections=self._at_once, max_keepalive_connections=0),
            )
        try:
            async with asyncio.timeout(self._timeout_s):
                address = (await self._addresses(place))[0]
                request = self._client.build_request(
                    "POST",
                    httpx.URL(url).copy_with(host=address),
                    content=body,
                    headers={**headers, "host": place.netloc},
                    extensions={"sni_hostname": place.hostname},
                )
                answer = await self._client.send(request, stream=True)
                await answer.aclose()
                return answer.status_code
        except TimeoutError:
            raise Unreached("timeout") from None
        except httpx.HTTPError as error:
            raise Unreached(type(error).__name__) from None

    def _read(self, url: str) -> SplitResult:
        """The parts of a URL. Raises Unfit."""
        if len(url) > LONGEST_URL or not (url.isascii() and url.isprintable()) or " " in url:
            raise Unfit(f"a URL is at most {LONGEST_URL} printable ASCII characters")
        try:
            place = urlsplit(url)
            place.port  # noqa: B018 - it is read only now
            httpx.URL(url)
        except (ValueError, httpx.InvalidURL):
            raise Unfit("this is no URL") from None
        if place.scheme not in (_DEFAULT_PORTS if self._allow_private else {"https"}):
            raise Unfit("a URL begins with https://")
        if not place.hostname or "@" in place.netloc or place.fragment:
            raise Unfit("a URL has a host, and neither a user nor a fragment")
        return place

    async def _addresses(self, place: SplitResult) -> list[str]:
        """What a URL's name stands for. Raises Unfit where one of these is not to be reached."""
        port = place.port or _DEFAULT_PORTS[place.scheme]
        try:
            found = await asyncio.get_running_loop().getaddrinfo(
                place.hostname, port, type=socket.SOCK_STREAM
            )
        except (OSError, UnicodeError):
            raise Unfit("the host's name cannot be resolved") from None
        addresses = [str(entry[4][0]) for entry in found]
        if not self._allow_private and not all(is_public(address) for address in addresses):
            raise Unfit("the host is not on the public internet")
        return addresses


def is_public(text: str) -> bool:
    """Whether an address is one of the public internet."""
    address: IPv4Address | IPv6Address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address):
        if any(address in network for network in _TRANSLATED):
            return False
        address = address.ipv4_mapped or address
    return address.is_global and not address.is_multicast
