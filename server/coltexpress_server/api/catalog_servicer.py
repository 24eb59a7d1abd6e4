"""CatalogService: what is in the boxes."""

from __future__ import annotations

from typing import Final

from coltexpress.v1 import catalog_service_pb2 as pb
from coltexpress.v1.catalog_pb2 import Catalog
from coltexpress_server.api.calls import Calls, Context
from coltexpress_server.api.catalog import catalog


class CatalogServicer:
    """The catalogue, which is the same for everybody."""

    def __init__(self, calls: Calls) -> None:
        """calls: take the caller's in."""
        self._calls: Final = calls

    async def GetCatalog(self, request: pb.GetCatalogRequest, context: Context) -> Catalog:
        """The whole catalogue in the caller's language."""
        async with self._calls.read("GetCatalog", context) as call:
            return catalog(call.language)
