"""Rules are put together out of boxes, for every set of options there is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations

import pytest

from coltexpress_server.game.boxes import EDITIONS, EXPANSIONS, VARIANTS, rules_for
from coltexpress_server.game.boxes.base import Base
from coltexpress_server.game.boxes.marshal import Marshal
from coltexpress_server.game.options import InvalidOptions, Options
from coltexpress_server.game.rules import Box, Rules


def every_set_of_options() -> Iterator[Options]:
    expansions = chain.from_iterable(
        combinations(EXPANSIONS, count) for count in range(len(EXPANSIONS) + 1)
    )
    for chosen in expansions:
        for variant in VARIANTS:
            for edition in EDITIONS:
                yield Options(variant, chosen, edition, ())


@pytest.mark.parametrize("options", list(every_set_of_options()), ids=str)
def test_every_set_of_options_has_rules(options: Options) -> None:
    rules = rules_for(options)
    assert rules is rules_for(options)
    # Every card of a deck does something, and what it does has an op and a place in the order.
    assert set(rules.deck) <= set(rules.actions) & set(rules.ops)
    for bandits in range(3, 7):
        ordinary, stations = rules.round_cards(bandits)
        events = {card.event for card in ordinary + stations} - {"NONE"}
        assert events <= set(rules.ops)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (Options("SOLITAIRE", (), "BIG_BOX", ()), "variant"),
        (Options("STANDARD", ("SUBMARINES",), "BIG_BOX", ()), "expansions[0]"),
        (Options("STANDARD", (), "SECOND", ()), "edition"),
    ],
)
def test_options_that_do_not_exist_are_named(options: Options, field: str) -> None:
    with pytest.raises(InvalidOptions) as refused:
        rules_for(options)
    assert refused.value.field == field


def test_the_marshal_nobody_plays_can_be_left_out() -> None:
    """Another box may bring a Marshal somebody plays in his place."""
    rules = Rules((Base(),))
    assert "MARSHAL" not in rules.deck
    assert "MARSHAL" not in rules.ops
    assert not rules.after_movement


@pytest.mark.parametrize(
    ("boxes", "name"), [((Base(), Base()), "MOVE"), ((Base(), Marshal(), Marshal()), "MARSHAL")]
)
def test_two_boxes_with_one_answer_cannot_be_put_together(
    boxes: tuple[Box, ...], name: str
) -> None:
    with pytest.raises(ValueError, match=f"two boxes bring {name}"):
        Rules(boxes)


def test_steps_come_by_rank_whichever_box_is_asked_first() -> None:
    one, other = Rules((Base(), Marshal())), Rules((Marshal(), Base()))
    assert one.set_up == other.set_up
    assert one.round_steps == other.round_steps
