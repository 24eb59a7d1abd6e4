from __future__ import annotations

import hashlib
from ipaddress import ip_network

import pytest

from coltexpress_server.api.principals import Principals
from coltexpress_server.service.callers import ANONYMOUS, Caller, Principal
from coltexpress_server.service.refusals import Refused

PRINCIPALS = Principals({"ann": hashlib.sha256(b"ann's key").hexdigest().upper()})


def test_nobody_shown_is_anonymous() -> None:
    assert PRINCIPALS.caller([("user-agent", "x")]) == Caller(ANONYMOUS)


def test_an_api_key_shows_its_principal() -> None:
    assert PRINCIPALS.caller([("x-api-key", "ann's key")]) == Caller(Principal("ann"))


@pytest.mark.parametrize("key", ["", "Ann's key", "ann's key "])
def test_an_unknown_api_key_is_refused(key: str) -> None:
    with pytest.raises(Refused) as refused:
        PRINCIPALS.caller([("x-api-key", key)])
    assert refused.value.reason == "UNKNOWN_API_KEY"
    assert refused.value.details == {"field": "x-api-key"}


@pytest.mark.parametrize("authorization", ["Bearer seat_x", "bearer seat_x", "Bearer  seat_x "])
def test_a_bearer_shows_a_token(authorization: str) -> None:
    caller = PRINCIPALS.caller([("authorization", authorization), ("x-api-key", "ann's key")])
    assert caller == Caller(Principal("ann"), "seat_x")


@pytest.mark.parametrize(
    "authorization", ["", "seat_x", "Bearer", "Bearer ", "Basic x", "Bearer " + "x" * 201]
)
def test_an_authorization_that_is_no_bearers_is_refused(authorization: str) -> None:
    with pytest.raises(Refused) as refused:
        PRINCIPALS.caller([("authorization", authorization)])
    assert refused.value.reason == "TOKEN_MISSING"
    assert refused.value.details == {"field": "authorization"}
    assert "seat_x" not in str(refused.value)


@pytest.mark.parametrize(
    ("peer", "network"),
    [
        ("ipv4:192.0.2.7:50123", "192.0.2.7/32"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:50123", "2001:db8:1:2::/64"),
        ("ipv6:[::1]:50123", "::/64"),
        ("unix:/tmp/socket", "unix"),
        ("", ""),
    ],
)
def test_the_anonymous_are_told_apart_by_their_network(peer: str, network: str) -> None:
    assert PRINCIPALS.caller([], peer).network == network


PROXIES = (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "network"),
    [
        ("ipv4:10.1.1.1:7", ["192.0.2.7"], "192.0.2.7/32"),
        ("ipv4:10.1.1.1:7", ["198.51.100.1, 192.0.2.7, 10.2.2.2"], "192.0.2.7/32"),
        ("ipv4:10.1.1.1:7", ["198.51.100.1", "192.0.2.7"], "192.0.2.7/32"),
        ("ipv6:%5Bfd00::1%5D:7", ["2001:db8::1"], "2001:db8::/64"),
        ("ipv4:10.1.1.1:7", ["198.51.100.1, nobody"], "10.1.1.1/32"),
        ("ipv4:10.1.1.1:7", [], "10.1.1.1/32"),
        # Who is no proxy of ours may write what he likes.
        ("ipv4:192.0.2.7:7", ["198.51.100.1"], "192.0.2.7/32"),
    ],
)
def test_behind_proxies_the_caller_is_whom_they_name(
    peer: str, forwarded: list[str], network: str
) -> None:
    principals = Principals({}, trusted_proxies=PROXIES)
    headers = [("x-forwarded-for", each) for each in forwarded]
    assert principals.caller(headers, peer).network == network


def test_without_proxies_nobody_speaks_for_another() -> None:
    headers = [("x-forwarded-for", "198.51.100.1")]
    assert PRINCIPALS.caller(headers, "ipv4:10.1.1.1:7").network == "10.1.1.1/32"
