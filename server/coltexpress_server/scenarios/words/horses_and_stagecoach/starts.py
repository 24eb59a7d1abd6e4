"""Where a game of Horses & Stagecoach can go on besides the phases of a round."""

from __future__ import annotations

from typing import Final

from coltexpress_server.game.boxes.base.round import FIRST_ROUND, RoundOp
from coltexpress_server.game.boxes.horses_and_stagecoach.setup import mount
from coltexpress_server.game.boxes.horses_and_stagecoach.state import stagecoach
from coltexpress_server.game.cards import rank_of
from coltexpress_server.scenarios.language import Position

SETUP: Final = "SETUP"
ROUND: Final = "ROUND"


def gather(position: Position) -> None:
    """Before the horse attack nothing has been dealt."""
    if position.start == SETUP:
        for deck in position.state.decks:
            deck.cards += deck.hand
            deck.hand.clear()


def keep(position: Position) -> None:
    """A hand that the file names at the start of a round is what has been kept (3.7.2)."""
    if position.start == ROUND:
        for number, cards in position.hands.items():
            deck = position.state.decks[number]
            if not deck.hand:
                for card in cards:
                    deck.cards.remove(card)
                deck.hand[:] = sorted(cards, key=rank_of)


def at_horse_attack(position: Position) -> None:
    """Before the horse attack, everybody on horseback; then comes the round that is given."""
    state = position.state
    stagecoach(state).horses.clear()
    mount(state)
    if state.round.number == 1:
        state.round.number = 0
        state.push(FIRST_ROUND)
    else:
        state.push(RoundOp.name)
    for name in reversed(state.rules.openings):
        state.push(name)
