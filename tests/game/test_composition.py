"""Rules are put together out of boxes, for every set of options there is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations, permutations
from pathlib import Path

import pytest

from coltexpress_server.game import boxes
from coltexpress_server.game.boxes import EDITIONS, EXPANSIONS, VARIANTS, rules_for, seat_counts
from coltexpress_server.game.boxes.base import Base
from coltexpress_server.game.boxes.base.setup import board, build_round_deck, draw_cars
from coltexpress_server.game.boxes.expert import Expert
from coltexpress_server.game.boxes.horses_and_stagecoach.keeping import keep_or_return
from coltexpress_server.game.boxes.marshal import Marshal
from coltexpress_server.game.boxes.reshuffling import Reshuffling, return_hands
from coltexpress_server.game.boxes.singles import Singles
from coltexpress_server.game.boxes.teams import Teams
from coltexpress_server.game.options import STANDARD, InvalidOptions, Options
from coltexpress_server.game.rules import Box, Rules, Step, in_order
from tests.game.random_games import BOTH, HORSES, MARSHAL

HORSES_BOX = "HORSES_AND_STAGECOACH"
MARSHAL_BOX = "MARSHAL_AND_PRISONERS"

WORDS = {
    "horses_and_stagecoach": (
        r"stagecoach|horse|hostage(?!_?conductor)|shotgun|whiskey|flask|turmoil|\bride\b|poodle"
    ),
    "marshal_and_prisoners": (
        r"prison|mailbag|brawler|poster|captur|cylinder|brilliant|\bcell\b|achievement|\bmei\b"
        r"|_plus"
    ),
}
"""By folder, the words of a box that no other may use."""


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
    for seats in seat_counts(options.variant, options.expansions):
        rules = rules_for(options, seats)
        assert rules is rules_for(options, seats)
        assert seats in rules.seating.seats()
        # Every card of a deck does something, and what it does has an op and a place in the order.
        assert set(rules.deck) <= set(rules.actions) & set(rules.ops)
        ordinary, stations = rules.round_cards(seats * rules.seating.bandits())
        events = {card.event for card in ordinary + stations} - {"NONE"}
        assert events <= set(rules.ops)


@pytest.mark.parametrize("seats", [3, 5])
def test_expansions_add_to_what_the_base_box_has(seats: int) -> None:
    base = rules_for(STANDARD, seats)
    rules = rules_for(HORSES, seats)
    assert [box.name for box in rules.boxes] == [*(box.name for box in base.boxes), HORSES_BOX]
    assert set(base.ops) < set(rules.ops)
    assert set(base.actions) < set(rules.actions)
    assert {card.name for card in base.round_cards(seats)[0]} < {
        card.name for card in rules.round_cards(seats)[0]
    }
    assert rules.powers == base.powers


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (MARSHAL, ["BASE", MARSHAL_BOX, "RESHUFFLING", "CLOSING_ACTIONS"]),
        (replace(MARSHAL, closing_actions=False), ["BASE", MARSHAL_BOX, "RESHUFFLING"]),
        (
            replace(BOTH, variant="EXPERT"),
            ["BASE", MARSHAL_BOX, "EXPERT", HORSES_BOX, "CLOSING_ACTIONS"],
        ),
    ],
)
def test_a_marshal_somebody_plays_comes_in_the_place_of_the_one_nobody_plays(
    options: Options, names: list[str]
) -> None:
    rules = rules_for(options, 4)
    assert [box.name for box in rules.boxes] == names
    assert "MARSHAL" not in rules.actions
    assert list(rules.powers)[-1] == "MEI"
    # Expansions are composed in one order, in whichever they are named.
    other = replace(options, expansions=options.expansions[::-1])
    assert rules_for(other, 4) is rules


@pytest.mark.parametrize(
    ("options", "seats", "field", "message"),
    [
        (
            *(replace(MARSHAL, variant="TEAMS"), 4, "variant"),
            "TEAMS is not played with MARSHAL_AND_PRISONERS; STANDARD or EXPERT can be",
        ),
        (
            *(replace(MARSHAL, variant="EXPERT"), 2, "seats"),
            "EXPERT is for 3 or 4 or 5 or 6 or 7 or 8 seats, not 2",
        ),
        (
            *(replace(STANDARD, closing_actions=False), 4, "closing_actions"),
            "only MARSHAL_AND_PRISONERS has them, to play without",
        ),
    ],
)
def test_combinations_with_a_marshal_that_do_not_exist(
    options: Options, seats: int, field: str, message: str
) -> None:
    with pytest.raises(InvalidOptions) as refused:
        rules_for(options, seats)
    assert (refused.value.field, refused.value.message) == (field, message)


def test_no_expansion_is_named_twice() -> None:
    options = replace(STANDARD, expansions=("HORSES_AND_STAGECOACH",) * 2)
    with pytest.raises(InvalidOptions) as refused:
        rules_for(options, 4)
    assert refused.value.field == "expansions[1]"
    assert "twice" in refused.value.message


def test_the_base_does_not_know_the_words_of_an_expansion() -> None:
    """Nor do the other boxes; what composes, stores or checks the boxes names them all."""
    composing = {"boxes/__init__.py", "codec.py", "invariants.py", "vocabulary.py"}
    folder = Path(boxes.__file__).parent.parent
    for path in folder.rglob("*.py"):
        name = path.relative_to(folder).as_posix()
        for own, words in WORDS.items():
            if name not in composing and not name.startswith(f"boxes/{own}/"):
                found = re.findall(words, path.read_text("utf-8"), re.IGNORECASE)
                assert not found, f"{name} says {found}"


def test_every_variant_is_for_the_numbers_of_seats_that_it_is_for() -> None:
    """RULES.md 2: two players always play EXPERT, TEAMS are pairs."""
    assert {variant: seat_counts(variant) for variant in VARIANTS} == {
        "STANDARD": [3, 4, 5, 6],
        "EXPERT": [2, 3, 4, 5, 6],
        "TEAMS": [4, 6],
    }


@pytest.mark.parametrize(
    ("variant", "seats", "names"),
    [
        ("STANDARD", 3, ["BASE", "MARSHAL", "RESHUFFLING", "SINGLES"]),
        ("EXPERT", 2, ["BASE", "MARSHAL", "EXPERT", "TWO_PLAYERS"]),
        ("EXPERT", 3, ["BASE", "MARSHAL", "EXPERT", "SINGLES"]),
        ("TEAMS", 4, ["BASE", "MARSHAL", "RESHUFFLING", "TEAMS"]),
    ],
)
def test_a_variant_is_a_way_with_hands_and_a_way_with_seats(
    variant: str, seats: int, names: list[str]
) -> None:
    rules = rules_for(Options(variant, (), "BIG_BOX", ()), seats)
    assert [box.name for box in rules.boxes] == names


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
        rules_for(options, 4)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("variant", "seats", "message"),
    [
        ("STANDARD", 2, "STANDARD is for 3 or 4 or 5 or 6 seats, not 2; 2 seats can play EXPERT"),
        ("TEAMS", 5, "TEAMS is for 4 or 6 seats, not 5; 5 seats can play STANDARD or EXPERT"),
        ("TEAMS", 2, "TEAMS is for 4 or 6 seats, not 2; 2 seats can play EXPERT"),
        ("EXPERT", 7, "EXPERT is for 2 or 3 or 4 or 5 or 6 seats, not 7"),
        ("STANDARD", 0, "STANDARD is for 3 or 4 or 5 or 6 seats, not 0"),
    ],
)
def test_a_number_of_seats_that_a_variant_is_not_for_is_told_what_it_can_play(
    variant: str, seats: int, message: str
) -> None:
    with pytest.raises(InvalidOptions) as refused:
        rules_for(Options(variant, (), "BIG_BOX", ()), seats)
    assert (refused.value.field, refused.value.message) == ("seats", message)


def test_the_marshal_nobody_plays_can_be_left_out() -> None:
    """Another box may bring a Marshal somebody plays in his place."""
    rules = Rules((Base(), Reshuffling(), Singles()))
    assert "MARSHAL" not in rules.deck
    assert "MARSHAL" not in rules.ops
    assert not rules.after_movement


@pytest.mark.parametrize(
    ("brought", "name"),
    [
        ((Base(), Base()), "MOVE"),
        ((Base(), Marshal(), Marshal()), "MARSHAL"),
        ((Base(), Reshuffling(), Expert()), "CARD_HOME"),
    ],
)
def test_two_boxes_with_one_answer_cannot_be_put_together(
    brought: tuple[Box, ...], name: str
) -> None:
    with pytest.raises(ValueError, match=f"two boxes bring {name}"):
        Rules(brought)


def test_a_step_is_replaced_once() -> None:
    steps: list[tuple[int, Step]] = [(20, build_round_deck), (10, board)]
    assert in_order(steps, [(board, draw_cars)]) == [draw_cars, build_round_deck]
    assert in_order(steps, [(board, None), (draw_cars, board)]) == [build_round_deck]
    with pytest.raises(ValueError, match="two boxes replace one step"):
        in_order(steps, [(board, None), (board, draw_cars)])


def test_a_step_that_is_not_there_is_not_replaced() -> None:
    """What a box does instead of returning all hands is nothing to do where none are returned."""
    expert = rules_for(Options("EXPERT", ("HORSES_AND_STAGECOACH",), "BIG_BOX", ()), 3)
    standard = rules_for(Options("STANDARD", ("HORSES_AND_STAGECOACH",), "BIG_BOX", ()), 3)
    assert keep_or_return in standard.round_steps
    assert return_hands not in standard.round_steps
    assert keep_or_return not in expert.round_steps


@pytest.mark.parametrize("seatings", [(), (Singles(), Teams())])
def test_exactly_one_box_brings_a_seating(seatings: tuple[Box, ...]) -> None:
    with pytest.raises(ValueError, match=f"{len(seatings)} boxes bring a seating, not one"):
        Rules((Base(), *seatings))


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        *(
            (HORSES, 3),
            (replace(HORSES, variant="EXPERT"), 2),
            (replace(HORSES, variant="TEAMS"), 4),
        ),
        *((BOTH, 3), (replace(BOTH, variant="EXPERT"), 3)),
    ],
)
def test_steps_come_by_rank_whichever_box_is_asked_first(options: Options, seats: int) -> None:
    rules = rules_for(options, seats)
    for order in permutations(rules.boxes):
        other = Rules(order)
        assert other.set_up == rules.set_up
        assert other.round_steps == rules.round_steps
        assert other.imagine == rules.imagine
