from __future__ import annotations

from random import Random

import pytest

from coltexpress_server.bots.plan import Plan
from coltexpress_server.game.choices import Choice, FloorTo, MoveTo

ROOF, LEFT, RIGHT = FloorTo("1.roof"), MoveTo("0.inside"), MoveTo("2.inside")
PAYS: dict[Choice, float] = {ROOF: 0.1, LEFT: 0.5, RIGHT: 0.6}


def test_every_option_is_tried_and_the_best_one_most() -> None:
    plan, chance = Plan(), Random(1)
    options = list(PAYS)
    for trial in range(100):
        option, ahead = plan.pick(options, chance)
        assert trial >= len(options) or ahead.tried == 0
        for step in (plan, ahead):
            step.learn(PAYS[option])
    tried = {option: plan.pick([option], chance)[1].tried for option in options}
    assert plan.tried == sum(tried.values()) == 100
    assert 0 < tried[ROOF] < tried[LEFT] < tried[RIGHT]
    assert plan.favourite(options) == RIGHT
    assert plan.favourite([ROOF, LEFT]) == LEFT


def test_only_the_options_there_are_count() -> None:
    """In another imagined game a hand, and so the options, may be different."""
    plan, chance = Plan(), Random(1)
    for options, best in [([RIGHT], RIGHT), ([RIGHT, LEFT], LEFT), ([LEFT], LEFT)]:
        option, ahead = plan.pick(options, chance)
        assert option == best
        plan.learn(0.5)
        ahead.learn(0.5)
    assert plan.favourite([ROOF, RIGHT, LEFT]) == LEFT


def test_without_trials_the_first_option_is_as_good_as_any() -> None:
    assert Plan().favourite([LEFT, RIGHT]) == LEFT


def test_what_lies_ahead_is_learnt_for_each_choice_apart() -> None:
    plan, chance = Plan(), Random(1)
    _, after_roof = plan.pick([ROOF], chance)
    after_roof.learn(1.0)
    plan.learn(1.0)
    _, after_left = plan.pick([ROOF, LEFT], chance)
    assert after_left.tried == 0
    assert plan.pick([ROOF], chance)[1] is after_roof
    assert after_roof.promise(0.0) == pytest.approx(1.0)
