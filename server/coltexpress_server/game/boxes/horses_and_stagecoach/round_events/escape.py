"""ESCAPE (RULES.md 3.7.8)."""

from __future__ import annotations

from typing import ClassVar, Final

from coltexpress_server.game.boxes.base.events.round_event import RoundEvent
from coltexpress_server.game.boxes.horses_and_stagecoach import tables
from coltexpress_server.game.rules import Rows
from coltexpress_server.game.state import Figure, State

_SAFE: Final = (tables.STAGECOACH_INSIDE, tables.STAGECOACH_ROOF, tables.GONE)
_OF_THE_TEAM: Final = "GUNSLINGER"
"""The row that counts for the team, whoever of it is caught."""


class Escape(RoundEvent):
    """Whoever is in or on the train at the end is caught; that is looked at when it is over."""

    name: ClassVar[str] = tables.ESCAPE

    def happen(self, state: State) -> None:
        """Nothing."""


def is_escape(state: State) -> bool:
    """Whether this is the round with the card."""
    return state.round.number > 0 and state.round.card.event == tables.ESCAPE


def hindrance(state: State, figure: Figure, action: str) -> str:
    """Cards of a bandit who is gone do nothing; a card of a whole seat, if all of it is gone."""
    if figure.space != tables.GONE:
        return ""
    if state.rules.seating.shared(action):
        names = state.seats[figure.seat].figures
        if any(state.figures[name].space != tables.GONE for name in names):
            return ""
    return "3.7.8"


def caught(state: State) -> set[str]:
    """The bandits who cannot win."""
    if not is_escape(state):
        return set()
    return {figure.name for figure in state.bandits if figure.space not in _SAFE}


def without_the_caught(state: State, rows: Rows) -> Rows:
    """Of a team of several only the safe bandits' money counts, and the Gunslinger's.

    A bandit who is his own team keeps his score, which cannot win.
    """
    teams = [state.seats[figure.seat].team for figure in state.bandits]
    taken = {
        name: -sum(dollars.get(name, 0) for title, dollars in rows if title != _OF_THE_TEAM)
        for name in sorted(caught(state))
        if teams.count(state.seats[state.figures[name].seat].team) > 1
    }
    return [*rows, (tables.ESCAPE, taken)] if taken else rows
