from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from coltexpress_server.server_process import ServerProcess, temporary_server
from tests.store.fleet import free_ports

TLS = Path(__file__).parent / "api/tls"


def probe(**settings: object) -> subprocess.CompletedProcess[str]:
    """The command of the image's HEALTHCHECK, in a container with these settings."""
    given = {f"COLTEXPRESS_{name.upper()}": str(it) for name, it in settings.items()}
    return subprocess.run(
        [sys.executable, "-m", "coltexpress_server.container_health"],
        env={**os.environ, "http_proxy": "http://127.0.0.1:1", **given},
        capture_output=True,
        text=True,
        check=False,
    )


def ports_of(server: ServerProcess) -> dict[str, str]:
    http = server.http.rpartition(":")[2]
    return {"grpc_port": server.address.rpartition(":")[2], "http_port": http or "off"}


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "::"])  # noqa: S104 (as in a container)
def test_a_service_that_serves_is_ready(host: str) -> None:
    with temporary_server("--host", host) as server:
        assert probe(host=host, **ports_of(server)).returncode == 0


def test_so_is_one_that_speaks_tls() -> None:
    certificate = {"tls_cert": TLS / "cert.pem", "tls_key": TLS / "key.pem"}
    arguments = [f"--{name.replace('_', '-')}={path}" for name, path in certificate.items()]
    with temporary_server(*arguments) as server:
        assert probe(**certificate, **ports_of(server)).returncode == 0


def test_so_is_one_without_http() -> None:
    with temporary_server("--http-port", "off") as server:
        assert probe(**ports_of(server)).returncode == 0


@pytest.mark.parametrize("http", [True, False])
def test_where_nobody_serves_it_says_why(*, http: bool) -> None:
    grpc_port, http_port = free_ports(2)
    found = probe(grpc_port=grpc_port, http_port=http_port if http else "off")
    assert found.returncode == 1
    [line] = found.stderr.splitlines()
    assert line.startswith("not ready: ")
    assert "refused" in line
