"""What may happen at any table: the game and its end, another device, little to choose from."""

from __future__ import annotations

import asyncio
from typing import Final

from google.protobuf.message import Message

from coltexpress.v1.decision_pb2 import Decision, Option
from coltexpress.v1.game_service_pb2 import SubmitActionRequest
from coltexpress_server.conformance.interposer import Call
from coltexpress_server.conformance.situation import Situation, Turns, within
from coltexpress_server.conformance.table import Table


class WholeGame(Situation):
    """Nothing special."""

    NAME = "whole-game"
    TEXT = (
        "Nothing goes wrong. The game is PRIVATE: joining takes the join code. The client takes the"
        " seat that it is told, plays to the end, and ends by itself with status 0."
    )
    ADVICE = (
        "Answer each Decision of your own seat with one of its options until a commit brings the"
        " event game_ended or game_aborted, or the stream ends with GAME_OVER; then leave."
    )
    PRIVATE = True

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.met = True


class SlowStart(Situation):
    """The service comes later than the client."""

    NAME = "slow-start"
    TEXT = (
        "When the client starts, nobody listens yet; two seconds later the service does. The"
        " client waits for it."
    )
    ADVICE = (
        "Repeat a call that fails with UNAVAILABLE, or whose connection is refused, with growing"
        " pauses, for a minute say, before you give up."
    )
    LISTENING = False

    _LATE_S: Final = 2.0

    async def act(self) -> None:
        """Come late."""
        await asyncio.sleep(self._LATE_S)
        self.met = True
        await self.table.network.listen()


class AnsweredElsewhere(Situation):
    """The player has answered on another device."""

    NAME = "answered-elsewhere"
    TEXT = (
        "A decision is answered from elsewhere with the same token just before the client's own"
        " answer comes, which is refused: ABORTED, reason DECISION_CLOSED. The same happens to who"
        " misses a deadline. The client goes on with its next decision."
    )
    ADVICE = (
        "DECISION_CLOSED is no failure, and repeating the answer is of no use: the game has gone on"
        " without it. Forget the decision, and take the next one from the watch."
    )

    _WHICH: Final = 3
    _MOST: Final = 2

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._turns: Final = Turns()
        self._answers = 0

    async def receive(self, call: Call) -> None:
        """Come first, once."""
        if self._turns.number(call) == self._WHICH:
            self._answers += 1
            if not self.met:
                self.met = True
                await self.table.answer_elsewhere(call.request, call.token)
            if self._answers > self._MOST:
                self.blame("it goes on answering a decision that is closed")


class GameEnded(Situation):
    """The game is over while the client thinks."""

    NAME = "sudden-end"
    TEXT = (
        "The game ends while the client thinks: an operator stops it, and it has no result. The"
        " client's answer comes too late, and is refused: FAILED_PRECONDITION, reason GAME_OVER."
        " The same happens where the last decision of a game is answered elsewhere. The client"
        " ends as after any game, with status 0."
    )
    ADVICE = (
        "GAME_OVER in answer to SubmitAction is no failure: take it like DECISION_CLOSED, and leave"
        " when the watch brings game_ended or game_aborted, or ends with GAME_OVER."
    )

    _WHICH: Final = 3

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._turns: Final = Turns()

    async def receive(self, call: Call) -> None:
        """End the game before the answer is there."""
        if self._turns.number(call) == self._WHICH and not self.met:
            self.met = True
            await self.table.end()


class OneOption(Situation):
    """There is nothing to choose."""

    NAME = "one-option"
    TEXT = (
        "Every decision of the client has exactly one option, except where cards are chosen from a"
        " set. The service asks all the same, and waits for the answer."
    )
    ADVICE = "Answer decisions with one option like all others: they never answer themselves."

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._only: Final[dict[str, Option]] = {}

    async def receive(self, call: Call) -> None:
        """See that the one option is the one chosen."""
        if call.method == "SubmitAction":
            self._look_at(call.request)

    def send(self, call: Call, message: Message) -> None:
        """Leave one option."""
        for decision in within(message, Decision):
            if self.table.is_own(decision) and decision.options:
                del decision.options[1:]
                self._only[decision.id] = decision.options[0]

    def _look_at(self, request: SubmitActionRequest) -> None:
        only = self._only.get(request.decision_id)
        if only is None:
            return
        self.met = True
        if request.option_id != only.option_id and request.action != only.action:
            self.blame("it answers with something else than the one option that there is")
