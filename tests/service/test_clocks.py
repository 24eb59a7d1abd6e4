"""What a seat has of its time, before and after the store has put its own time on a commit."""

from __future__ import annotations

from coltexpress_server.game.choices import DRAW
from coltexpress_server.game.decisions import NO_MEMBERS, Decision
from coltexpress_server.service.clocks import Clock, SeatClock, answered, missed, wound

CLOCK = Clock(turn_s=30, reserve_s=60, auto_play_after=2)
FULL = SeatClock(60_000)


def decision(seat: int, opened: int) -> Decision:
    return Decision(seat, "DOC", "SCHEME", [DRAW], False, opened, NO_MEMBERS)


def opened(clock: SeatClock, time_ms: int) -> SeatClock:
    """A seat's clock after a commit at this time that puts a decision to it."""
    (found,) = wound(CLOCK, [clock], [True], [], [decision(0, 7)])
    return found.settled(time_ms)


def test_a_decision_has_its_turn_and_the_reserve() -> None:
    assert opened(FULL, 1_000) == SeatClock(60_000, deadline=91_000)


def test_an_answer_within_the_turn_leaves_the_reserve() -> None:
    for time_ms in (1_000, 31_000):
        assert answered(opened(FULL, 1_000)).settled(time_ms) == FULL


def test_an_answer_after_the_turn_takes_off_the_reserve() -> None:
    assert answered(opened(FULL, 1_000)).settled(41_000) == SeatClock(50_000)
    assert answered(opened(FULL, 1_000)).settled(91_000) == SeatClock(0)


def test_a_missed_deadline_takes_all_that_was_left() -> None:
    assert missed(opened(FULL, 1_000)).settled(95_000) == SeatClock(0)
    # The next decision has its turn and no more.
    assert opened(SeatClock(0), 95_000).deadline == 125_000


def test_who_is_asked_again_at_once_has_what_the_answer_has_left() -> None:
    before = opened(FULL, 1_000)
    (clock,) = wound(CLOCK, [answered(before)], [True], [decision(0, 7)], [decision(0, 8)])
    for time_ms, reserve in ((2_000, 60_000), (31_000, 60_000), (41_000, 50_000), (90_999, 1)):
        after = clock.settled(time_ms)
        assert after == SeatClock(reserve, deadline=time_ms + 30_000 + reserve)
        # What the store is told before it has put a time on the commit comes to the same.
        assert clock.due_in_ms is not None
        assert clock.due_ms is not None
        assert min(time_ms + clock.due_in_ms, clock.due_ms) == after.deadline


def test_a_decision_that_stays_open_keeps_its_deadline() -> None:
    before = opened(FULL, 1_000)
    pending = [decision(0, 7)]
    (clock,) = wound(CLOCK, [before], [True], pending, [*pending, decision(1, 7)])
    assert clock.settled(50_000) == before
    assert (clock.due_ms, clock.due_in_ms) == (91_000, None)


def test_bots_and_games_without_a_clock_have_no_deadlines() -> None:
    for clock, asked in ((None, True), (CLOCK, False)):
        (found,) = wound(clock, [SeatClock()], [asked], [], [decision(0, 7)])
        assert found == SeatClock()
    # A seat that is left to a bot in the middle of a decision.
    pending = [decision(0, 7)]
    (found,) = wound(CLOCK, [opened(FULL, 1_000)], [False], pending, pending)
    assert found.deadline == 0


def test_what_is_settled_stays_as_it_is() -> None:
    settled = opened(FULL, 1_000)
    assert settled.settled(999_999) is settled
