"""The enums of the API and the words of the domain that they stand for, in both directions.

The tables are read off the descriptors: CARD_KIND_FIRE is the word FIRE. The value 0 stands for no
word, which the domain writes as an empty string.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from coltexpress.v1.error_pb2 import ErrorReason
from coltexpress.v1.event_pb2 import AutoPlayStarted, Commit
from coltexpress.v1.game_pb2 import Game, Visibility
from coltexpress.v1.game_service_pb2 import EndOfStream
from coltexpress.v1.seat_service_pb2 import SeatStatus, Webhook
from coltexpress.v1.vocabulary_pb2 import (
    CardKind,
    Cause,
    DecisionKind,
    Edition,
    Expansion,
    Level,
    LootKind,
    Phase,
    RoundEvent,
    TurnKind,
    Variant,
)

if TYPE_CHECKING:
    # The stubs' name for EnumTypeWrapper where it says what type the values are.
    from google.protobuf.internal.enum_type_wrapper import _EnumTypeWrapper

Value = TypeVar("Value", bound=int)

_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Words(Generic[Value]):
    """One enum.

    values: word to value; the empty word is the value 0.
    words: value to word, the value 0 left out.
    """

    def __init__(self, enum: _EnumTypeWrapper[Value]) -> None:
        """Reads the enum's descriptor."""
        prefix = _HUMP.sub("_", enum.DESCRIPTOR.name).upper() + "_"
        named = {name.removeprefix(prefix): value for name, value in enum.items()}
        self.words: Final[Mapping[int, str]] = {
            value: word for word, value in named.items() if value
        }
        self.values: Final[Mapping[str, Value]] = {
            word if value else "": value for word, value in named.items()
        }


VARIANTS: Final = Words(Variant)
EDITIONS: Final = Words(Edition)
EXPANSIONS: Final = Words(Expansion)
LEVELS: Final = Words(Level)
CARD_KINDS: Final = Words(CardKind)
LOOT_KINDS: Final = Words(LootKind)
TURN_KINDS: Final = Words(TurnKind)
ROUND_EVENTS: Final = Words(RoundEvent)
PHASES: Final = Words(Phase)
DECISION_KINDS: Final = Words(DecisionKind)
CAUSES: Final = Words(Cause)
STATES: Final = Words(Game.State)
VISIBILITIES: Final = Words(Visibility)
TRIGGERS: Final = Words(Commit.Trigger)
AUTO_PLAY_REASONS: Final = Words(AutoPlayStarted.Reason)
ENDS: Final = Words(EndOfStream.Reason)
STANDINGS: Final = Words(SeatStatus.Standing)
WEBHOOK_STANDINGS: Final = Words(Webhook.Standing)
REASONS: Final = Words(ErrorReason)
