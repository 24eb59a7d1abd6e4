"""The page that Prometheus reads."""

from __future__ import annotations

from typing import Final

from starlette.types import Receive, Scope, Send

from coltexpress_server.api.http.receiving import header
from coltexpress_server.api.http.sending import begin, end
from coltexpress_server.metrics import Metrics
from coltexpress_server.service.census import Census


class MetricsPage:
    """Answers with all metrics of this process."""

    def __init__(self, metrics: Metrics, census: Census) -> None:
        """census: counts the games, which no process does by itself."""
        self._metrics: Final = metrics
        self._census: Final = census

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        await self._census.take()
        body, content_type = self._metrics.exposition(header(scope, b"accept"))
        length = str(len(body)).encode()
        headers = [(b"content-type", content_type.encode()), (b"content-length", length)]
        await begin(send, 200, headers)
        await end(send, body)
