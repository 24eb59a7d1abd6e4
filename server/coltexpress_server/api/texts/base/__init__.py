"""The words of the base box, with all variants of playing it."""

from __future__ import annotations

from typing import Final

from coltexpress_server.api.texts.base import terms
from coltexpress_server.api.texts.base.choices import CHOICES
from coltexpress_server.api.texts.base.events import EVENTS
from coltexpress_server.api.texts.wording import Wording

BASE: Final = Wording(
    box="BASE",
    figures=terms.FIGURES,
    cards=terms.CARDS,
    loot=terms.LOOT,
    round_cards=terms.ROUND_CARDS,
    turns=terms.TURNS,
    round_events=terms.ROUND_EVENTS,
    phases=terms.PHASES,
    levels=terms.LEVELS,
    decisions=terms.DECISIONS,
    actions=terms.ACTIONS,
    rows=terms.ROWS,
    variants=terms.VARIANTS,
    editions=terms.EDITIONS,
    boxes=terms.BOXES,
    places=terms.PLACES,
    moves=terms.MOVES,
    neutral_bullets=terms.NEUTRAL_BULLETS,
    refusals=terms.REFUSALS,
    choices=CHOICES,
    events=EVENTS,
)
