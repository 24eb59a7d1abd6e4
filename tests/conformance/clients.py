"""Clients that the kit must let pass, and one for each thing that it must not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from random import Random
from typing import Any
from uuid import uuid4

import grpc
import httpx

from coltexpress import Client, ColtExpressError, Decision, Retries, Seat, play, random_bot
from coltexpress.errors import error_of
from coltexpress.v1.action_pb2 import Action
from coltexpress.v1.event_pb2 import Commit
from coltexpress.v1.game_pb2 import Game
from coltexpress.v1.game_service_pb2 import (
    EndOfStream,
    JoinGameRequest,
    SubmitActionRequest,
    WatchGameRequest,
)
from coltexpress.v1.game_service_pb2_grpc import GameServiceStub
from coltexpress.v1.vocabulary_pb2 import DecisionKind

QUICK = Retries(attempt=10, patience=30, first_wait=0.05, longest_wait=0.4)
ONCE = Retries(attempt=10, patience=0)

Told = Mapping[str, str]


async def well_behaved(told: Told, said: list[str]) -> int:
    """What `colt-express bot` does, without a process of its own."""
    async with Client(told["COLTEXPRESS_TARGET"], retries=QUICK) as client:
        await play(await sit_down(client, told), random_bot(Random(1)))
    return 0


async def over_rest(told: Told, said: list[str]) -> int:
    """Plays by long polls, and repeats what did not arrive."""
    url = f"{told['COLTEXPRESS_HTTP']}/v1/{told['COLTEXPRESS_GAME']}"
    async with httpx.AsyncClient() as http:

        async def call(verb: str, path: str, **what: Any) -> Any:
            while True:
                try:
                    answer = await http.request(verb, url + path, **what)
                except httpx.TransportError:
                    await asyncio.sleep(0.1)
                    continue
                if answer.status_code == httpx.codes.BAD_GATEWAY:
                    await asyncio.sleep(0.1)
                    continue
                if "retry-after" not in answer.headers:
                    break
                await asyncio.sleep(float(answer.headers["retry-after"]))
            if answer.status_code == httpx.codes.CONFLICT:
                return {}
            return answer.raise_for_status().json()

        joined = await call("POST", ":join", json={"requestId": str(uuid4())})
        http.headers["authorization"] = f"Bearer {joined['seatToken']}"
        game = joined["game"]
        while game["state"] != "STATE_FINISHED":
            for each in game.get("decisions", ()):
                if each["seat"] == joined["seat"]:
                    answer = {"optionId": each["options"][0]["optionId"]}
                    answer |= {"decisionId": each["id"], "requestId": str(uuid4())}
                    await call("POST", "/actions", json=answer)
            game = await call("GET", "", params={"waitForVersion": int(game["version"]) + 1})
    return 0


async def sit_down(client: Client, told: Told) -> Seat:
    seat = told["COLTEXPRESS_SEAT"]
    return await client.join(
        told["COLTEXPRESS_GAME"],
        seat=int(seat) if seat else None,
        join_code=told["COLTEXPRESS_JOIN_CODE"],
    )


class Plain:
    """A client on the bare stubs that copes with everything; the others get one thing wrong."""

    async def __call__(self, told: Told, said: list[str]) -> int:
        async with grpc.aio.insecure_channel(told["COLTEXPRESS_TARGET"]) as channel:
            self.stub = GameServiceStub(channel)
            self.name = told["COLTEXPRESS_GAME"]
            join = JoinGameRequest(name=self.name)
            self.metadata: Any = ()
            joined = await self.call(self.stub.JoinGame, join)
            self.seat = joined.seat
            self.metadata = (("authorization", f"Bearer {joined.seat_token}"),)
            answered: set[str] = set()
            async for step in self.steps():
                if isinstance(step, Game):
                    answered.clear()
                for decision in step.decisions:
                    if decision.seat == self.seat and decision.id not in answered:
                        answered.add(decision.id)
                        await self.decide(decision)
        return 0

    async def decide(self, decision: Decision) -> None:
        await self.submit(decision.id, decision.options[0].option_id)

    async def submit(self, decision: str, option: str) -> bool:
        """Whether the answer was in time."""
        request = SubmitActionRequest(name=self.name, decision_id=decision, option_id=option)
        try:
            await self.call(self.stub.SubmitAction, request)
        except grpc.aio.AioRpcError as error:
            if error_of(error).reason not in {"DECISION_CLOSED", "GAME_OVER"}:
                raise
            return False
        return True

    async def call(self, method: Any, request: Any) -> Any:
        request.request_id = str(uuid4())
        while True:
            try:
                return await method(request, metadata=self.metadata, wait_for_ready=True)
            except grpc.aio.AioRpcError as error:
                await self.wait_after(error)

    async def wait_after(self, error: grpc.aio.AioRpcError) -> None:
        found = error_of(error)
        if error.code() not in self.passing(found) and found.retry_after is None:
            raise error
        await asyncio.sleep(0.1 if found.retry_after is None else found.retry_after)

    def passing(self, error: ColtExpressError) -> set[grpc.StatusCode]:
        broken = set() if error.reason else {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN}
        return broken | {grpc.StatusCode.UNAVAILABLE}

    async def steps(self) -> AsyncIterator[Game | Commit]:
        cursor = ""
        while True:
            request = WatchGameRequest(name=self.name, cursor=self.resume(cursor))
            try:
                async for message in self.stub.WatchGame(
                    request, metadata=self.metadata, wait_for_ready=True
                ):
                    if message.HasField("end"):
                        if message.end.reason == EndOfStream.REASON_GAME_OVER:
                            return
                        if message.end.reason == EndOfStream.REASON_CURSOR_UNKNOWN:
                            cursor = self.forget(cursor)
                    elif message.HasField("heartbeat"):
                        cursor = message.heartbeat.cursor
                    else:
                        step = message.game if message.HasField("game") else message.commit
                        cursor = step.cursor
                        yield step
            except grpc.aio.AioRpcError as error:
                await self.wait_after(error)

    def resume(self, cursor: str) -> str:
        return cursor

    def forget(self, cursor: str) -> str:
        return ""


async def leaves_at_once(told: Told, said: list[str]) -> int:
    async with Client(told["COLTEXPRESS_TARGET"]) as client:
        await sit_down(client, told)
    return 0


async def never_ends(told: Told, said: list[str]) -> int:
    await well_behaved(told, said)
    await asyncio.Event().wait()
    return 0


async def fails_at_the_end(told: Told, said: list[str]) -> int:
    await well_behaved(told, said)
    said.append("I cannot say goodbye")
    return 3


async def is_impatient(told: Told, said: list[str]) -> int:
    async with Client(told["COLTEXPRESS_TARGET"], retries=ONCE) as client:
        try:
            await play(await sit_down(client, told), random_bot(Random(1)))
        except Exception as error:
            said.append(str(error))
            return 1
    return 0


class SkipsWhatIsForced(Plain):
    async def decide(self, decision: Decision) -> None:
        if len(decision.options) > 1:
            await super().decide(decision)


class ChoosesBeforehand(Plain):
    async def decide(self, decision: Decision) -> None:
        known = "draw" if len(decision.options) == 1 else decision.options[0].option_id
        await self.submit(decision.id, known)


class KnowsAllKinds(Plain):
    async def __call__(self, told: Told, said: list[str]) -> int:
        try:
            return await super().__call__(told, said)
        except ValueError as error:
            said.append(str(error))
            return 1

    async def decide(self, decision: Decision) -> None:
        DecisionKind.Name(decision.kind)
        await super().decide(decision)


class SendsWhatItReads(Plain):
    """As one does that reads actions into types of its own."""

    async def submit(self, decision: str, option: str) -> bool:
        request = SubmitActionRequest(name=self.name, decision_id=decision, action=Action())
        await self.call(self.stub.SubmitAction, request)
        return True


class KnowsAllEvents(Plain):
    async def __call__(self, told: Told, said: list[str]) -> int:
        try:
            return await super().__call__(told, said)
        except KeyError as error:
            said.append(repr(error))
            return 1

    async def steps(self) -> AsyncIterator[Game | Commit]:
        async for step in super().steps():
            for event in step.events if isinstance(step, Commit) else ():
                if event.WhichOneof("event") is None:
                    raise KeyError("an event of no kind")
            yield step


class Insists(Plain):
    async def submit(self, decision: str, option: str) -> bool:
        while not await super().submit(decision, option):
            pass
        return True


class GivesUp(Plain):
    """Ends with a failure of its own at the first that it does not bear with."""

    async def __call__(self, told: Told, said: list[str]) -> int:
        try:
            return await super().__call__(told, said)
        except grpc.aio.AioRpcError as error:
            said.append(error.details() or "")
            return 1


class TakesTheEndForAFailure(GivesUp):
    async def submit(self, decision: str, option: str) -> bool:
        request = SubmitActionRequest(name=self.name, decision_id=decision, option_id=option)
        await self.call(self.stub.SubmitAction, request)
        return True


class AsksAnew(Plain):
    async def call(self, method: Any, request: Any) -> Any:
        while True:
            request.request_id = str(uuid4())
            try:
                return await method(request, metadata=self.metadata, wait_for_ready=True)
            except grpc.aio.AioRpcError as error:
                await self.wait_after(error)


class BelievesItWasHeard(Plain):
    async def submit(self, decision: str, option: str) -> bool:
        request = SubmitActionRequest(
            name=self.name, decision_id=decision, option_id=option, request_id=str(uuid4())
        )
        try:
            await self.stub.SubmitAction(request, metadata=self.metadata, wait_for_ready=True)
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
        return True


class TakesResetsForRefusals(GivesUp):
    def passing(self, error: ColtExpressError) -> set[grpc.StatusCode]:
        return {grpc.StatusCode.UNAVAILABLE}


class WatchesFromTheBeginning(Plain):
    def resume(self, cursor: str) -> str:
        return ""


class DoesNotPause(Plain):
    async def wait_after(self, error: grpc.aio.AioRpcError) -> None:
        await asyncio.sleep(0)


class ClingsToItsCursor(Plain):
    def forget(self, cursor: str) -> str:
        return cursor
