"""A store that speaks TLS: its certificate is checked, and without the right CA nothing is said."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from coltexpress_server.store import Loaded, Store, StoreUnavailable
from tests.store.commits import make_game


def certificates(folder: Path) -> None:
    """Make up a CA, ca.crt, and a certificate of its for 127.0.0.1, server.crt."""

    def openssl(*arguments: str) -> None:
        subprocess.run(
            ["openssl", *arguments],  # noqa: S607 - wherever it is
            cwd=folder,
            check=True,
            capture_output=True,
        )

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    openssl(*("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.crt"), *("-subj", "/CN=ours"))
    openssl(*("req", *key, "-keyout", "server.key", "-out", "server.csr"), *("-subj", "/CN=store"))
    (folder / "for").write_text("subjectAltName=IP:127.0.0.1\n")
    openssl(
        *("x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key"),
        *("-CAcreateserial", "-extfile", "for", "-out", "server.crt"),
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificates")
    certificates(folder)
    return folder


async def pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
    target.close()


@pytest.fixture
async def port(folder: Path, valkey_url: str) -> AsyncIterator[int]:
    """Where the tests' server is reached by TLS, which the embedded one does not speak itself."""
    place = urlsplit(valkey_url)
    if place.scheme != "unix":
        pytest.skip("another server is its own to encrypt")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.crt", folder / "server.key")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_unix_connection(place.path)
        await asyncio.gather(pass_on(reader, forth), pass_on(back, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def test_games_are_kept_over_tls_where_the_ca_is_known(folder: Path, port: int) -> None:
    store = Store(f"rediss://127.0.0.1:{port}?ssl_ca_certs={folder}/ca.crt")
    try:
        assert (await store.check_server()).version
        game_id, _ = await make_game(store)
        assert isinstance(await store.load(game_id), Loaded)
    finally:
        await store.close()


@pytest.mark.parametrize("scheme", ["rediss", "redis"])
async def test_nothing_is_said_to_a_store_that_cannot_prove_itself(scheme: str, port: int) -> None:
    store = Store(f"{scheme}://127.0.0.1:{port}", timeout=0.5)
    try:
        with pytest.raises(StoreUnavailable):
            await store.check_server()
    finally:
        await store.close()
