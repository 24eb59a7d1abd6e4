"""Which language an answer is in, for callers over HTTP who have asked for one."""

from __future__ import annotations

from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coltexpress_server.api.http.receiving import HttpContext
from coltexpress_server.api.languages import CONTENT_LANGUAGE, wanted_language


class Languages:
    """Names the language in the header of every answer; calls have spoken it already."""

    def __init__(self, app: ASGIApp) -> None:
        """app: answers the requests."""
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        language = wanted_language(HttpContext(scope).invocation_metadata())
        if language is None:
            await self._app(scope, receive, send)
            return
        named = (CONTENT_LANGUAGE.encode(), language.tag.encode())

        async def send_with_language(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], named]}
            await send(message)

        await self._app(scope, receive, send_with_language)
