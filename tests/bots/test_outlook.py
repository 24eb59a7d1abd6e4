"""What a position is worth to a seat."""

from __future__ import annotations

import pytest

from coltexpress_server.bots.outlook import outlook
from coltexpress_server.game.boxes.marshal_and_prisoners.state import prison_train
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import warrant
from coltexpress_server.game.cards import NEUTRAL
from coltexpress_server.game.loot import PUBLIC, Token
from coltexpress_server.game.options import Options
from coltexpress_server.game.scoring import score
from coltexpress_server.game.state import State
from tests.game.random_games import GAMES, MARSHAL, WITH_EXPANSIONS, position, start

JEWEL = Token("JEWEL", 500, PUBLIC)


@pytest.mark.parametrize(("options", "players"), [*GAMES, *WITH_EXPANSIONS])
def test_the_chances_of_all_teams_are_one(options: Options, players: int) -> None:
    for state in (
        start(players, 1, options=options),
        position(players, 1, lambda state: state.choices == 40, options=options),
        position(players, 1, lambda state: state.finished, options=options),
    ):
        team = {seat.team: number for number, seat in enumerate(state.seats)}
        someone_wins = bool(score(state).winners) or not state.finished
        chances = sum(outlook(state, seat) for seat in team.values())
        assert chances == pytest.approx(1 if someone_wins else 0)


def test_after_the_end_the_winner_has_won() -> None:
    state = position(4, 1, lambda state: state.finished)
    (winner,) = score(state).winners
    assert [outlook(state, seat) for seat in range(4)] == [seat == winner for seat in range(4)]


def _without_loot_lying_about(round_number: int = 1) -> State:
    state = start(4, 1)
    state.spaces.clear()
    state.round.number = round_number
    return state


def test_money_in_hand_is_good_for_its_owner_and_bad_for_the_others() -> None:
    state = _without_loot_lying_about()
    before = outlook(state, 0)
    state.bandits[0].loot.append(JEWEL)
    with_jewel = outlook(state, 0)
    state.bandits[1].loot += [JEWEL, JEWEL]
    assert before < with_jewel > outlook(state, 0)


def test_the_same_money_tells_more_the_later_it_is() -> None:
    early, late = _without_loot_lying_about(1), _without_loot_lying_about(5)
    for state in (early, late):
        state.bandits[0].loot.append(JEWEL)
    assert outlook(early, 0) < outlook(late, 0)


def test_loot_within_reach_is_better_than_none_and_worse_than_in_hand() -> None:
    state = _without_loot_lying_about()
    none = outlook(state, 0)
    state.bandits[0].space = "0.roof"
    state.spaces["0.roof"] = [JEWEL]
    near = outlook(state, 0)
    state.spaces.clear()
    state.bandits[0].loot.append(JEWEL)
    assert none < near < outlook(state, 0)


def test_goals_held_are_good_for_who_has_them_and_bad_for_the_others() -> None:
    """Not the Marshal's money: he has none."""
    state = start(4, 1, options=MARSHAL)
    extra = prison_train(state)
    extra.current, extra.upcoming = [warrant(state.bandits[0].name)], []
    before = [outlook(state, seat) for seat in range(4)]
    extra.posters.append(state.bandits[0].name)
    after = [outlook(state, seat) for seat in range(4)]
    assert after[0] > before[0]
    assert all(now < was for now, was in zip(after[1:], before[1:], strict=True))


def test_a_goal_nearly_reached_is_worth_something() -> None:
    state = start(4, 1, options=MARSHAL)
    extra = prison_train(state)
    extra.current, extra.upcoming = ["EMPTY_CYLINDER"], []
    worth = []
    while extra.cylinders[0]:
        worth.append(outlook(state, 0))
        extra.cylinders[0].pop(0)
    assert worth == sorted(worth)
    assert len(set(worth)) == len(worth)
    assert outlook(state, 0) > worth[-1]


def test_bullets_given_are_good_and_bullets_received_bad() -> None:
    state = _without_loot_lying_about()
    before = outlook(state, 0)
    state.bandits[0].bullets_left -= 1
    shot = outlook(state, 0)
    state.bandits[0].received.append(NEUTRAL)
    assert before < shot > outlook(state, 0)
