"""A name server on loopback, for the one name under which Envoy looks for the replicas."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

from dnslib import QTYPE, RR, A, DNSRecord
from dnslib.server import BaseResolver, DNSHandler, DNSLogger, DNSServer

_TTL: Final = 1  # s


class Names(BaseResolver):  # type: ignore[misc] # it has no annotations
    """Answers every question with the addresses of IPv4 given last, as a headless Service does.

    port: of UDP on 127.0.0.1, once the block is entered.
    """

    def __init__(self, addresses: Sequence[str]) -> None:
        self.port = 0
        self._addresses = tuple(addresses)
        self._server: DNSServer | None = None

    def __enter__(self) -> Self:
        """Begin to answer."""
        silent = DNSLogger("-request,-reply,-truncated,-error")
        self._server = DNSServer(self, address="127.0.0.1", port=0, logger=silent)
        self._server.start_thread()
        self.port = self._server.server.server_address[1]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Answer no more."""
        server, self._server = self._server, None
        if server is not None:
            server.stop()
            server.thread.join()
            server.server.server_close()

    def stand_for(self, addresses: Sequence[str]) -> None:
        """Answer with these from now on."""
        self._addresses = tuple(addresses)

    def resolve(self, request: DNSRecord, _handler: DNSHandler) -> DNSRecord:
        """What the server answers; called by its thread."""
        reply = request.reply()
        if request.q.qtype == QTYPE.A:
            for address in self._addresses:
                reply.add_answer(RR(request.q.qname, QTYPE.A, rdata=A(address), ttl=_TTL))
        return reply
