"""Playing: a decision is answered, by its player, by the clock, or by a bot."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable

from coltexpress_server.game import timeouts
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import Decision, IllegalChoice
from coltexpress_server.game.engine import apply
from coltexpress_server.game.events import Event
from coltexpress_server.game.state import State
from coltexpress_server.service.callers import Caller
from coltexpress_server.service.clocks import answered, missed
from coltexpress_server.service.decision_ids import find_open, may_have_been_open
from coltexpress_server.service.events import MISSED_DEADLINES, AutoPlayStarted, AutoPlayStopped
from coltexpress_server.service.games import NO_REQUEST, Change, Changed, Games, Request, Untimely
from coltexpress_server.service.keys import digest
from coltexpress_server.service.records import (
    BY_BOT,
    BY_PLAYER,
    BY_TIMEOUT,
    FINISHED,
    GameRecord,
    Step,
    StoredGame,
)
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

    A player for whom a bot has played is back with it. Repeated with its request id it returns the
    same step, whatever has happened since.
    Raises IllegalChoice, and Refused: GAME_NOT_FOUND, TOKEN_MISSING, WRONG_ROLE,
    GAME_NOT_STARTED, GAME_OVER, DECISION_CLOSED (at or after its deadline too),
    REQUEST_ID_REUSED, CONFLICT.
    """
    request = Request(
        games.keys.request_key(game_id, caller.token, request_id),
        digest("submit", decision_id, answer.text),
    )

    def decide(game: StoredGame) -> Change:
        number = require_seat(game, caller, games.keys)
        if game.record.aborted:
            raise Refused("GAME_OVER", "the game is over")
        decision = _open_one(game, number, decision_id)
        record = game.record.copy()
        seat = record.seats[number]
        events: list[Event] = []
        if seat.auto_play:
            seat.auto_play = ""
            events.append(AutoPlayStopped(number))
        seat.misses = 0
        deadline = seat.clock.deadline
        seat.clock = answered(seat.clock)
        change = _played(record, number, decision.canonical(answer), BY_PLAYER, events)
        change.not_after = deadline - 1 if deadline else None
        return change

    try:
        changed = await games.change(game_id, request, decide)
    except Untimely:
        # He is told what everybody will see, so let them see it, unless they do already.
        with contextlib.suppress(Untimely):
            await time_out(games, game_id)
        raise _closed() from None
    game = await games.after(changed, game_id)
    return SeenStep(changed.past, changed.past.step.seat, game.record.figures)


async def time_out(games: Games, game_id: str) -> None:
    """Answers the decision whose deadline has passed first, for its seat (RULES.md section 7).

    Whoever misses as many in a row as the game's clock says is played by a bot from then on. Does
    nothing where no decision has a deadline. Raises Refused for a game that is none, Untimely where
    no deadline has passed.
    """

    def decide(game: StoredGame) -> Change:
        decision = _first_to_time_out(game)
        if decision is None or game.record.clock is None:
            raise _closed()
        record = game.record.copy()
        number = decision.seat
        seat = record.seats[number]
        events: list[Event] = []
        seat.misses += 1
        if seat.misses >= game.record.clock.auto_play_after and not seat.auto_play:
            seat.auto_play = record.stand_in
            events.append(AutoPlayStarted(number, seat.auto_play, MISSED_DEADLINES))
        deadline = seat.clock.deadline
        seat.clock = missed(seat.clock)
        change = _played(record, number, timeouts.answer(decision), BY_TIMEOUT, events)
        change.not_before = deadline
        return change

    await _unless_closed(games.change(game_id, NO_REQUEST, decide))


async def play_for(
    games: Games, game_id: str, decision_id: str, level: str, answer: Choice
) -> None:
    """Answers a decision as the bot of this level has chosen; not if it is not the bot's any more.

    Raises Refused for a game that is none.
    """

    def decide(game: StoredGame) -> Change:
        decision = find_open(game.record, decision_id)
        if decision is None or game.record.seats[decision.seat].played_by != level:
            raise _closed()
        return _played(game.record.copy(), decision.seat, answer, BY_BOT, [])

    await _unless_closed(games.change(game_id, NO_REQUEST, decide))


def begun(game: StoredGame) -> State:
    """The state of a game that has begun. Raises Refused GAME_NOT_STARTED."""
    if game.record.state is None:
        raise Refused("GAME_NOT_STARTED", "the game has not begun")
    return game.record.state


async def _unless_closed(changing: Awaitable[Changed]) -> None:
    try:
        await changing
    except Refused as refused:
        if refused.reason != "DECISION_CLOSED":
            raise


def _first_to_time_out(game: StoredGame) -> Decision | None:
    seats = game.record.seats
    timed = [each for each in begun(game).pending if seats[each.seat].clock.deadline]
    return min(timed, key=lambda each: seats[each.seat].clock.deadline, default=None)


def _open_one(game: StoredGame, seat: int, decision_id: str) -> Decision:
    """The open decision of this id. Raises where the seat has none."""
    state = begun(game)
    decision = find_open(game.record, decision_id)
    if decision is None:
        # Who loses a race for the last decision is late.
        if state.finished and not may_have_been_open(state, decision_id):
            raise Refused("GAME_OVER", "the game is over")
        raise _closed()
    if decision.seat != seat:
        raise IllegalChoice("NOT_YOUR_DECISION", "1.5.6", "another seat decides this")
    return decision


def _closed() -> Refused:
    return Refused(
        "DECISION_CLOSED",
        "the decision was answered already, timed out, or was never open",
        field="decision_id",
    )


def _played(
    record: GameRecord, seat: int, answer: Choice, trigger: str, events: list[Event]
) -> Change:
    """A change by which a seat makes a choice.

    record: a copy of the game's, changed otherwise already. trigger: who chose. events: what the
    step tells before what the choice brings about.
    """
    before = record.state
    if before is None:
        raise ValueError("nobody chooses before the start")
    state = before.copy()
    state.log = events
    apply(state, seat, answer)
    state.log = None
    record.state = state
    if state.finished:
        record.status = FINISHED
    seed = record.seed if state.finished else b""
    return Change(record, Step(trigger, seat, answer.text, events, list(state.pending), seed))
