"""Processes of the service on one store, and what they say to a client."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, Final

import grpc
from google.protobuf.message import Message

from coltexpress import ColtExpressError
from coltexpress.errors import error_of
from coltexpress.v1 import game_service_pb2
from coltexpress_server.server_process import ServerProcess
from tests.api.tables import Service

Metadata = Sequence[tuple[str, str]]

_SERVICE: Final = game_service_pb2.DESCRIPTOR.services_by_name["GameService"].full_name


def on_store(url: str, log: Path, *arguments: str) -> ServerProcess:
    """A process of the service on a store that others use too; enter it to start it."""
    return ServerProcess(
        *("--redis", url, "--service-key-hex", "5e" * 32),
        *("--drain-s", "0", "--grace-s", "2", "--allow-fixed-seed"),
        *("--games-per-minute", "0", "--join-codes-per-minute", "0"),
        *arguments,
        log=log,
    )


@contextlib.asynccontextmanager
async def client_of(address: str) -> AsyncIterator[Service]:
    """A client with a connection of its own."""
    options = [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0)]
    async with grpc.aio.insecure_channel(address, options) as channel:
        yield Service(channel, address)


async def answer(
    service: Service,
    method: str,
    request: Message,
    metadata: Metadata = (),
    within: float | None = None,
) -> bytes | ColtExpressError:
    """What a method of GameService answers: the bytes on the wire, or the error.

    within: the deadline, in seconds from now.
    """
    call: Any = service.channel.unary_unary(
        f"/{_SERVICE}/{method}", request_serializer=type(request).SerializeToString
    )
    try:
        return bytes(await call(request, metadata=tuple(metadata), timeout=within))
    except grpc.aio.AioRpcError as failure:
        return error_of(failure)


async def refusal(
    service: Service, method: str, request: Message, metadata: Metadata = ()
) -> ColtExpressError:
    """The error that a method answers with; it is a failure of the test if it has none."""
    found = await answer(service, method, request, metadata)
    assert isinstance(found, ColtExpressError), "this should have been refused"
    return found


async def success(
    service: Service, method: str, request: Message, metadata: Metadata = ()
) -> bytes:
    """The bytes that a method answers; it is a failure of the test if it refuses."""
    found = await answer(service, method, request, metadata)
    if isinstance(found, ColtExpressError):
        raise found
    return found


async def at_once(
    services: Sequence[Service], method: str, requests: Sequence[Message], metadata: Metadata = ()
) -> list[bytes | ColtExpressError]:
    """What a method answers to requests sent all at once, to each service in turn."""
    return await asyncio.gather(
        *(
            answer(services[number % len(services)], method, request, metadata)
            for number, request in enumerate(requests)
        )
    )
