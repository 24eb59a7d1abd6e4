"""Whether the service in this container is ready: what HEALTHCHECK in deploy/image asks.

Run as `python -m coltexpress_server.container_health`, with the settings of the service in the
environment: exits with 0 if it is, else says why and exits with 1. It is run every few seconds, so
it imports nothing that it need not.
"""

from __future__ import annotations

import os
import socket
import ssl
import sys
from collections.abc import Mapping
from typing import Final
from urllib.request import HTTPSHandler, ProxyHandler, build_opener

_LIMIT_S: Final = 2.0
_EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (nothing listens here)


def check(environment: Mapping[str, str]) -> None:
    """Ask the HTTP port whether the service is ready; without one, whether gRPC's is open.

    environment: with settings as environment variables. Raises OSError where it is not ready.
    """
    host = environment.get("COLTEXPRESS_HOST", "127.0.0.1")
    host = _EVERYWHERE.get(host, host)
    port = environment.get("COLTEXPRESS_HTTP_PORT", "8080")
    if port == "off":
        grpc_port = int(environment.get("COLTEXPRESS_GRPC_PORT", "50051"))
        socket.create_connection((host, grpc_port), timeout=_LIMIT_S).close()
        return
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    scheme = "https" if environment.get("COLTEXPRESS_TLS_CERT") else "http"
    # The certificate is for the name that others know the service by.
    trusting = ssl.create_default_context()
    trusting.check_hostname = False
    trusting.verify_mode = ssl.CERT_NONE
    opener = build_opener(ProxyHandler({}), HTTPSHandler(context=trusting))
    opener.open(f"{scheme}://{place}/readyz", timeout=_LIMIT_S).close()


if __name__ == "__main__":
    try:
        check(os.environ)
    except OSError as error:
        sys.exit(f"not ready: {error}")
