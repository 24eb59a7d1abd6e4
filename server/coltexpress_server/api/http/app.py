"""The application behind the HTTP port: what answers which paths, what holds for all of them."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from typing import Final

import msgspec
import structlog
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Mount, Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coltexpress_server import tracing
from coltexpress_server.api.errors import Failure
from coltexpress_server.api.http import errors
from coltexpress_server.api.http.connect import Connect
from coltexpress_server.api.http.docs import pages
from coltexpress_server.api.http.fixed import Fixed
from coltexpress_server.api.http.health import Liveness, ReadinessProbe
from coltexpress_server.api.http.languages import Languages
from coltexpress_server.api.http.metrics import MetricsPage
from coltexpress_server.api.http.openapi import document
from coltexpress_server.api.http.receiving import header
from coltexpress_server.api.http.rest import Rest
from coltexpress_server.api.methods import Method
from coltexpress_server.service.readiness import Readiness
from coltexpress_server.settings import Settings

# What is answered belongs to one caller at one moment, is no page, and is what it says it is.
_HEADERS: Final = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)
_ACCEPTED: Final = (
    *("authorization", "content-type", "last-event-id", "x-api-key", "x-server-timeout"),
    "x-game",  # for proxies: see deploy/envoy
    *("traceparent", "tracestate"),
    *("connect-protocol-version", "connect-timeout-ms"),
    *("grpc-timeout", "x-grpc-web", "x-user-agent"),
)
_EXPOSED: Final = (
    *("allow", "retry-after", "traceresponse", "www-authenticate"),
    *("grpc-status", "grpc-message", "grpc-status-details-bin"),
)
_PREFLIGHT_S: Final = 7200
_ALWAYS: Final = frozenset({"/healthz", "/readyz", "/metrics"})
"""What is answered however many requests are open: a busy process is not to be taken for a dead
one, and is to be seen."""


def application(
    methods: Sequence[Method], readiness: Readiness, page: MetricsPage, settings: Settings
) -> ASGIApp:
    """Everything that the HTTP port answers; page: the metrics, unless they have their own port."""
    metrics = [Route("/metrics", page)] if settings.metrics_port is None else []
    connect = Languages(Connect(methods, largest_request=settings.largest_request))
    rest = Languages(Rest(methods, largest_request=settings.largest_request))

    def described() -> bytes:
        return msgspec.json.encode(document(methods))

    services = sorted({method.service for method in methods})
    routes = Router(
        [
            Route("/healthz", Liveness()),
            Route("/readyz", ReadinessProbe(readiness)),
            *metrics,
            Route("/v1/openapi.json", Fixed(described, "application/json")),
            *pages(),
            *(Mount(f"/{service}", connect) for service in services),
            Mount("", rest),
        ],
        redirect_slashes=False,
        default=rest,  # targets that are no paths: those meant for a proxy, and "*"
    )
    if not settings.cors_origins:
        return Guarded(routes, most=settings.max_calls)
    shared = CORSMiddleware(
        routes,
        allow_origins=settings.cors_origins,
        allow_methods=["GET", "POST", "PATCH", "DELETE"],
        allow_headers=_ACCEPTED,
        expose_headers=_EXPOSED,
        max_age=_PREFLIGHT_S,
    )
    return Guarded(shared, most=settings.max_calls)


def metrics_application(page: MetricsPage, settings: Settings) -> ASGIApp:
    """What the port for metrics answers."""
    return Guarded(Router([Route("/metrics", page)]), most=settings.max_calls)


class Guarded:
    """Limits how many requests are open, adds the headers of all answers, answers defects."""

    def __init__(self, app: ASGIApp, *, most: int) -> None:
        """app: answers the requests. most: how many at a time."""
        self._app: Final = app
        self._most: Final = most
        self._open = 0
        self._log: Final = structlog.get_logger(__name__)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        begun = False
        span = tracing.begin(header(scope, tracing.TRACEPARENT.encode()))
        headers = (*_HEADERS, (tracing.TRACERESPONSE.encode(), span.context.encode()))

        async def send_with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                span.note("http.response.status_code", message["status"])
                there = {name.lower() for name, _ in message["headers"]}
                added = [each for each in headers if each[0] not in there]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        if self._open >= self._most and scope["path"] not in _ALWAYS:
            busy = Failure("TOO_MANY", "too many requests are open here", {})
            await errors.send_failure(send_with_headers, busy)
            return
        self._open += 1
        try:
            await self._app(scope, receive, send_with_headers)
        except Exception as error:
            # What it says is left out: it may repeat what a caller has sent.
            where = "".join(traceback.format_tb(error.__traceback__))
            self._log.error("request", defect=f"{type(error).__qualname__}\n{where}")
            if begun:
                raise
            defect = Failure("INTERNAL", "a defect of the service; it has been logged", {})
            await errors.send_failure(send_with_headers, defect)
        finally:
            self._open -= 1
            span.end()  # only what is a call has got a name, and is recorded
