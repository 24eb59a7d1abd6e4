"""Addresses to listen on, and certificates to do so with, for all servers of a process."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl

from coltexpress_server.settings import Settings

_SEND_BUFFER = 64 * 1024


class CannotListen(Exception):
    """The address cannot be listened on, or not with this certificate; the message says why."""


async def bind(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen on a host's addresses, all at one port; 0 for any that is free.

    Raises:
        CannotListen: see there.
    """
    loop = asyncio.get_running_loop()
    found: list[socket.socket] = []
    try:
        addresses = await loop.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        for family, _, _, _, address in addresses:
            place = (address[0], found[0].getsockname()[1] if found else port)
            # As gRPC does it: "::" stands for all addresses of both kinds.
            both = address[0] == "::" and socket.has_dualstack_ipv6()
            found.append(socket.create_server(place, family=family, dualstack_ipv6=both))
            # Connections inherit it; asyncio sets it on those of sockets that it has made itself.
            found[-1].setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # What waits for one who reads slowly is in memory, thousands of times.
            found[-1].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
    except socket.gaierror as error:
        raise CannotListen(f"cannot listen on {host}: {error.strerror}") from error
    except OSError as error:
        for each in found:
            each.close()
        # Python wraps the reason into a sentence of its own.
        reason = os.strerror(error.errno or 0)
        raise CannotListen(f"cannot listen on {host}:{port}: {reason}") from error
    return found


def check_certificate(settings: Settings) -> None:
    """Finds out whether the certificate and its key are good, where there are some.

    Raises:
        CannotListen: see there.
    """
    cert, key = settings.tls_cert, settings.tls_key
    if cert is None or key is None:
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)
    except ssl.SSLError as error:
        reason = error.reason or error.strerror
        raise CannotListen(f"no certificate with its key in {cert} and {key}: {reason}") from error
    except OSError as error:
        raise CannotListen(f"cannot read {cert} and {key}: {error.strerror}") from error
