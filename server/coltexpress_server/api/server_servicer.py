"""ServerService: what a client may want to know before it plays."""

from __future__ import annotations

from datetime import timedelta
from importlib.metadata import version
from typing import Final

from google.protobuf.duration_pb2 import Duration

from coltexpress.v1 import server_service_pb2 as pb
from coltexpress_server.api.calls import Calls, Context
from coltexpress_server.api.catalog import sizes
from coltexpress_server.bots.levels import LEVELS
from coltexpress_server.game.codec import RULES_REVISION

RELEASE: Final = version("colt-express-server")


class ServerServicer:
    """Versions and limits."""

    def __init__(
        self,
        calls: Calls,
        *,
        fixed_seed_allowed: bool,
        longest_wait_s: float,
        heartbeat_s: float,
        largest_request: int,
    ) -> None:
        """Takes what this server is set to."""
        self._calls: Final = calls
        self._info: Final = pb.ServerInfo(
            version=RELEASE,
            api_versions=["v1"],
            rules_revision=RULES_REVISION,
            fixed_seed_allowed=fixed_seed_allowed,
            longest_wait=_duration(longest_wait_s),
            heartbeat_interval=_duration(heartbeat_s),
            largest_request=largest_request,
            table_sizes=sizes(),
            bot_levels=LEVELS,
        )

    async def GetServerInfo(
        self, request: pb.GetServerInfoRequest, context: Context
    ) -> pb.ServerInfo:
        """Versions and limits of this server."""
        async with self._calls.read("GetServerInfo", context):
            return self._info


def _duration(seconds: float) -> Duration:
    found = Duration()
    found.FromTimedelta(timedelta(seconds=seconds))
    return found
