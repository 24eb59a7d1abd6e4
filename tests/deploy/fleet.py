"""Replicas of the service behind Envoy, which come and go as they do on Kubernetes."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from coltexpress_server.server_process import ServerProcess
from tests.deploy.edge import Envoy, Ports
from tests.promises.replicas import on_store
from tests.store.fleet import free_ports

DRAIN_S: Final = "4"
"""How long a replica that is told to stop goes on, as in deploy/compose.yaml: Envoy takes up to two
seconds to find out."""


def replica_on(
    host: str, ports: Ports, store_url: str, log: Path, *arguments: str
) -> ServerProcess:
    """A replica on one of loopback's addresses; enter it to start it."""
    places = ("--host", host, "--grpc-port", str(ports.grpc), "--http-port", str(ports.http))
    return on_store(store_url, log, *places, *arguments)


@dataclass
class Replica:
    """One of a fleet's, and where it listens."""

    host: str
    process: ServerProcess


class Fleet:
    """So many replicas on one store, behind Envoy.

    Entered, it runs; left, everything of it is stopped.
    """

    def __init__(self, store_url: str, size: int, folder: Path, *arguments: str) -> None:
        """folder: an existing one, for logs. arguments: further ones for `colt-express serve`."""
        self._store_url: Final = store_url
        self._folder: Final = folder
        self._arguments: Final = ("--drain-s", DRAIN_S, "--grace-s", "10", *arguments)
        self._ports: Final = Ports(*free_ports(2))
        self._numbers: Final = count(2)  # 127.0.0.1 is Envoy's
        self._stack: Final = AsyncExitStack()
        self.replicas: Final = [self._new() for _ in range(size)]
        self.envoy: Final = Envoy([each.host for each in self.replicas], self._ports, folder)

    async def __aenter__(self) -> Self:
        """Start replicas, then Envoy."""
        self._stack.push_async_callback(self._stop_all)
        try:
            await asyncio.gather(*(asyncio.to_thread(each.process.start) for each in self.replicas))
            await asyncio.to_thread(self.envoy.__enter__)
            self._stack.callback(self.envoy.stop)
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop Envoy, then the replicas."""
        await self._stack.aclose()

    @property
    def address(self) -> str:
        """HOST:PORT of Envoy, for everything."""
        return self.envoy.address

    async def drain(self, number: int) -> None:
        """Let a replica go, and bring another one when it is gone, as when a node is emptied."""
        old = self.replicas[number]
        self.envoy.lead_to([each.host for each in self.replicas if each is not old])
        await _end(old)
        await self._bring(number)

    async def replace(self, number: int) -> None:
        """Bring another replica, then let this one go, as when a release is rolled out."""
        old = self.replicas[number]
        await self._bring(number)
        await _end(old)

    async def kill(self, number: int) -> None:
        """End a replica with SIGKILL, and start it anew where it was, as a container is."""
        process = self.replicas[number].process
        await asyncio.to_thread(process.kill)
        await asyncio.to_thread(process.start)

    async def _bring(self, number: int) -> None:
        new = self.replicas[number] = self._new()
        await asyncio.to_thread(new.process.start)
        self.envoy.lead_to([each.host for each in self.replicas])

    def _new(self) -> Replica:
        host = f"127.0.0.{next(self._numbers)}"
        log = self._folder / f"replica {host}"
        return Replica(host, replica_on(host, self._ports, self._store_url, log, *self._arguments))

    async def _stop_all(self) -> None:
        await asyncio.gather(*(asyncio.to_thread(each.process.stop) for each in self.replicas))


async def _end(replica: Replica) -> None:
    status = await asyncio.to_thread(replica.process.stop)
    if status != 0:
        raise RuntimeError(f"a replica that was told to stop ended with {status}")
