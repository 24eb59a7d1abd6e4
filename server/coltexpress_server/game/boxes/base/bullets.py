"""Giving bullets (RULES.md 1.3.2, 1.6.8)."""

from __future__ import annotations

from coltexpress_server.game.cards import BULLET, NEUTRAL
from coltexpress_server.game.events import BulletGiven, NeutralBulletsGone
from coltexpress_server.game.state import Figure, State


def give_own_bullet(state: State, giver: Figure, target: Figure, cause: str) -> None:
    """Gives a figure the next own bullet of another, which must have one left."""
    giver.bullets_left -= 1
    _give(state, giver.name, target, cause)


def give_neutral_bullets(state: State, targets: list[Figure], cause: str) -> None:
    """Gives each target a neutral bullet, all in one moment.

    If the pile is short nobody gets one, and the rest of the pile leaves the game (1.6.8).
    """
    if len(targets) <= state.neutral_bullets:
        state.neutral_bullets -= len(targets)
        for target in targets:
            _give(state, NEUTRAL, target, cause)
    elif state.neutral_bullets:
        state.record(NeutralBulletsGone(state.neutral_bullets))
        state.neutral_bullets = 0


def _give(state: State, giver: str, target: Figure, cause: str) -> None:
    state.decks[target.deck].cards.append(state.rules.card(giver, BULLET))
    target.received.append(giver)
    if state.log is not None:
        state.log.append(BulletGiven(giver, target.name, cause))
