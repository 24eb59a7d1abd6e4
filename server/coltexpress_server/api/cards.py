"""Cards as messages, and those that a seat names of its hand in both directions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from coltexpress.v1.action_pb2 import HandCard
from coltexpress.v1.table_pb2 import Card as CardMessage
from coltexpress_server.api import fields
from coltexpress_server.api.words import CARD_KINDS
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import BULLETS as MARSHAL_BULLETS
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import MARSHAL
from coltexpress_server.game.cards import BULLET, HIDDEN, NEUTRAL, Card


def card(shown: Card) -> CardMessage:
    """A card, HIDDEN where the viewer may not know it."""
    return _card(shown.action, shown.figure)


def cards(shown: Sequence[Card]) -> list[CardMessage]:
    """Cards that the viewer may know; of hidden ones only their number is told, elsewhere."""
    return [_card(each.action, each.figure) for each in shown if each.action != HIDDEN]


def hand_card(name: str) -> HandCard:
    """A card in a hand, from its name: `FIRE`, `DOC.FIRE`."""
    figure, _, kind = name.rpartition(".")
    return HandCard(card=CARD_KINDS.values[kind], figure=figure)


def hand_card_name(message: HandCard, path: str) -> str:
    """The name of a card in a hand. Raises Refused where a field is missing or malformed."""
    kind = fields.word(message.card, CARD_KINDS.words, f"{path}.card")
    figure = fields.name(message.figure, f"{path}.figure") if message.figure else ""
    return f"{figure}.{kind}" if figure else kind


@lru_cache(maxsize=1024)
def _card(action: str, figure: str) -> CardMessage:
    kind = CARD_KINDS.values[action]
    if action == BULLET and figure in MARSHAL_BULLETS:
        return CardMessage(kind=kind, figure=MARSHAL, marshal_bullet=figure)
    return CardMessage(kind=kind, figure="" if figure == NEUTRAL else figure)
