"""Whether the process is alive, and whether it should get requests; for probes."""

from __future__ import annotations

from typing import Final

from starlette.types import Receive, Scope, Send

from coltexpress_server.api.http.sending import send_json
from coltexpress_server.service.readiness import Readiness

_YES: Final = b'{"status":"SERVING"}'
_NO: Final = b'{"status":"NOT_SERVING"}'


class Liveness:
    """Answers 200: whoever gets no answer may restart the process."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        await send_json(send, _YES)


class ReadinessProbe:
    """Answers 200, or 503 while the store does not answer or the process is going down."""

    def __init__(self, readiness: Readiness) -> None:
        """readiness: of this process."""
        self._readiness: Final = readiness

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if self._readiness.ready:
            await send_json(send, _YES)
        else:
            await send_json(send, _NO, 503)
