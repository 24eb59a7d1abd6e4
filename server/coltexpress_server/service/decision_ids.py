"""Ids of decisions: each names one decision, whatever becomes of a game's history.

A failover may lose the last commits of a game, and others take their place. These may open a
decision to the same seat after as many choices, in a position that nobody saw who was asked before.
So an id also holds the mark of the commit that opened its decision, which no other commit has.
"""

from __future__ import annotations

from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.state import State
from coltexpress_server.service.records import GameRecord


def decision_id(decision: Decision, opened_by: str) -> str:
    """The id of a decision: `OPENED.SEAT.MARK`; opened_by: mark of the commit that opened it."""
    return f"{decision.id}.{opened_by}"


def opener(record: GameRecord, before: GameRecord | None, mark: str) -> str:
    """The mark of the commit that opened a record's decisions; empty where none is open.

    before: the record that this one follows. mark: of the commit that is to put it there.
    Decisions that are open at the same time were opened at the same time.
    """
    now = _pending(record.state)
    if not now:
        return ""
    then = _pending(before.state) if before is not None else []
    if before is not None and then and then[0].opened == now[0].opened:
        return before.opened_by
    return mark


def find_open(record: GameRecord, wanted: str) -> Decision | None:
    """The open decision of this id."""
    for decision in _pending(record.state):
        if decision_id(decision, record.opened_by) == wanted:
            return decision
    return None


def may_have_been_open(state: State, wanted: str) -> bool:
    """Whether a decision of this id may have been open in a game that is over."""
    opened, _, _ = wanted.partition(".")
    return int(opened) < state.choices


def _pending(state: State | None) -> list[Decision]:
    return state.pending if state is not None else []
