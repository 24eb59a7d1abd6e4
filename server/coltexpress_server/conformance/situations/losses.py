"""Replies that are lost on the way, and a service that is restarted."""

from __future__ import annotations

import asyncio
from typing import Final

from google.protobuf.message import Message

from coltexpress_server.conformance.interposer import Call
from coltexpress_server.conformance.situation import Situation, Turns, gone
from coltexpress_server.conformance.table import Table

_ANOTHER_ID: Final = "it repeats a request under another request id, which makes it a second one"


class LostJoin(Situation):
    """The client has a seat, and does not hear of it."""

    NAME = "lost-join"
    TEXT = (
        "The service gives the client its seat, and the connection breaks before the reply is"
        " there. The client asks again with the same request id, and gets the same seat and token."
    )
    ADVICE = (
        "Make the request id of JoinGame, a UUID of version 4, once, before the first attempt, and"
        " send the very same request again: another id asks for another seat."
    )

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._request_id = ""

    async def receive(self, call: Call) -> None:
        """See that it is the same request that comes again."""
        if call.method == "JoinGame" and call.request.request_id != (
            self._request_id or call.request.request_id
        ):
            self.blame(_ANOTHER_ID)

    def send(self, call: Call, message: Message) -> None:
        """Lose the first reply."""
        if call.method == "JoinGame" and not self.met:
            self.met = True
            self._request_id = call.request.request_id
            self.table.network.cut()
            raise gone()


class _LostAnswers(Situation):
    """Loses a reply to one answer, and before that to another one also the request itself."""

    _REPLY: Final = 3
    _REQUEST: Final = 5

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._turns: Final = Turns()
        self._lost: Final[dict[int, str]] = {}
        self._repeated: Final[set[int]] = set()

    def lose(self) -> None:
        """Have the client not hear of it."""
        raise NotImplementedError

    async def receive(self, call: Call) -> None:
        """Lose one reply and one request; look at what comes after that."""
        turn = self._turns.number(call)
        if turn in self._lost:
            if call.request.request_id != self._lost[turn]:
                self.blame(_ANOTHER_ID)
            self._repeated.add(turn)
        elif turn in {self._REPLY, self._REQUEST}:
            self.met = True
            self._lost[turn] = call.request.request_id
            if turn == self._REPLY:
                await call.forward()
            self.lose()
            raise gone()

    def finish(self) -> None:
        """An answer that is not repeated may never have been given."""
        if self._repeated != set(self._lost):
            self.blame("it does not repeat an answer of which it cannot know whether it arrived")


class LostAnswer(_LostAnswers):
    """The client has answered, and does not hear of it; or it only believes that it has."""

    NAME = "lost-reply"
    TEXT = (
        "The connection breaks twice while the client waits for the reply to an answer: once when"
        " the service has carried it out, once before the service has got it. The client cannot"
        " tell the one from the other. It sends the same request again, with the same request id,"
        " which is carried out once in either case."
    )
    ADVICE = (
        "Make the request id of SubmitAction once for each answer, before the first attempt. Repeat"
        " the very same request where it fails with UNAVAILABLE, DEADLINE_EXCEEDED, or by a broken"
        " connection, whatever your HTTP library calls that."
    )

    def lose(self) -> None:
        """Break the connection."""
        self.table.network.cut()


class ProxyReset(_LostAnswers):
    """A proxy says in its own way that the server behind it is gone."""

    NAME = "proxy-reset"
    TEXT = (
        "The client reaches the service through a proxy, and the server behind that is killed twice"
        " while the client waits for the reply to an answer: once when it has carried it out, once"
        " before it has got it. Over gRPC the proxy resets all streams, watches among them, with"
        " INTERNAL_ERROR, which libraries report as INTERNAL, some as UNKNOWN, without details."
        " Over HTTP it answers 502 with a page, and breaks off what it was in the middle of. The"
        " client sends the same request again, with the same request id, and watches on behind the"
        " last cursor."
    )
    ADVICE = (
        "INTERNAL and UNKNOWN without a google.rpc.ErrorInfo of the domain coltexpress are no"
        " refusal: repeat the very same request, and watch on, as after UNAVAILABLE. Over HTTP the"
        " same goes for 502, 503 and 504, whatever their body, and for a body that ends too soon."
    )

    async def receive(self, call: Call) -> None:
        """See that a watch goes on where it was."""
        if call.method == "WatchGame" and self.met and not call.request.cursor:
            self.blame("it watches from the beginning instead of behind the last cursor")
        await super().receive(call)

    def lose(self) -> None:
        """Reset what is open."""
        self.table.network.end()


class Restart(Situation):
    """A new release, say."""

    NAME = "restart"
    TEXT = (
        "In the middle of the game the service drains, which ends streams with DRAINING and says"
        " where to go on, is not there for seconds, and starts again with all that it had. The"
        " client plays on with the token that it has."
    )
    ADVICE = (
        "DRAINING, UNAVAILABLE and refused connections pass: go on behind the last cursor, repeat"
        " calls, with growing pauses. Keep the token; a started game cannot be joined again."
    )

    _WHEN: Final = 3

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._turns: Final = Turns()
        self._due: Final = asyncio.Event()

    async def act(self) -> None:
        """Restart when it is time."""
        await self._due.wait()
        await self.table.restart()
        self.met = True

    async def receive(self, call: Call) -> None:
        """Find the middle of the game."""
        if self._turns.number(call) == self._WHEN:
            self._due.set()
