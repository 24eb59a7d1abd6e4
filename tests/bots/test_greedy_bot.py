"""The level GREEDY."""

from __future__ import annotations

from random import Random

from coltexpress_server.bots.greedy_bot import GreedyBot
from coltexpress_server.game.cards import PileCard
from coltexpress_server.game.choices import Choice, Keep, Play, Rob
from coltexpress_server.game.engine import decisions
from coltexpress_server.game.loot import PUBLIC, UNKNOWN_VALUE, Token
from coltexpress_server.game.state import State
from coltexpress_server.game.views import view
from tests.game.random_games import EXPERT, position

ROBBERY = Play("", "ROBBERY", face_down=False)


def _chosen(state: State, chance: int = 1) -> Choice:
    decision = decisions(state)[0]
    return GreedyBot(Random(chance)).choose(decision, view(state, decision.seat))


def test_it_takes_the_strongbox_rather_than_a_purse() -> None:
    state = position(
        4,
        1,
        lambda state: any(
            decision.kind == "ROBBERY" and len(decision.options) > 1 for decision in state.pending
        ),
    )
    decision = decisions(state)[0]
    space = state.figures[decision.figure].space
    state.spaces[space] = [Token("PURSE", 250, PUBLIC), Token("STRONGBOX", 1000, PUBLIC)]
    decision.options[:] = [Rob("STRONGBOX", UNKNOWN_VALUE), Rob("PURSE", 250)]
    assert _chosen(state) == Rob("STRONGBOX", UNKNOWN_VALUE)


def _last_turn_of_a_quiet_round(state: State) -> bool:
    """Whether the last player of a round without an event may play ROBBERY, among other cards."""
    current = state.round
    decision = next(iter(state.pending), None)
    return (
        decision is not None
        and decision.kind == "SCHEME"
        and current.card.event == "NONE"
        and current.turn == len(current.card.turns) - 1
        and (decision.seat + 1) % len(state.seats) == current.first_seat
        and ROBBERY in decision.options
        and len(decision.options) > 3
    )


def test_it_plays_for_where_the_pile_will_have_brought_it() -> None:
    state = position(4, 1, _last_turn_of_a_quiet_round)
    seat = decisions(state)[0].seat
    own = state.bandits[seat]
    for figure in state.figures.values():
        figure.space = "0.roof" if figure in state.bandits else "0.inside"
    own.space = "3.roof"
    state.spaces = {"3.inside": [Token("STRONGBOX", 1000, PUBLIC)]}
    state.pile = []
    assert _chosen(state) != ROBBERY
    state.pile = [PileCard(seat, state.rules.card(own.name, "FLOOR_CHANGE"), face_down=False)]
    assert _chosen(state) == ROBBERY


def test_of_a_set_it_keeps_one_of_each_kind() -> None:
    state = position(
        3,
        2,
        lambda state: any(
            len(decision.members) > len(set(decision.members)) for decision in state.pending
        ),
        options=EXPERT,
    )
    for decision in decisions(state):
        kept = GreedyBot(Random(1)).choose(decision, view(state, decision.seat))
        assert decision.allows(kept)
        assert isinstance(kept, Keep)
        assert set(kept.cards) == set(decision.members)
        assert len(kept.cards) == len(set(kept.cards))
