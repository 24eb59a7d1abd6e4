"""What all levels promise: a legal choice, from the view alone, the same for the same chance."""

from __future__ import annotations

from random import Random

import pytest

from coltexpress_server.bots.levels import LEVELS
from coltexpress_server.game.codec import encode_state
from coltexpress_server.game.engine import apply, decisions
from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.game.state import State
from coltexpress_server.game.views import view
from tests.game.random_games import (
    EXPERT,
    GAMES,
    HORSES,
    TEAMS,
    WITH_EXPANSIONS,
    positions,
    start,
)
from tests.game.twins import twin


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_found_by_its_name(level: str) -> None:
    assert LEVELS[level].name == level


# A slow level takes a second or more for a game: it plays one of each kind.
@pytest.mark.parametrize(
    ("level", "options", "players"),
    [
        *(("RANDOM", *case) for case in (*GAMES, *WITH_EXPANSIONS)),
        *(("GREEDY", *case) for case in (*GAMES[::4], *WITH_EXPANSIONS[::3])),
    ],
)
def test_a_bot_plays_a_game_to_its_end(level: str, options: Options, players: int) -> None:
    state = start(players, 1, options=options)
    seat = players - 1
    bot = LEVELS[level].bot(Random(1))
    others = LEVELS["RANDOM"].bot(Random(2))
    choices = set()
    while not state.finished:
        decision = decisions(state)[0]
        player = bot if decision.seat == seat else others
        choice = player.choose(decision, view(state, decision.seat))
        assert decision.allows(choice)
        if decision.seat == seat:
            choices.add(choice.text)
        apply(state, decision.seat, choice)
    assert len(choices) > 5


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_looks_at_what_its_seat_sees_and_uses_its_chance_alone(level: str) -> None:
    """Twin games, in which all is different that the seat may not know, are played alike."""
    pairs = 0
    for options, players in [(STANDARD, 4), (EXPERT, 2), (TEAMS, 4), (HORSES, 4)]:
        for number, state in enumerate(positions(players, 3, options=options)):
            if number % 30 == 5 and not state.finished:
                seat = decisions(state)[0].seat
                other = twin(state, {seat}, Random(number))
                pairs += [deck.hand for deck in other.decks] != [deck.hand for deck in state.decks]
                assert _chosen(level, other, seat) == _chosen(level, state, seat)
    assert pairs > 3


def _chosen(level: str, state: State, seat: int) -> list[str]:
    """What bots of a level choose, each with its own chance; they leave what they see as it is."""
    seen = view(state, seat)
    before = encode_state(seen)
    decision = next(decision for decision in decisions(seen) if decision.seat == seat)
    chosen = [LEVELS[level].bot(Random(chance)).choose(decision, seen) for chance in range(2)]
    assert encode_state(seen) == before
    return [choice.text for choice in chosen]
