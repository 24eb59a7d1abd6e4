"""KEEP icons: cards that stay in hand for the next round (RULES.md 3.7.2)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.keeping import Keeping
from coltexpress_server.game.boxes.base.tables import ROUNDS
from coltexpress_server.game.boxes.horses_and_stagecoach.events import CardsKept
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import KEEP
from coltexpress_server.game.boxes.reshuffling import return_cards, return_hands
from coltexpress_server.game.cards import Card
from coltexpress_server.game.state import State


def keep_or_return(state: State) -> None:
    """Everybody chooses what to keep, where the round card says so; not in the last round."""
    if state.round.card.keep and state.round.number < ROUNDS:
        state.push(KEEP)
    else:
        return_hands(state)


class Keep(Keeping):
    """Everybody keeps a card an icon, of any kind."""

    name: ClassVar[str] = KEEP
    rule: ClassVar[str] = "3.7.2"

    def may_keep(self, card: Card) -> bool:
        """Bullets too."""
        return True

    def most(self, state: State, members: list[str]) -> int:
        """One an icon."""
        return state.round.card.keep

    def put_away(self, state: State, number: int, kept: list[Card], others: list[Card]) -> None:
        """The other cards go back to the deck."""
        return_cards(state, number, kept)
        state.record(CardsKept(number, kept))
