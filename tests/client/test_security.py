"""The client with TLS and an API key."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from coltexpress import Client, ColtExpressError, Game, Retries, Unavailable
from coltexpress_server.server_process import ServerProcess
from tests.client.conftest import settings
from tests.client.games import begun, play_out

TLS = Path(__file__).parent.parent / "api" / "tls"
CERTIFICATE = TLS / "cert.pem"
KEY = "a key that the service knows"
AT_ONCE = Retries(patience=0)


@pytest.fixture(scope="module")
def secure_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service with TLS that knows an API key."""
    folder = tmp_path_factory.mktemp("secure")
    known = {"somebody": hashlib.sha256(KEY.encode()).hexdigest()}
    with ServerProcess(
        *settings(folder),
        *("--tls-cert", str(CERTIFICATE), "--tls-key", str(TLS / "key.pem")),
        *("--api-keys", json.dumps(known)),
        log=folder / "log",
    ) as process:
        yield process.address.replace("127.0.0.1", "localhost")


async def test_a_game_over_tls_with_a_key(secure_server: str) -> None:
    async with Client(secure_server, tls=CERTIFICATE.read_bytes(), api_key=KEY) as client:
        table = await begun(client)
        await play_out(*table.seats)
        assert (await table.host.get()).state == Game.STATE_FINISHED


async def test_a_key_that_the_service_does_not_know(secure_server: str) -> None:
    async with Client(secure_server, tls=CERTIFICATE.read_bytes(), api_key="another") as client:
        with pytest.raises(ColtExpressError) as raised:
            await client.create(3)
    assert raised.value.code is grpc.StatusCode.UNAUTHENTICATED
    assert raised.value.reason == "UNKNOWN_API_KEY"
    assert "another" not in str(raised.value)


@pytest.mark.parametrize("tls", [False, True], ids=["no TLS", "a certificate nobody vouches for"])
async def test_a_service_that_cannot_be_trusted(secure_server: str, tls: bool) -> None:
    async with Client(secure_server, tls=tls, retries=AT_ONCE) as client:
        with pytest.raises(Unavailable):
            await client.info()
