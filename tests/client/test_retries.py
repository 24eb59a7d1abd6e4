from __future__ import annotations

import asyncio

import grpc
import pytest

from coltexpress import ColtExpressError, Retries, Unavailable
from coltexpress.retries import Trying

QUICK = Retries(first_wait=0.001, longest_wait=0.001, patience=60)


def unavailable(retry_after: float | None = None) -> ColtExpressError:
    return Unavailable("Gone.", grpc.StatusCode.UNAVAILABLE, retry_after=retry_after)


@pytest.mark.parametrize(
    "error",
    [
        unavailable(),
        Unavailable("Late.", grpc.StatusCode.DEADLINE_EXCEEDED),
        Unavailable("Broken.", grpc.StatusCode.CANCELLED),
        ColtExpressError("Crowded.", grpc.StatusCode.ABORTED, "CONFLICT"),
        ColtExpressError(
            "Busy.", grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY", retry_after=0.001
        ),
    ],
    ids=str,
)
async def test_what_may_pass_is_tried_again(error: ColtExpressError) -> None:
    trying = Trying(QUICK)
    await trying.wait_after(error)
    await trying.wait_after(error)


@pytest.mark.parametrize(
    "error",
    [
        ColtExpressError("No.", grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"),
        ColtExpressError("No.", grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND"),
        ColtExpressError("Late.", grpc.StatusCode.ABORTED, "DECISION_CLOSED"),
        ColtExpressError("Used.", grpc.StatusCode.ABORTED, "REQUEST_ID_REUSED"),
        ColtExpressError("Too large.", grpc.StatusCode.RESOURCE_EXHAUSTED),
        ColtExpressError("A defect.", grpc.StatusCode.INTERNAL, "INTERNAL"),
    ],
    ids=str,
)
async def test_what_will_not_pass_is_raised_at_once(error: ColtExpressError) -> None:
    with pytest.raises(ColtExpressError) as raised:
        await Trying(QUICK).wait_after(error)
    assert raised.value is error


async def test_patience_ends() -> None:
    trying = Trying(Retries(first_wait=0.01, longest_wait=0.01, patience=0.05))
    await trying.wait_after(unavailable())

    async def wait_on() -> None:
        while True:
            await trying.wait_after(unavailable())

    with pytest.raises(Unavailable):
        await wait_on()


async def test_patience_begins_anew_after_a_sign_of_life() -> None:
    trying = Trying(Retries(first_wait=0.01, longest_wait=0.01, patience=0.05))
    for _ in range(20):
        await trying.wait_after(unavailable())
        trying.succeeded()


async def test_without_patience_nothing_is_tried_twice() -> None:
    with pytest.raises(Unavailable):
        await Trying(Retries(patience=0)).wait_after(unavailable())


async def test_the_service_is_not_asked_earlier_than_it_wants() -> None:
    loop = asyncio.get_running_loop()
    start = loop.time()
    await Trying(QUICK).wait_after(unavailable(retry_after=0.05))
    assert loop.time() - start >= 0.049


async def test_a_wait_beyond_patience_is_not_begun() -> None:
    with pytest.raises(Unavailable):
        await Trying(Retries(patience=1)).wait_after(unavailable(retry_after=100))
