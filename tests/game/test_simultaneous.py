"""Several seats decide at once: in any order, and nothing is seen before all have (RULES.md 3)."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from coltexpress_server.game.boxes.horses_and_stagecoach.events import DrawnInSecret
from coltexpress_server.game.choices import DRAW
from coltexpress_server.game.codec import decode_state, encode_state
from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.engine import apply, run
from coltexpress_server.game.events import CardsDrawn, Event
from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.game.options import Options
from coltexpress_server.game.state import State
from coltexpress_server.game.timeouts import answer as answer_for_the_late
from coltexpress_server.game.views import view
from tests.game.random_games import EXPERT, HORSES, answer, positions

EXPERT_HORSES = Options("EXPERT", HORSES.expansions, "BIG_BOX", ())
TEAMS_HORSES = Options("TEAMS", HORSES.expansions, "BIG_BOX", ())

together = pytest.mark.parametrize(
    ("options", "players", "kind"),
    [
        *((HORSES, 3, "BOARD"), (HORSES, 3, "TURMOIL"), (HORSES, 3, "KEEP")),
        *((EXPERT, 3, "DISCARD"), (EXPERT_HORSES, 2, "BOARD"), (TEAMS_HORSES, 4, "TURMOIL")),
    ],
)


def asked(options: Options, players: int, kind: str) -> State:
    """A game in which all seats are asked this."""
    return next(
        state
        for seed in range(40)
        for state in positions(players, seed, options=options)
        if [decision.kind for decision in state.pending] == [kind] * players
    )


@together
def test_the_order_of_answers_does_not_matter(options: Options, players: int, kind: str) -> None:
    state = asked(options, players, kind)
    chance = Random(1)
    choices = {decision.seat: answer(decision, chance) for decision in state.pending}
    ends = set()
    for order in list(permutations(choices))[:6]:
        game = state.copy()
        game.log = log = list[Event]()
        for number, seat in enumerate(order):
            assert [one.seat for one in game.pending] == [
                one.seat for one in state.pending if one.seat not in order[:number]
            ]
            # Who draws is told at once, and he alone.
            assert all(isinstance(event, DrawnInSecret) for event in log)
            apply(game, seat, choices[seat])
            if number < players - 1:
                with pytest.raises(IllegalChoice, match=r"another seat|not this seat"):
                    apply(game, seat, choices[seat])
                game = decode_state(encode_state(game))
                game.log = log
        assert log
        ends.add(encode_state(game))
    assert len(ends) == 1


@together
def test_nobody_sees_an_answer_before_all_have_come(
    options: Options, players: int, kind: str
) -> None:
    state = asked(options, players, kind)
    decision = state.pending[0]
    first, *_, last = decision.options
    games = [state.copy(), state.copy()]
    for game, choice in zip(games, (first, last), strict=True):
        apply(game, decision.seat, choice)
    viewers = [*range(players), SPECTATOR]
    told_apart = {
        viewer
        for viewer in viewers
        if len({encode_state(view(game, viewer)) for game in games}) > 1
    }
    assert told_apart == {decision.seat}
    assert encode_state(view(games[0], SPECTATOR)) != encode_state(view(state, SPECTATOR))


@together
def test_those_who_are_late_are_answered_for(options: Options, players: int, kind: str) -> None:
    state = asked(options, players, kind)
    prompt, *late = list(state.pending)
    apply(state, prompt.seat, answer(prompt, Random(1)))
    for decision in late:
        assert state.pending[0] is decision
        apply(state, decision.seat, answer_for_the_late(decision))
    assert prompt not in state.pending


def test_the_game_answers_for_a_seat_with_an_empty_hand_among_others_who_choose() -> None:
    """It draws, as all can see that it must; even if one seat alone has a choice (1.5.8)."""
    state = asked(HORSES, 3, "TURMOIL")
    for seat in (0, 2):
        deck = state.decks[state.seats[seat].deck]
        deck.cards += deck.hand
        deck.hand.clear()
    run(state)
    assert [decision.seat for decision in state.pending] == [1]
    play = state.pending[0].options[0]
    assert play != DRAW
    state.log = log = list[Event]()
    apply(state, 1, play)
    assert [event.seat for event in log if isinstance(event, CardsDrawn)].count(1) == 0
    assert {event.seat for event in log if isinstance(event, CardsDrawn)} == {0, 2}
    assert [played.seat for played in state.pile] == [1]
