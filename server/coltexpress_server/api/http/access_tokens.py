"""Watch tokens in URLs, for EventSource, which cannot send headers (RFC 6750, 2.3)."""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote_to_bytes

from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.watch_tokens import is_watch_token

PARAMETER: Final = "access_token"

_BEGINNING: Final = f"{PARAMETER}=".encode()


def taken_from(query: bytes) -> tuple[bytes, str]:
    """A query without its watch token, and that; empty where there is none.

    Raises Refused TOKEN_MISSING for another token: URLs are written down in too many places.
    """
    parts = query.split(b"&")
    tokens = [part for part in parts if part.startswith(_BEGINNING)]
    if not tokens:
        return query, ""
    token = unquote_to_bytes(tokens[-1].removeprefix(_BEGINNING)).decode("ascii", "replace")
    if not is_watch_token(token):
        raise Refused(
            "TOKEN_MISSING", "a URL takes a token of CreateWatchToken alone", field=PARAMETER
        )
    return b"&".join(part for part in parts if part not in tokens), token
