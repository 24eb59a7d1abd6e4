"""Calls whose answers are kept as the bytes that came over the wire."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.message import Message

from coltexpress_server.tracing import TRACERESPONSE

Metadata = tuple[tuple[str, str | bytes], ...]

GAMES = "/coltexpress.v1.GameService/"
SERVER = "/coltexpress.v1.ServerService/"

PATIENCE_S = 20


@dataclass(frozen=True)
class Answer:
    """All that came back from a call."""

    messages: tuple[bytes, ...]
    code: grpc.StatusCode
    details: str
    initial: Metadata
    trailing: Metadata

    def replacing(self, old: bytes, new: bytes) -> Answer:
        """With some bytes in the place of others, as long as they are, wherever they are."""
        assert len(old) == len(new)
        return Answer(
            tuple(message.replace(old, new) for message in self.messages),
            self.code,
            self.details,
            self.initial,
            tuple(
                (key, value.replace(old, new) if isinstance(value, bytes) else value)
                for key, value in self.trailing
            ),
        )


async def call(
    channel: grpc.aio.Channel, path: str, request: Message | bytes, metadata: Metadata = ()
) -> Answer:
    """Makes a call that has one answer."""
    made: Any = channel.unary_unary(path)(_bytes(request), metadata=metadata, timeout=PATIENCE_S)
    try:
        messages: tuple[Any, ...] = (await made,)
    except grpc.aio.AioRpcError:
        messages = ()
    return await _answer(made, messages)


async def watch(
    channel: grpc.aio.Channel,
    path: str,
    request: Message | bytes,
    metadata: Metadata = (),
    *,
    messages: int,
) -> Answer:
    """Reads so many messages of a stream, or all of one that ends or fails earlier."""
    stream: Any = channel.unary_stream(path)(_bytes(request), metadata=metadata)
    found: list[Any] = []
    try:
        async with asyncio.timeout(PATIENCE_S):
            while len(found) < messages:
                message = await stream.read()
                if message is grpc.aio.EOF:
                    break
                found.append(message)
            else:
                stream.cancel()
    except grpc.aio.AioRpcError:
        pass
    return await _answer(stream, tuple(found))


async def _answer(made: Any, messages: tuple[Any, ...]) -> Answer:
    try:
        initial = tuple(await made.initial_metadata())
    except asyncio.CancelledError:
        initial = ()  # we have cancelled the call ourselves
    return Answer(
        messages,
        await made.code(),
        await made.details(),
        initial,
        # The id of a trace is made anew for every call, and tells nothing.
        tuple(each for each in await made.trailing_metadata() if each[0] != TRACERESPONSE),
    )


def _bytes(request: Message | bytes) -> Any:
    """The request's bytes, which a channel without a serializer sends as they are."""
    return request if isinstance(request, bytes) else request.SerializeToString()
