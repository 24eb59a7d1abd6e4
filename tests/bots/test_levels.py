from __future__ import annotations

from random import Random

import pytest

from coltexpress_server.bots.levels import LEVELS
from coltexpress_server.game.engine import apply, decisions, new_game
from coltexpress_server.game.options import STANDARD
from coltexpress_server.game.views import view


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_plays_a_game_to_its_end(level: str) -> None:
    def play() -> list[str]:
        state = new_game(STANDARD, [[]] * 4, bytes(32))
        bots = [LEVELS[level].bot(Random(seat)) for seat in range(4)]
        choices = []
        while not state.finished:
            decision = decisions(state)[0]
            choice = bots[decision.seat].choose(decision, view(state, decision.seat))
            assert choice.text in [option.text for option in decision.options]
            choices.append(choice.text)
            apply(state, decision.seat, choice)
        return choices

    choices = play()
    assert len(set(choices)) > 10
    assert play() == choices, "the same chance, the same choices"
