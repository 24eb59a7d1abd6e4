"""How long players may think: a game's clock, and what each seat has left of it.

Deadlines are judged by the store's clock, and when a commit takes place only the store knows. So
what is stored with a commit says how its time counts (`SeatClock.given_ms`, `closed`), and is made
plain with the time that the store puts on it (`settled`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.reader import Reader

LONGEST_S = 604_800
"""The longest turn and the longest reserve: a week."""
MOST_MISSES = 100
"""After how many missed deadlines a bot plays at the latest."""
USUAL_MISSES = 2
"""After how many it does unless the host says otherwise."""


@dataclass(frozen=True, slots=True)
class Clock:
    """How long the players of a game may think.

    turn_s: seconds for each decision.
    reserve_s: seconds that each seat has on top of that, for the whole game.
    auto_play_after: how many deadlines in a row a player misses before a bot plays for him.
    """

    turn_s: int
    reserve_s: int
    auto_play_after: int


def pack_clock(clock: Clock | None) -> list[int]:
    """The stored form of a clock, or of none."""
    return [clock.turn_s, clock.reserve_s, clock.auto_play_after] if clock is not None else []


def unpack_clock(row: Reader) -> Clock | None:
    """A clock, or none, from its stored form. Raises Unreadable."""
    return Clock(row.number(), row.number(), row.number()) if row.rest() else None


@dataclass(frozen=True, slots=True)
class SeatClock:
    """What a seat has of its time, in ms; times are those of the store's clock since 1970.

    reserve_ms: what is left of the reserve, without what `closed` takes off.
    deadline: when its open decision is decided for it; 0 if it has none, or is still to be settled.
    given_ms: the turn's time for the decision that this commit opened; 0 if it opened none.
    closed: the deadline of the decision that the player answered with this commit; 0 if none.
    """

    reserve_ms: int = 0
    deadline: int = 0
    given_ms: int = 0
    closed: int = 0

    def settled(self, time_ms: int) -> SeatClock:
        """The same, when the commit's time is known."""
        if not self.given_ms and not self.closed:
            return self
        reserve = self.reserve_ms
        if self.closed:
            reserve = min(reserve, max(0, self.closed - time_ms))
        deadline = time_ms + self.given_ms + reserve if self.given_ms else self.deadline
        return SeatClock(reserve, deadline)

    @property
    def due_in_ms(self) -> int | None:
        """How long after the commit the deadline is at the latest, if the commit sets one."""
        return self.given_ms + self.reserve_ms if self.given_ms else None

    @property
    def due_ms(self) -> int | None:
        """When the deadline is at the latest, however late the commit; None if there is no such."""
        if not self.given_ms:
            return self.deadline or None
        # What the decision before takes of the reserve, this one has less.
        return self.closed + self.given_ms if self.closed else None


def answered(clock: SeatClock) -> SeatClock:
    """When its player has answered in time: what a turn was too short for goes off the reserve."""
    return replace(clock, deadline=0, closed=clock.deadline)


def missed(clock: SeatClock) -> SeatClock:
    """When the deadline has passed: nothing is left."""
    return replace(clock, deadline=0, reserve_ms=0)


def wound(
    clock: Clock | None,
    seats: Sequence[SeatClock],
    asked: Sequence[bool],
    before: Sequence[Decision],
    after: Sequence[Decision],
) -> list[SeatClock]:
    """The seats' clocks after a change; those of decisions that stay open run on.

    clock: None for all the time in the world.
    seats: the clocks as the change left them.
    asked: whether the seat's decisions have deadlines: it is no bot's.
    before, after: the decisions open before the change and after it.
    """
    open_before = {decision.id for decision in before}
    opened = {decision.seat: decision.id for decision in after}
    found = []
    for number, seat in enumerate(seats):
        decision_id = opened.get(number)
        if clock is None or decision_id is None or not asked[number]:
            found.append(replace(seat, deadline=0))
        elif decision_id not in open_before:
            found.append(replace(seat, deadline=0, given_ms=clock.turn_s * 1000))
        else:
            found.append(seat)
    return found
