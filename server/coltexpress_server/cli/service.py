"""The service that a command is a client of: how it is found, and how it is called."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from coltexpress import Client

T = TypeVar("T")

DEFAULT_SERVER = "localhost:50051"


@dataclass(frozen=True)
class Service:
    """Where a service is, and how it is called.

    server: as gRPC names servers, e.g. "host:port".
    tls: whether to use TLS, or the certificates to trust (PEM).
    admin_key: empty for all but operators.
    """

    server: str
    api_key: str = ""
    tls: bool | bytes = False
    admin_key: str = ""

    @asynccontextmanager
    async def connected(self, language: str = "", wait: float = 1.0) -> AsyncIterator[Client]:
        """A client of the service, which has answered once.

        language: of texts; empty for English. wait: for how many seconds to try.

        Raises:
            click.ClickException: it does not answer.
        """
        from coltexpress import Client, Retries, Unavailable

        asked_once = Retries(attempt=5, patience=wait)
        async with Client(
            self.server, api_key=self.api_key, tls=self.tls, retries=asked_once
        ) as client:
            try:
                await client.info()
            except Unavailable as error:
                raise click.ClickException(
                    f"no service answers at {self.server}: {error.message}"
                ) from error
        async with Client(
            self.server,
            api_key=self.api_key,
            tls=self.tls,
            language=language,
            admin_key=self.admin_key,
        ) as client:
            yield client


def service_options(
    default: str = DEFAULT_SERVER, meaning: str = "Where the service listens."
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Adds the options that say which service to use; the command gets a `Service` for them.

    default, meaning: of the option --server.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @click.option(
            "--server",
            metavar="HOST:PORT",
            default=default,
            envvar=["COLTEXPRESS_SERVER", "COLTEXPRESS_TARGET"],
            show_default=bool(default),
            show_envvar=True,
            help=meaning,
        )
        @click.option(
            "--api-key",
            default="",
            envvar="COLTEXPRESS_API_KEY",
            show_envvar=True,
            help="The key to call with; nobody's by default.",
        )
        @click.option("--tls", is_flag=True, help="Call over TLS.")
        @click.option(
            "--tls-roots",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="Call over TLS and trust the certificates in this file (PEM).",
        )
        @functools.wraps(command)
        def with_service(
            server: str, api_key: str, tls: bool, tls_roots: Path | None, **others: object
        ) -> None:
            trust = tls_roots.read_bytes() if tls_roots else tls
            command(Service(server, api_key, trust), **others)

        return with_service

    return decorate


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end.

    Raises:
        click.ClickException: the service refused something, or is gone.
    """
    import asyncio

    from coltexpress import ColtExpressError

    try:
        return asyncio.run(work)
    except ColtExpressError as error:
        raise click.ClickException(str(error)) from error


def game_name(game: str) -> str:
    """The name of a game of which the name or the id is given."""
    return game if game.startswith("games/") else f"games/{game}"
