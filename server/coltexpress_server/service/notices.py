"""Which notices a commit gives rise to, for those holders of seats who have a webhook."""

from __future__ import annotations

from typing import Final

from coltexpress_server.game.decisions import Decision
from coltexpress_server.service.decision_ids import decision_id
from coltexpress_server.service.records import FINISHED, GameRecord
from coltexpress_server.store import Notice

OVER: Final = "over"

_HOLDER_BYTES: Final = 16


def holder(token_hash: bytes) -> str:
    """What stands for whoever has a seat's token; another one as soon as the seat changes hands."""
    return token_hash[:_HOLDER_BYTES].hex()


def decision_event(decision: Decision, opened_by: str) -> str:
    """The event that a decision has been opened; opened_by: as in its id."""
    return f"decision.{decision_id(decision, opened_by)}"


def notices(game_id: str, before: GameRecord | None, after: GameRecord) -> tuple[Notice, ...]:
    """What a change is worth telling: decisions that it opened, and the end of the game.

    A seat for which a bot plays is not told what is about to be decided for it.
    """
    if after.status == FINISHED:
        if before is not None and before.status == FINISHED:
            return ()
        return tuple(
            Notice(game_id, holder(seat.token_hash), OVER)
            for seat in after.seats
            if seat.token_hash
        )
    if after.state is None:
        return ()
    known = {
        decision.id
        for decision in (before.state.pending if before is not None and before.state else ())
    }
    opened = [decision for decision in after.state.pending if decision.id not in known]
    return tuple(
        Notice(game_id, holder(seat.token_hash), decision_event(decision, after.opened_by))
        for decision, seat in ((each, after.seats[each.seat]) for each in opened)
        if seat.token_hash and not seat.auto_play
    )
