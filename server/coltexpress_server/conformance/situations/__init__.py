"""The situations there are, in the order in which a client meets them."""

from __future__ import annotations

from typing import Final

from coltexpress_server.conformance.situation import Situation
from coltexpress_server.conformance.situations.course import (
    AnsweredElsewhere,
    GameEnded,
    OneOption,
    SlowStart,
    WholeGame,
)
from coltexpress_server.conformance.situations.losses import (
    LostAnswer,
    LostJoin,
    ProxyReset,
    Restart,
)
from coltexpress_server.conformance.situations.novelties import UnknownEvent, UnknownOption
from coltexpress_server.conformance.situations.refusals import TooMany, Unavailable
from coltexpress_server.conformance.situations.streams import CursorUnknown, StreamCut

SITUATIONS: Final[tuple[type[Situation], ...]] = (
    WholeGame,
    SlowStart,
    OneOption,
    UnknownOption,
    UnknownEvent,
    AnsweredElsewhere,
    GameEnded,
    LostJoin,
    LostAnswer,
    ProxyReset,
    StreamCut,
    CursorUnknown,
    Unavailable,
    TooMany,
    Restart,
)
