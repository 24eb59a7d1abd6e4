from __future__ import annotations

import hashlib

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
