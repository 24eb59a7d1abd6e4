"""The channel to the service, and how its methods are called."""

from __future__ import annotations

from typing import Final, TypeVar

import grpc

from coltexpress.errors import error_of
from coltexpress.retries import Retries, Trying
from coltexpress.v1.admin_service_pb2_grpc import AdminServiceStub
from coltexpress.v1.catalog_service_pb2_grpc import CatalogServiceStub
from coltexpress.v1.game_service_pb2_grpc import GameServiceStub
from coltexpress.v1.seat_service_pb2_grpc import SeatServiceStub
from coltexpress.v1.server_service_pb2_grpc import ServerServiceStub

Request = TypeVar("Request")
Response = TypeVar("Response")

_OPTIONS: Final = [
    # Where a name stands for several replicas: use them all.
    ("grpc.lb_policy_name", "round_robin"),
    # The library's own, a second to two minutes, is slow to find a server that was restarted.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # As much as the service sends at most.
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    # Find out that the other side is gone even where it cannot say so.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # What is tried again, and when, is said in `retries`.
    ("grpc.enable_retries", 0),
]


class Connection:
    """A channel to the service, shared by all that one client does.

    target: as gRPC names servers: "host:port", "dns:///host:port", "ipv4:a:port,b:port".
    api_key: empty for an anonymous caller.
    tls: whether to use TLS; as bytes: the certificates to trust (PEM) instead of the usual ones.
    language: of texts for people, as in the header Accept-Language; empty for the service's own.
    admin_key: empty for all but operators.
    """

    def __init__(
        self,
        target: str,
        *,
        api_key: str,
        tls: bool | bytes,
        retries: Retries,
        language: str,
        admin_key: str,
    ) -> None:
        if tls is False:
            channel = grpc.aio.insecure_channel(target, options=_OPTIONS)
        else:
            trusted = tls if isinstance(tls, bytes) else None
            channel = grpc.aio.secure_channel(
                target, grpc.ssl_channel_credentials(trusted), options=_OPTIONS
            )
        self._channel: Final = channel
        self._api_key: Final = api_key
        self._admin_key: Final = admin_key
        self._language: Final = language
        self.retries: Final = retries
        self.admin: Final = AdminServiceStub(channel)
        self.catalog: Final = CatalogServiceStub(channel)
        self.games: Final = GameServiceStub(channel)
        self.seats: Final = SeatServiceStub(channel)
        self.server: Final = ServerServiceStub(channel)

    async def close(self) -> None:
        """Close the channel; calls in flight are cancelled."""
        await self._channel.close()

    async def call(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[Request, Response],
        request: Request,
        token: str = "",
        *,
        wait: float = 0.0,
    ) -> Response:
        """Call a method until it answers, with the same request every time.

        token: of a host or a seat; empty to call as a spectator.
        wait: seconds that the service was asked to wait before it answers.

        Raises:
            ColtExpressError: the request was refused; Unavailable if there was no answer.
        """
        trying = Trying(self.retries)
        timeout = wait + self.retries.attempt
        while True:
            try:
                return await method(
                    request, timeout=timeout, metadata=self.metadata(token, game_of(request))
                )
            except grpc.aio.AioRpcError as failure:
                error = error_of(failure)
            await trying.wait_after(error)

    def metadata(self, token: str, game: str = "") -> tuple[tuple[str, str], ...]:
        """What shows who calls, about which game, and which language he speaks."""
        api_key = (("x-api-key", self._api_key),) if self._api_key else ()
        admin_key = (("x-admin-key", self._admin_key),) if self._admin_key else ()
        bearer = (("authorization", f"Bearer {token}"),) if token else ()
        language = (("accept-language", self._language),) if self._language else ()
        # A proxy may lead all calls about a game to the same server, which then has it at hand.
        about = (("x-game", game),) if game else ()
        return api_key + admin_key + bearer + language + about


def game_of(request: object) -> str:
    """The name of the game that a request is about, if a header can carry it; else empty."""
    name = str(getattr(request, "name", "") or getattr(request, "parent", ""))
    return name if name.isascii() and name.isprintable() else ""
