"""Answers that are the same for everybody as long as the process lives."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from starlette.types import Receive, Scope, Send

from coltexpress_server.api.errors import failure
from coltexpress_server.api.http import errors
from coltexpress_server.api.http.receiving import header
from coltexpress_server.api.http.sending import Headers, begin, end
from coltexpress_server.service.refusals import Refused

_READS: Final = ("GET", "HEAD")
_ALLOW: Final = "OPTIONS, GET"


@dataclass
class Fixed:
    """Answers GET with a content, or with 304 to those who have it already.

    make: makes the content, when it is asked for first. headers: beside those of all contents.
    """

    make: Callable[[], bytes]
    content_type: str
    headers: Headers = field(default_factory=list)

    @cached_property
    def content(self) -> bytes:
        """The content."""
        return self.make()

    @cached_property
    def tag(self) -> str:
        """Names the content (RFC 9110, 8.8.3)."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:32]}"'

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["method"] not in _READS:
            refused = failure(
                Refused("VERB_NOT_ALLOWED", f"this path takes {_ALLOW}", allow=_ALLOW)
            )
            if scope["method"] == "OPTIONS":
                await begin(send, 204, errors.headers_of(refused))
                await end(send)
            else:
                await errors.send_failure(send, refused)
            return
        headers = [
            # It may be kept, and is asked for anew: with another release it is another one.
            (b"cache-control", b"no-cache"),
            (b"etag", self.tag.encode()),
            *self.headers,
        ]
        known = {each.strip().removeprefix("W/") for each in _known(scope)}
        if self.tag in known or "*" in known:
            await begin(send, 304, headers)
            await end(send)
            return
        length = str(len(self.content)).encode()
        headers += [(b"content-type", self.content_type.encode()), (b"content-length", length)]
        await begin(send, 200, headers)
        await end(send, self.content)


def _known(scope: Scope) -> list[str]:
    return header(scope, b"if-none-match").split(",")
