"""Playing: answering a decision."""

from __future__ import annotations

from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import Decision, IllegalChoice
from coltexpress_server.game.engine import apply
from coltexpress_server.game.events import Event
from coltexpress_server.game.state import State
from coltexpress_server.service.callers import Caller
from coltexpress_server.service.games import Change, Games, Request
from coltexpress_server.service.keys import digest
from coltexpress_server.service.records import BY_PLAYER, FINISHED, Step, StoredGame
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import SeenStep, require_seat


async def submit(
    games: Games,
    caller: Caller,
    game_id: str,
    request_id: str,
    *,
    decision_id: str,
    answer: Choice,
) -> SeenStep:
    """Answers the caller's open decision; returns what that brought about.

    Repeated with its request id it returns the same step, whatever has happened since.
    Raises IllegalChoice, and Refused: GAME_NOT_FOUND, TOKEN_MISSING, WRONG_ROLE,
    GAME_NOT_STARTED, GAME_OVER, DECISION_CLOSED, REQUEST_ID_REUSED, CONFLICT.
    """
    request = Request(
        games.keys.request_key(game_id, caller.token, request_id),
        digest("submit", decision_id, answer.text),
    )

    def decide(game: StoredGame) -> Change:
        seat = require_seat(game, caller, games.keys)
        state = game.record.state
        if state is None:
            raise Refused("GAME_NOT_STARTED", "the game has not begun")
        if game.record.aborted:
            raise Refused("GAME_OVER", "the game is over")
        decision = _open_one(state, seat, decision_id)
        return _play(game, state, seat, decision.canonical(answer))

    changed = await games.change(game_id, request, decide)
    game = await games.after(changed, game_id)
    return SeenStep(changed.past, changed.past.step.seat, game.record.figures)


def _open_one(state: State, seat: int, decision_id: str) -> Decision:
    """The open decision of this id. Raises where the seat has none."""
    decision = _open(state.pending, decision_id)
    if decision is None:
        if state.finished and not _was_open(state, decision_id):
            raise Refused("GAME_OVER", "the game is over")
        raise Refused(
            "DECISION_CLOSED",
            "the decision was answered already, or never open",
            field="decision_id",
        )
    if decision.seat != seat:
        raise IllegalChoice("NOT_YOUR_DECISION", "1.5.6", "another seat decides this")
    return decision


def _open(pending: list[Decision], decision_id: str) -> Decision | None:
    for decision in pending:
        if decision.id == decision_id:
            return decision
    return None


def _was_open(state: State, decision_id: str) -> bool:
    """Whether there may have been such a decision: who loses a race for the last one is late."""
    opened, _, _ = decision_id.partition(".")
    return int(opened) < state.choices


def _play(game: StoredGame, before: State, seat: int, answer: Choice) -> Change:
    log: list[Event] = []
    state = before.copy()
    state.log = log
    apply(state, seat, answer)
    state.log = None
    record = game.record.copy()
    record.state = state
    if state.finished:
        record.status = FINISHED
    seed = record.seed if state.finished else b""
    step = Step(BY_PLAYER, seat, answer.text, log, list(state.pending), seed)
    return Change(record, step)
