"""Requests to addresses that callers have named: what is public, what a name stands for."""

from __future__ import annotations

import asyncio
import socket

import pytest

from coltexpress_server.outgoing import Outgoing, Unfit, is_public


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("203.0.114.1", True),
        ("2606:4700::1111", True),
        ("::ffff:8.8.8.8", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),  # noqa: S104 - nobody listens here
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fc00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
        ("2001::1", False),
    ],
)
def test_what_is_on_the_public_internet(address: str, public: bool) -> None:
    assert is_public(address) is public


async def test_a_name_is_looked_at_again_when_it_is_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that stood for a public address when it was set, and for one of ours by now."""
    stands_for = ["203.0.114.1"]

    async def resolve(*_: object, **__: object) -> object:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 443)) for each in stands_for]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve)
    outgoing = Outgoing(timeout_s=5, at_once=1, allow_private=False)
    await outgoing.check("https://example.com/hook")
    stands_for.append("127.0.0.1")
    with pytest.raises(Unfit, match="public internet"):
        await outgoing.post("https://example.com/hook", b"", {})
    await outgoing.close()
