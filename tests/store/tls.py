"""TLS in front of servers that do not speak it themselves, as the wheel's does not."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Final, Self

_HANDSHAKE: Final = b"\x16"
"""How a client begins that speaks TLS."""
_LIBRARY: Final = b"redis-py"
"""What each connection of the service's says of itself in the beginning, and no server does."""


def certificates(folder: Path) -> None:
    """Make up a CA, ca.crt, and certificates of its: server.crt for 127.0.0.1, client.crt."""

    def openssl(*arguments: str) -> None:
        subprocess.run(
            ["openssl", *arguments],  # noqa: S607 - wherever it is
            cwd=folder,
            check=True,
            capture_output=True,
        )

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    openssl(*("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.crt"), *("-subj", "/CN=ours"))
    (folder / "for").write_text("subjectAltName=IP:127.0.0.1\n")
    for name in ("server", "client"):
        openssl(*("req", *key, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", "/CN=x"))
        openssl(
            *("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key"),
            *("-CAcreateserial", "-extfile", "for", "-out", f"{name}.crt"),
        )


class Fronts:
    """Ports at which servers are reached by TLS, while this is entered as a context."""

    def __init__(self, folder: Path, *, asks_clients: bool = False) -> None:
        """folder: with certificates, see above. asks_clients: whether clients need one too."""
        self.ports: Final[dict[int, int]] = {}
        """By the port of a server, the one in front of it."""
        self.spoken_to_in_the_clear = False
        """Whether the service has spoken to a server without TLS, which got it nowhere."""
        self._context: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(folder / "server.crt", folder / "server.key")
        if asks_clients:
            self._context.load_verify_locations(folder / "ca.crt")
            self._context.verify_mode = ssl.CERT_REQUIRED
        self._listening: Final[dict[socket.socket, asyncio.Task[None]]] = {}
        self._serving: Final[dict[asyncio.Task[None], socket.socket]] = {}

    async def __aenter__(self) -> Self:
        """Begin."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the ports, and end all connections as their clients would."""
        for listening, accepting in self._listening.items():
            accepting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await accepting
            listening.close()
        while self._serving:
            for client in self._serving.values():
                with contextlib.suppress(OSError):
                    client.shutdown(socket.SHUT_RDWR)
            await asyncio.wait(self._serving)

    def before(self, port: int) -> int:
        """Open a port that leads to a server's.

        Fellow servers, which find each other by the addresses that clients are told, come in the
        clear: that is passed on too, but for what the service says.
        """
        listening = socket.create_server(("127.0.0.1", 0))
        listening.setblocking(False)
        self.ports[port] = listening.getsockname()[1]
        self._listening[listening] = asyncio.create_task(self._accept(listening, port))
        return self.ports[port]

    async def _accept(self, listening: socket.socket, port: int) -> None:
        loop = asyncio.get_running_loop()
        while True:
            client, _ = await loop.sock_accept(listening)
            task = asyncio.create_task(self._serve(client, port))
            self._serving[task] = client
            task.add_done_callback(self._serving.pop)

    async def _serve(self, client: socket.socket, port: int) -> None:
        with contextlib.suppress(OSError):  # a handshake that fails, a server that is gone
            await self._connect(client, port)
        while client.fileno() != -1:  # noqa: ASYNC110 - nothing tells when its transport lets go
            await asyncio.sleep(0)

    async def _connect(self, client: socket.socket, port: int) -> None:
        loop = asyncio.get_running_loop()
        readable = asyncio.Event()
        loop.add_reader(client, readable.set)
        await readable.wait()
        loop.remove_reader(client)
        try:
            encrypted = client.recv(len(_HANDSHAKE), socket.MSG_PEEK) == _HANDSHAKE
        except OSError:
            client.close()
            raise
        from_client = asyncio.StreamReader()
        transport, protocol = await loop.connect_accepted_socket(
            lambda: asyncio.StreamReaderProtocol(from_client),
            client,
            ssl=self._context if encrypted else None,
        )
        to_client = asyncio.StreamWriter(transport, protocol, from_client, loop)
        try:
            from_server, to_server = await asyncio.open_connection("127.0.0.1", port)
            if to_server.get_extra_info("sockname") == to_server.get_extra_info("peername"):
                # Where nobody listens any more a connection may come to lead to itself.
                to_server.close()
            await asyncio.gather(
                self._pass_on(from_client, to_server, looks=not encrypted),
                self._pass_on(from_server, to_client),
            )
            await to_server.wait_closed()
        finally:
            transport.abort()

    async def _pass_on(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, looks: bool = False
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                if looks and _LIBRARY in data:
                    self.spoken_to_in_the_clear = True
                    break
                target.write(data)
                await target.drain()
        target.close()
