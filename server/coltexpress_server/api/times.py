"""Times as messages."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp


def timestamp(time_ms: int) -> Timestamp:
    """A time of the store's clock, in ms since 1970."""
    return Timestamp(seconds=time_ms // 1000, nanos=time_ms % 1000 * 1_000_000)
