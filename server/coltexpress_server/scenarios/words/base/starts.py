"""Where a game can go on: the frames that make it go on from there (RULES.md 1.5)."""

from __future__ import annotations

from coltexpress_server.game.boxes.base.round import RoundOp, Schemin, Stealin, schemin, stealin
from coltexpress_server.game.rules import Step
from coltexpress_server.game.state import STEALIN, State
from coltexpress_server.scenarios.language import Position


def at_round(position: Position) -> None:
    """At the shuffle and the deal."""
    position.state.push(RoundOp.name)


def at_schemin(position: Position) -> None:
    """At the turn given."""
    state = position.state
    _push_round_after(state, schemin)
    state.push(Schemin.name).index = state.round.turn


def at_stealin(position: Position) -> None:
    """At the first card of the pile."""
    state = position.state
    state.round.phase = STEALIN
    state.round.turn = max(0, len(state.round.card.turns) - 1)
    _push_round_after(state, stealin)
    state.push(Stealin.name)


def _push_round_after(state: State, step: Step) -> None:
    """Pushes the round, which goes on with what comes after a step."""
    state.push(RoundOp.name).index = state.rules.round_steps.index(step) + 1
