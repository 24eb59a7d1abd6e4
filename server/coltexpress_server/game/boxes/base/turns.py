"""The kinds of turn in the base box (RULES.md 1.5.3)."""

from __future__ import annotations

from typing import Final

from coltexpress_server.game.boxes.base.tables import SPEEDING_UP, STANDARD, SWITCHING, TUNNEL
from coltexpress_server.game.turns import TurnKind

TURN: Final = "TURN"
"""The op that asks the seats one after the other."""

TURNS: Final = {
    STANDARD: TurnKind(TURN, twice=False, reversed=False, face_down=False),
    TUNNEL: TurnKind(TURN, twice=False, reversed=False, face_down=True),
    SPEEDING_UP: TurnKind(TURN, twice=True, reversed=False, face_down=False),
    SWITCHING: TurnKind(TURN, twice=False, reversed=True, face_down=False),
}
