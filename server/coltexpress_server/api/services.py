"""The services that a process has, whatever transport they are called over."""

from __future__ import annotations

from collections.abc import Sequence

from coltexpress.v1 import (
    admin_service_pb2,
    catalog_service_pb2,
    game_service_pb2,
    seat_service_pb2,
    server_service_pb2,
)
from coltexpress_server.api.admin_servicer import AdminServicer
from coltexpress_server.api.calls import Calls
from coltexpress_server.api.catalog_servicer import CatalogServicer
from coltexpress_server.api.game_servicer import GameServicer
from coltexpress_server.api.methods import Method, methods_of
from coltexpress_server.api.principals import Principals
from coltexpress_server.api.seat_servicer import SeatServicer
from coltexpress_server.api.server_servicer import ServerServicer
from coltexpress_server.api.watching import Watches
from coltexpress_server.outgoing import Outgoing
from coltexpress_server.service.games import Games
from coltexpress_server.service.seats import Seats
from coltexpress_server.settings import Settings

ADMIN = admin_service_pb2.DESCRIPTOR.services_by_name["AdminService"]
GAMES = game_service_pb2.DESCRIPTOR.services_by_name["GameService"]
CATALOG = catalog_service_pb2.DESCRIPTOR.services_by_name["CatalogService"]
SEATS = seat_service_pb2.DESCRIPTOR.services_by_name["SeatService"]
SERVER = server_service_pb2.DESCRIPTOR.services_by_name["ServerService"]


def all_methods(games: Games, outgoing: Outgoing, settings: Settings) -> Sequence[Method]:
    """Every method of the API, carried out on these games."""
    principals = Principals(settings.api_keys, settings.admin_keys, settings.trusted_proxies)
    calls = Calls(principals, games.metrics)
    watches = Watches(most=settings.max_watches, patience_s=settings.watch_patience_s)
    game_servicer = GameServicer(
        games,
        calls,
        watches=watches,
        longest_wait_s=settings.longest_wait_s,
    )
    seat_servicer = SeatServicer(games, Seats(games), outgoing, calls, watches=watches)
    server_servicer = ServerServicer(
        calls,
        fixed_seed_allowed=settings.allow_fixed_seed,
        longest_wait_s=settings.longest_wait_s,
        heartbeat_s=settings.heartbeat_s,
        largest_request=settings.largest_request,
    )
    return [
        *methods_of(GAMES, game_servicer, calls),
        *methods_of(ADMIN, AdminServicer(games, calls), calls),
        *methods_of(CATALOG, CatalogServicer(calls), calls),
        *methods_of(SEATS, seat_servicer, calls),
        *methods_of(SERVER, server_servicer, calls),
    ]
