"""Whether a server can be trusted with the games."""

from __future__ import annotations

from typing import Final

from coltexpress_server.store.errors import StoreUnfit
from coltexpress_server.store.records import Record

_OLDEST: Final = (6, 2)


class ServerInfo(Record, frozen=True):
    """The server behind a store.

    Attributes:
        version: what it calls itself, as in "Valkey 9.1.2".
        append_only: whether it writes each change to a file; where not, a restart loses some.
        warnings: sentences about its settings that whoever runs it should read.
    """

    version: str
    append_only: bool
    warnings: tuple[str, ...]


def examine(info: bytes, *, in_cluster: bool = False) -> ServerInfo:
    """Judge a server by its reply to INFO; `in_cluster` is what the store's URL says of it.

    Raises:
        StoreUnfit: it is older than 6.2, a node of a cluster or not against what the URL says, a
            replica, or set up so that it deletes games when its memory is full.
    """
    fields = dict(
        line.split(":", 1) for line in info.decode("utf-8", "replace").splitlines() if ":" in line
    )
    compatible = fields.get("redis_version", "0")
    if tuple(int(part) for part in compatible.split(".")[:2]) < _OLDEST:
        raise StoreUnfit(f"the server speaks as Redis {compatible}; 6.2 is the oldest that will do")
    if (fields.get("cluster_enabled") == "1") != in_cluster:
        raise StoreUnfit(
            "the server is not in a cluster, so its URL begins with redis://"
            if in_cluster
            else "the server is a node of a cluster, so its URL begins with redis+cluster://"
        )
    if fields.get("role") == "slave":
        raise StoreUnfit("the server is a replica, which takes no commits")
    return ServerInfo(
        version=(
            f"Valkey {fields['valkey_version']}"
            if "valkey_version" in fields
            else f"Redis {compatible}"
        ),
        append_only=fields.get("aof_enabled") == "1",
        warnings=tuple(_warnings(fields)),
    )


def _warnings(fields: dict[str, str]) -> list[str]:
    found = []
    if fields.get("aof_enabled") == "0":
        loss = "when the server ends, commits since its last snapshot are lost"
        found.append(f"appendonly is no: {loss}; set it to yes")
    policy = fields.get("maxmemory_policy", "noeviction")
    if policy == "noeviction":
        return found
    if fields.get("maxmemory", "0") != "0":
        raise StoreUnfit(
            f"the server deletes games when its memory is full (maxmemory-policy {policy});"
            " set maxmemory-policy to noeviction"
        )
    danger = "once a memory limit is set, the server deletes games when it is reached"
    return [*found, f"maxmemory-policy is {policy}: {danger}; set it to noeviction"]
