"""What a later release of the service may bring: clients need not know it, and play on."""

from __future__ import annotations

from typing import Final

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from coltexpress.v1.decision_pb2 import Decision
from coltexpress.v1.event_pb2 import Commit
from coltexpress.v1.game_service_pb2 import SubmitActionRequest
from coltexpress_server.conformance.interposer import Call
from coltexpress_server.conformance.situation import Situation, within

_FIELD: Final = 1999
_TAG: Final = b"\xfa\x7c"
"""Of a field with that number and with bytes in it, as the wire has it; no message has one."""
_UNKNOWN_VALUE: Final = 999
"""Of any enum."""
_PREFIX: Final = "teleport:"
"""Before the option ids of a kind of action that there is not."""


class UnknownOption(Situation):
    """An expansion with choices that the client has never heard of."""

    NAME = "unknown-option"
    TEXT = (
        "All options but sets of cards are of a kind that a later release has added: the decision's"
        " kind has a number without a name, the option's action reads as not set, its option_id"
        " begins with a new word. Labels are as always. The client chooses by option_id."
    )
    ADVICE = (
        "Send option_id back as it is instead of the action, do not take it apart, and let a kind"
        " without a name be one more kind: a client needs no rules, since every option is legal."
    )

    async def receive(self, call: Call) -> None:
        """Understand what is unknown to everybody else."""
        if call.method == "SubmitAction":
            self._understand(call.request)

    def send(self, call: Call, message: Message) -> None:
        """Show what is unknown."""
        for decision in within(message, Decision):
            if self.table.is_own(decision) and decision.options:
                decision.kind = _UNKNOWN_VALUE  # type: ignore[assignment] # which is the point
                for option in decision.options:
                    option.action.Clear()
                    option.action.MergeFromString(_unknown(option.option_id))
                    option.option_id = _PREFIX + option.option_id

    def _understand(self, request: SubmitActionRequest) -> None:
        """Put the real option for the one that was shown."""
        if request.option_id.startswith(_PREFIX):
            self.met = True
            request.option_id = request.option_id.removeprefix(_PREFIX)
        elif request.HasField("action"):
            if not request.action.ByteSize():
                self.blame("it answers with an action of which it does not know what it says")
            unknown = UnknownFieldSet(request.action)
            for index in range(len(unknown)):
                if unknown[index].field_number == _FIELD:
                    self.met = True
                    request.option_id = unknown[index].data.decode()
                    return


class UnknownEvent(Situation):
    """Things happen that the client has never heard of."""

    NAME = "unknown-event"
    TEXT = (
        "Every commit ends with an event of a kind that a later release has added: it has a text,"
        " and reads as not set otherwise. The reason of the commit has a number without a name."
    )
    ADVICE = "Pass over events that you do not know; where there are people, show them the text."

    def send(self, call: Call, message: Message) -> None:
        """Add an event to each commit."""
        for commit in within(message, Commit):
            self.met = True
            commit.trigger = _UNKNOWN_VALUE  # type: ignore[assignment] # which is the point
            event = commit.events.add(text="A balloon appears over the train.")
            event.MergeFromString(_unknown("balloon"))


def _unknown(content: str) -> bytes:
    """A field that no message has, as the wire has it; content: at most 127 bytes."""
    data = content.encode()
    return _TAG + bytes([len(data)]) + data
