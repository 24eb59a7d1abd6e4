"""An id names one decision, in whatever history of a game."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coltexpress_server.api import fields
from coltexpress_server.game.engine import apply
from coltexpress_server.game.options import Options
from coltexpress_server.service.decision_ids import (
    decision_id,
    find_open,
    may_have_been_open,
    opener,
)
from coltexpress_server.service.records import (
    PUBLIC,
    RUNNING,
    GameRecord,
    SeatRecord,
    decode_record,
    encode_record,
)
from coltexpress_server.service.seats import WAITING, SeatStatus
from coltexpress_server.store import Cursor
from tests.game.random_games import GAMES, WITH_EXPANSIONS, at_random, start


class History:
    """A game as commits make it: each with a mark, some of them changing nothing at the table.

    record: as it was read back from the store.
    ids: of all decisions that were ever open in it.
    """

    def __init__(self, record: GameRecord, ids: frozenset[str], chance: Random) -> None:
        self.record = record
        self.ids = ids
        self._chance = chance

    @property
    def open(self) -> set[str]:
        """The ids of the open decisions."""
        state = self.record.state
        assert state is not None
        return {decision_id(decision, self.record.opened_by) for decision in state.pending}

    def fork(self, seed: int) -> History:
        """A history that goes on from here in another way."""
        return History(self.record, self.ids, Random(seed))

    def go_on(self, commits: int) -> None:
        """Makes so many commits, or as many as there are to the end of the game."""
        for _ in range(commits):
            before = self.record
            assert before.state is not None
            if before.state.finished:
                return
            record = before.copy()
            answered = ""
            if self._chance.randrange(4):
                record.state = before.state.copy()
                decision, choice = at_random(record.state, self._chance)
                answered = decision_id(decision, before.opened_by)
                assert answered in self.open
                apply(record.state, decision.seat, choice)
            was_open = self.open
            self.commit(record)
            # What is not answered keeps its id; what is new has one that never was.
            stays = self.open & was_open
            assert answered not in self.open
            assert not stays or stays == self.open
            assert answered or stays == was_open == self.open
            assert not (self.open - was_open) & self.ids
            self.ids |= self.open

    def commit(self, record: GameRecord) -> None:
        """Puts a record in the place of the one before, through its stored form."""
        mark = self._chance.randbytes(8).hex()
        record.opened_by = opener(record, self.record if self.ids else None, mark)
        self.record = decode_record(encode_record(record))


def begun(options: Options, players: int, seed: int) -> History:
    record = GameRecord(
        status=RUNNING,
        visibility=PUBLIC,
        options=options,
        principal="",
        host_hash=b"",
        code_number=0,
        seed=bytes(32),
        clock=None,
        stand_in="RANDOM",
        seats=[SeatRecord(b"hash", "", [], [], b"") for _ in range(players)],
        state=start(players, seed, options=options),
    )
    history = History(record, frozenset(), Random(seed))
    history.commit(record)
    history.ids = frozenset(history.open)
    return history


def standing(history: History) -> SeatStatus:
    """How the seats stand that are asked, as who watches one of them is told."""
    record = history.record
    assert record.state is not None
    pending = tuple(record.state.pending)
    cursor = Cursor(7, "0123456789abcdef")
    return SeatStatus(
        *("00" + "a" * 24, pending[0].seat, WAITING, RUNNING, cursor),
        *(pending, record.opened_by, 0),
    )


@pytest.mark.parametrize(
    ("options", "players"), [*GAMES[::4], *WITH_EXPANSIONS[::3]], ids=lambda each: str(each)[:60]
)
@given(seed=st.integers(0, 99), shared=st.integers(0, 200), after=st.integers(1, 40))
def test_two_histories_share_the_decisions_that_were_opened_before_they_parted(
    options: Options, players: int, seed: int, shared: int, after: int
) -> None:
    one = begun(options, players, seed)
    one.go_on(shared)
    before = one.ids
    open_then = one.open
    other = one.fork(seed + 1_000)
    assert other.open == open_then
    one.go_on(after)
    other.go_on(after)
    assert one.ids & other.ids == before
    for wanted in (one.ids | other.ids) - before:
        assert (find_open(one.record, wanted) is not None) == (wanted in one.open)
        assert fields.decision_id(wanted) == wanted
    for wanted in one.open & other.open:
        assert wanted in open_then
        found, same = find_open(one.record, wanted), find_open(other.record, wanted)
        assert found is not None
        assert same is not None
        assert (found.seat, found.options) == (same.seat, same.options)


def test_the_same_choices_made_again_open_other_decisions() -> None:
    """Where two histories look the same, what was sent in one is not taken for the other."""
    one = begun(GAMES[0][0], 3, seed=1)
    other = one.fork(seed=2)
    for history in (one, other):
        record = history.record.copy()
        assert record.state is not None
        record.state = record.state.copy()
        (decision,) = record.state.pending
        apply(record.state, decision.seat, decision.options[0])
        history.commit(record)
    (mine,), (others,) = one.open, other.open
    assert mine.rpartition(".")[0] == others.rpartition(".")[0]
    assert find_open(one.record, others) is None
    assert find_open(other.record, mine) is None
    # Who watches his seats is told, though all else that he is told of them is alike.
    assert standing(one).is_like(standing(one))
    assert not standing(one).is_like(standing(other))


def test_a_game_that_waits_for_nobody_has_no_open_decision() -> None:
    history = begun(GAMES[0][0], 3, seed=1)
    (first,) = history.open
    record = history.record.copy()
    assert record.state is not None
    record.state = record.state.copy()
    record.state.pending = []
    history.commit(record)
    assert history.record.opened_by == ""
    record.state.choices = 7
    assert may_have_been_open(record.state, first)
    assert not may_have_been_open(record.state, "7.0.0123456789abcdef")
