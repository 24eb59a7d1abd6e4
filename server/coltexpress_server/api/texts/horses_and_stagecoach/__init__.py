"""The words of the box Horses & Stagecoach."""

from __future__ import annotations

from typing import Final

from coltexpress_server.api.texts.horses_and_stagecoach import terms
from coltexpress_server.api.texts.horses_and_stagecoach.choices import CHOICES
from coltexpress_server.api.texts.horses_and_stagecoach.events import EVENTS
from coltexpress_server.api.texts.wording import Wording

HORSES_AND_STAGECOACH: Final = Wording(
    box="HORSES_AND_STAGECOACH",
    figures=terms.FIGURES,
    cards=terms.CARDS,
    loot=terms.LOOT,
    hostages=terms.HOSTAGES,
    round_cards=terms.ROUND_CARDS,
    turns=terms.TURNS,
    round_events=terms.ROUND_EVENTS,
    phases=terms.PHASES,
    decisions=terms.DECISIONS,
    actions=terms.ACTIONS,
    rows=terms.ROWS,
    boxes=terms.BOXES,
    places=terms.PLACES,
    moves=terms.MOVES,
    neutral_bullets=terms.NEUTRAL_BULLETS,
    choices=CHOICES,
    events=EVENTS,
)
