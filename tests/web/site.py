"""A web server for the pages, of another origin than the service."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread


class Files(SimpleHTTPRequestHandler):
    """Serves files of this folder, and does not say so."""

    def log_message(self, *message: object) -> None:
        """Says nothing."""


@contextmanager
def site() -> Iterator[str]:
    """Serves this folder while the block lasts; gives the origin, http://127.0.0.1:PORT."""
    handler = partial(Files, directory=str(Path(__file__).parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
