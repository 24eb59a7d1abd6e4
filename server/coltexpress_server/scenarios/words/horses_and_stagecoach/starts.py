"""Where a game of Horses & Stagecoach can go on besides the phases of a round."""

from __future__ import annotations

from coltexpress_server.game.boxes.base.round import FIRST_ROUND
from coltexpress_server.game.boxes.horses_and_stagecoach.setup import mount
from coltexpress_server.game.boxes.horses_and_stagecoach.state import stagecoach
from coltexpress_server.scenarios.document import InvalidScenario
from coltexpress_server.scenarios.language import Position

SETUP = "SETUP"


def gather(position: Position) -> None:
    """Before the horse attack nothing has been dealt."""
    if position.start == SETUP:
        for deck in position.state.decks:
            deck.cards += deck.hand
            deck.hand.clear()


def at_horse_attack(position: Position) -> None:
    """Before the horse attack, everybody on horseback."""
    state = position.state
    if state.round.number != 1:
        line = position.lines["round"]
        raise InvalidScenario(line, "given.round: after the horse attack round 1 begins")
    state.round.number = 0
    stagecoach(state).horses.clear()
    mount(state)
    state.push(FIRST_ROUND)
    for name in reversed(state.rules.openings):
        state.push(name)
