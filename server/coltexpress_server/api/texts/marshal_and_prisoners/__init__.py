"""The words of the box Marshal & Prisoners."""

from __future__ import annotations

from typing import Final

from coltexpress_server.api.texts.marshal_and_prisoners import terms
from coltexpress_server.api.texts.marshal_and_prisoners.choices import CHOICES
from coltexpress_server.api.texts.marshal_and_prisoners.events import EVENTS
from coltexpress_server.api.texts.wording import Wording

MARSHAL_AND_PRISONERS: Final = Wording(
    box="MARSHAL_AND_PRISONERS",
    figures=terms.FIGURES,
    cards=terms.CARDS,
    loot=terms.LOOT,
    decisions=terms.DECISIONS,
    actions=terms.ACTIONS,
    rows=terms.ROWS,
    boxes=terms.BOXES,
    cars=terms.CARS,
    decks=terms.DECKS,
    marshal_bullets=terms.MARSHAL_BULLETS,
    goals=terms.GOALS,
    brawlers=terms.BRAWLERS,
    places=terms.PLACES,
    moves=terms.MOVES,
    refusals=terms.REFUSALS,
    choices=CHOICES,
    events=EVENTS,
)
