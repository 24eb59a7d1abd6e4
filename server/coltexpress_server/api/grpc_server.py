"""The gRPC server: services, health, reflection, options, TLS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from coltexpress_server.api import grpc_handlers
from coltexpress_server.api.listening import CannotListen, bind, check_certificate
from coltexpress_server.api.methods import Method
from coltexpress_server.api.services import GAMES
from coltexpress_server.settings import Settings

_LARGEST_METADATA: Final = 8 * 1024
_LARGEST_RESPONSE: Final = 64 * 1024 * 1024
_SHORTEST_PING_INTERVAL_MS: Final = 10_000


class GrpcServer:
    """The API of one process over gRPC."""

    def __init__(self, methods: Sequence[Method], settings: Settings) -> None:
        """Prepares the server; it answers when started."""
        self._settings: Final = settings
        self._services: Final = sorted({method.service for method in methods})
        self._health: Final = health.aio.HealthServicer()
        self._server: Final = grpc.aio.server(options=_options(settings))
        grpc_handlers.add_to(self._server, methods, most=settings.max_calls)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection(
            (*self._services, health.SERVICE_NAME, reflection.SERVICE_NAME), self._server
        )

    async def start(self) -> str:
        """Listens; returns the address, HOST:PORT.

        Raises:
            CannotListen: see there.
        """
        host = self._settings.host
        await _try_to_listen(host, self._settings.grpc_port)
        if ":" in host:
            host = f"[{host}]"
        port = self._listen(f"{host}:{self._settings.grpc_port}")
        await self._server.start()
        for service in self._services:
            await self._health.set(service, health_pb2.HealthCheckResponse.SERVING)
        return f"{host}:{port}"

    async def show_ready(self, ready: bool) -> None:
        """Reports whether the games can be reached; that the process is alive is another matter."""
        status = health_pb2.HealthCheckResponse
        await self._health.set(GAMES.full_name, status.SERVING if ready else status.NOT_SERVING)

    async def turn_away(self) -> None:
        """Reports NOT_SERVING from now on, and goes on serving."""
        await self._health.enter_graceful_shutdown()

    async def stop(self, grace_s: float) -> None:
        """Takes no more calls, and gives those that are open some seconds to end."""
        await self._server.stop(grace_s)

    def _listen(self, address: str) -> int:
        try:
            credentials = _credentials(self._settings)
            if credentials is None:
                return self._server.add_insecure_port(address)
            return self._server.add_secure_port(address, credentials)
        except RuntimeError as error:
            raise CannotListen(f"cannot listen on {address}") from error


def _credentials(settings: Settings) -> grpc.ServerCredentials | None:
    """The certificate and its key; None without TLS."""
    cert, key = settings.tls_cert, settings.tls_key
    if cert is None or key is None:
        return None
    # gRPC itself says only that they are no good, and on standard error.
    check_certificate(settings)
    return grpc.ssl_server_credentials([(key.read_bytes(), cert.read_bytes())])


async def _try_to_listen(host: str, port: int) -> None:
    """Finds out why an address cannot be listened on: gRPC says so on standard error only."""
    for each in await bind(host, port):
        each.close()


def _options(settings: Settings) -> Sequence[tuple[str, int]]:
    """The options of the server (names as in grpc/impl/channel_arg_names.h)."""
    options = [
        ("grpc.so_reuseport", 0),  # a second server on this port is an error, not a partner
        ("grpc.max_receive_message_length", settings.largest_request),
        ("grpc.max_send_message_length", _LARGEST_RESPONSE),
        ("grpc.max_metadata_size", _LARGEST_METADATA),
        ("grpc.keepalive_time_ms", _ms(settings.keepalive_s)),
        ("grpc.keepalive_timeout_ms", _ms(min(settings.keepalive_s, 20.0))),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.http2.min_ping_interval_without_data_ms", _SHORTEST_PING_INTERVAL_MS),
    ]
    if settings.max_connection_age_s:
        options += [
            ("grpc.max_connection_age_ms", _ms(settings.max_connection_age_s)),
            ("grpc.max_connection_age_grace_ms", _ms(settings.max_connection_age_grace_s)),
        ]
    return options


def _ms(seconds: float) -> int:
    return max(1, round(seconds * 1000))
