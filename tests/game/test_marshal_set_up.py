"""Setting up Marshal & Prisoners, read against docs/RULES.md (4.1 to 4.6)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from coltexpress_server.game.boxes.marshal_and_prisoners.state import prison_train
from coltexpress_server.game.engine import new_game
from coltexpress_server.game.generator import SEED_BYTES
from coltexpress_server.game.options import InvalidOptions, Options
from coltexpress_server.game.state import State
from coltexpress_server.game.views import view
from tests.game.random_games import BOTH, MARSHAL, start

BANDITS = ["GHOST", "CHEYENNE", "DJANGO", "BELLE", "TUCO", "DOC", "MEI"]
PLAYERS = (3, 4, 5, 6, 7, 8)
TARGETS = {
    *("FULL_OF_LEAD", "ARCH_ENEMY", "EMPTY_CYLINDER", "MAIL_GUARD", "PRISON_GUARD"),
    *("UNBEATEN", "FULL_CELL"),
}

every_number = pytest.mark.parametrize("players", PLAYERS)


def games(players: int, options: Options = MARSHAL) -> list[State]:
    return [start(players, seed, options=options) for seed in range(30)]


@every_number
def test_the_train(players: int) -> None:
    for state in games(players):
        cars = 4 if players - 1 <= 4 else 5
        assert len(state.cars) == cars + 1 == state.train.caboose
        assert state.cars[-1] == "PRISON"
        assert len(set(state.cars[:-1]) & set("ABCDEF")) == cars
        assert f"{state.train.caboose}.inside" not in state.spaces
        assert [token.kind for token in state.spaces["0.inside"]] == ["MAILBAG", "MAILBAG"]
        assert sorted(token.value for token in state.spaces["0.inside"]) == [200, 1200]
        assert [token.kind for token in state.waiting] == ["STRONGBOX"]


@every_number
def test_purses(players: int) -> None:
    """One more of $250 than in the base box."""
    for state in games(players):
        heaps = [figure.loot for figure in state.bandits] + [*state.spaces.values(), state.box]
        purses = Counter(token.value for heap in heaps for token in heap if token.kind == "PURSE")
        assert purses == {250: 9, 300: 2, 350: 2, 400: 2, 450: 2, 500: 2}
        assert all([token.value for token in figure.loot] == [250] for figure in state.bandits)


@every_number
def test_seats_are_numbered_from_the_marshal(players: int) -> None:
    for state in games(players):
        marshal = state.figures["MARSHAL"]
        assert (marshal.seat, marshal.space, marshal.loot) == (0, "0.inside", [])
        assert state.seats[0].figures == ["MARSHAL"]
        assert state.round.first_seat == 0
        last = state.train.caboose
        assert [figure.space for figure in state.bandits] == [
            f"{last - (1 if number % 2 == 0 else 2)}.inside" for number in range(2, players + 1)
        ]
        assert len(state.bandits) == players - 1


@pytest.mark.parametrize(("options", "ride"), [(MARSHAL, 0), (BOTH, 1)])
def test_decks(options: Options, ride: int) -> None:
    state = start(8, 1, options=options)
    decks = [Counter(card.action for card in deck.cards + deck.hand) for deck in state.decks]
    assert decks[0] == {"MOVE_PLUS": 3, "FLOOR_CHANGE_PLUS": 2, "FIRE": 3, "CAPTURE": 3}
    bandits = Counter(
        {"MOVE": 2, "FLOOR_CHANGE": 2, "FIRE": 2, "ROBBERY": 2, "PUNCH": 1, "BRILLIANT_IDEA": 1}
    )
    assert all(deck == bandits + Counter({"RIDE": ride}) for deck in decks[1:])


@every_number
def test_prisoners_and_goals(players: int) -> None:
    prisoners: set[str] = set()
    targets: set[str] = set()
    for state in games(players):
        extra = prison_train(state)
        assert len(extra.displayed) == 3
        assert extra.displayed == [name for name in BANDITS if name in extra.displayed]
        prisoners |= set(extra.displayed)
        goals = extra.current + extra.upcoming
        assert (len(extra.current), len(goals)) == (1, 5)
        warrants = {f"WARRANT:{figure.name}" for figure in state.bandits}
        assert sum(goal in warrants for goal in set(goals)) == 2
        assert sum(goal in TARGETS for goal in set(goals)) == 3
        targets |= {goal for goal in goals if goal in TARGETS}
    assert prisoners == set(BANDITS)
    few = {"FULL_OF_LEAD", "ARCH_ENEMY"} if players - 1 <= 3 else set()
    assert targets == TARGETS - few


def test_round_cards_are_for_the_number_of_bandits() -> None:
    """Five players are four bandits, with the longer rounds of few."""
    turns = {
        players: {
            len(card.turns)
            for state in games(players)
            for card in state.round.cards
            if card.name == "BRAKING"
        }
        for players in (5, 6)
    }
    assert turns == {5: {4}, 6: {4}}
    bridges = {
        players: {
            tuple(card.turns)
            for state in games(players)
            for card in state.round.cards
            if card.name == "BRIDGE"
        }
        for players in (5, 6)
    }
    assert bridges == {
        5: {("STANDARD", "SPEEDING_UP", "STANDARD")},
        6: {("STANDARD", "SPEEDING_UP")},
    }


def test_with_horses_the_attack_is_the_bandits_alone() -> None:
    state = start(8, 1, options=BOTH)
    assert [decision.seat for decision in state.pending] == [1, 2, 3, 4, 5, 6, 7]
    lying = [
        space for space, heap in state.spaces.items() for token in heap if token.kind == "FLASK"
    ]
    assert sorted(lying) == [f"{car}.inside" for car in range(1, 6)]


def test_the_marshals_seat_is_his() -> None:
    seed = Random(1).randbytes(SEED_BYTES)
    state = new_game(MARSHAL, [["MARSHAL"], ["MEI"], []], seed)
    assert state.seats[1].figures == ["MEI"]
    for seats, field in (
        ([["DOC"], [], []], "seats[0]"),
        ([[], ["MARSHAL"], []], "seats[1]"),
        ([[], ["MEI"], ["MEI"]], "seats[2]"),
    ):
        with pytest.raises(InvalidOptions) as refused:
            new_game(MARSHAL, seats, seed)
        assert refused.value.field == field


def test_the_options_name_the_ordinary_cars() -> None:
    options = replace(MARSHAL, cars=("C", "F", "A", "B"))
    assert start(3, 1, options=options).cars == ["C", "F", "A", "B", "PRISON"]
    with pytest.raises(InvalidOptions, match="3 seats need 4 cars, not 5"):
        start(3, 1, options=replace(MARSHAL, cars=("C", "F", "A", "B", "D")))


def test_goals_are_the_marshals_secret() -> None:
    state = start(4, 1, options=MARSHAL)
    goals = prison_train(state)
    own, others = prison_train(view(state, 0)), prison_train(view(state, 1))
    assert (own.current, own.upcoming) == (goals.current, ["HIDDEN"] * 4)
    assert (others.current, others.upcoming) == (["HIDDEN"], ["HIDDEN"] * 4)
