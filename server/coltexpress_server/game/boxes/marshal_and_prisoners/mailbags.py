"""What mailbags may be worth, for players who look ahead (RULES.md 4.3)."""

from __future__ import annotations

from random import Random

from coltexpress_server.game.boxes.base.hidden import everywhere
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import MAILBAG, MAILBAGS
from coltexpress_server.game.loot import UNKNOWN_VALUE, Token
from coltexpress_server.game.state import State


def imagine(state: State, chance: Random) -> None:
    """Every mailbag of unknown value gets one that is nowhere else; owners know theirs."""
    places = everywhere(state)
    left = [value for value, count in MAILBAGS.items() for _ in range(count)]
    for place in places:
        for token in place:
            if token.kind == MAILBAG and token.value != UNKNOWN_VALUE:
                left.remove(token.value)
    chance.shuffle(left)
    for place in places:
        for index, token in enumerate(place):
            if token.kind == MAILBAG and token.value == UNKNOWN_VALUE:
                place[index] = Token(MAILBAG, left.pop(), token.known)
    for figure in state.bandits:
        figure.loot[:] = [
            token.shown_to(figure.seat) if token.kind == MAILBAG else token for token in figure.loot
        ]
