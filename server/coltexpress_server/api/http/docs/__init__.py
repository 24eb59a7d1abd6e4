"""The readable page: Swagger UI on the OpenAPI document; all that it loads comes from here."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path
from typing import Final

from starlette.routing import Route

from coltexpress_server.api.http.fixed import Fixed

# Swagger UI sets styles in its elements, and has images in its style sheet.
_POLICY: Final = (
    b"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    b"img-src 'self' data:; connect-src 'self'; "
    b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HTML: Final = "text/html; charset=utf-8"
_SCRIPT: Final = "text/javascript; charset=utf-8"
_STYLE: Final = "text/css; charset=utf-8"


def pages() -> list[Route]:
    """The page, and what it loads."""
    style, script = "swagger-ui.css", "swagger-ui-bundle.js"
    return [
        Route("/docs", Fixed(_ours("page.html"), _HTML, [(b"content-security-policy", _POLICY)])),
        Route("/docs/page.js", Fixed(_ours("page.js"), _SCRIPT)),
        Route(f"/docs/{style}", Fixed(_swagger_uis(style), _STYLE)),
        Route(f"/docs/{script}", Fixed(_swagger_uis(script), _SCRIPT)),
    ]


def _ours(name: str) -> Callable[[], bytes]:
    return files(__package__).joinpath(name).read_bytes


def _swagger_uis(name: str) -> Callable[[], bytes]:
    """Reads a file of Swagger UI; the module that it comes with, for Flask, is not imported."""
    folder = distribution("flask-swagger-ui").locate_file("flask_swagger_ui/dist")
    return Path(str(folder), name).read_bytes
