"""What Horses & Stagecoach does not offer is refused for a reason that betrays nothing."""

from __future__ import annotations

from random import Random

import pytest

from coltexpress_server.game.boxes.horses_and_stagecoach.choices import (
    Board,
    BoardBandits,
    BoardCar,
    BoardCars,
    Drink,
    FleeTo,
    RideTo,
    TakeHostage,
)
from coltexpress_server.game.choices import DRAW, PASS, Choice, Keep, MoveTo, Play, Punch, Rob
from coltexpress_server.game.options import Options
from tests.game.random_games import WITH_HORSES
from tests.game.refusing import assert_refused_truly, said, sample

SPACES = ("0.inside", "2.inside", "2.roof", "9.inside", "stagecoach.inside", "stagecoach.roof")
FLASKS = ("FLASK", "HALF_FLASK", "HALF_OLD_FLASK", "JEWEL", "BARREL")
CHOICES: list[Choice] = [
    *(RideTo(space) for space in (*SPACES, "gone", "")),
    *(FleeTo(space) for space in (*SPACES, "gone", "")),
    *(MoveTo(space) for space in (*SPACES, "gone")),
    *(Board(boards) for boards in (True, False)),
    *(BoardCar(car) for car in (0, 1, 4, 9)),
    *(BoardBandits(bandits) for bandits in ((), ("DOC",), ("DOC", "DOC"), ("NOBODY",))),
    *(BoardCars(("DOC",), (car,)) for car in (0, 1, 9)),
    BoardCars(("DOC", "TUCO"), (1, 2)),
    *(TakeHostage(hostage) for hostage in ("POODLE", "PHOTOGRAPHER", "CAT")),
    *(Drink(owner, flask) for owner in ("", "DOC", "NOBODY") for flask in FLASKS),
    *(Punch("SHOTGUN", drop, space, False) for drop in ("", "PURSE") for space in ("", "2.roof")),
    *(Rob(kind, -1) for kind in FLASKS),
    *(Play("", card, hide) for card in ("RIDE", "FIRE", "BULLET") for hide in (True, False)),
    *(Keep(cards) for cards in ((), ("RIDE",), ("RIDE", "MOVE"), ("MOVE", "MOVE", "RIDE"))),
    *(DRAW, PASS),
]

EXPECTED: dict[str, set[tuple[str, str]]] = {
    "BOARD": {
        *(("WRONG_CHOICE", "3.1.4"), ("OUT_OF_REACH", "3.1.4"), ("NO_SUCH_FIGURE", "3.1.4")),
    },
    "RIDE": {
        *(("WRONG_CHOICE", "3.2.1"), ("COMPULSORY", "1.5.6"), ("NOT_OFFERED", "3.7.8")),
        *(("NO_SUCH_SPACE", "1.1.2"), ("WRONG_LEVEL", "3.2.1"), ("OUT_OF_REACH", "3.2.1")),
    },
    "HOSTAGE": {
        *(("WRONG_CHOICE", "3.3.3"), ("NO_SUCH_FIGURE", "3.5"), ("NOT_OFFERED", "3.3.3")),
        ("COMPULSORY", "3.3.3"),
    },
    "FLEE": {
        *(("WRONG_CHOICE", "3.4.3"), ("NO_SUCH_SPACE", "1.1.2"), ("OUT_OF_REACH", "3.4.3")),
        ("COMPULSORY", "3.4.3"),
    },
    "TURMOIL": {
        *(("WRONG_CHOICE", "1.5.2"), ("COMPULSORY", "1.5.2"), ("CARD_NOT_IN_HAND", "1.5.2")),
        *(("BULLET_NOT_PLAYABLE", "1.3.2"), ("NOT_OFFERED", "2.2.2")),
        *(("FACE_DOWN_NOT_ALLOWED", "1.7.1"), ("NOT_OFFERED", "3.6.2")),
        *(("LOOT_NOT_OWNED", "3.6.2"), ("NO_SUCH_LOOT", "3.6.1"), ("NO_SUCH_FIGURE", "1.4.1")),
    },
    "KEEP": {
        *(("WRONG_CHOICE", "3.7.2"), ("CARD_NOT_IN_HAND", "3.7.2"), ("NOT_OFFERED", "3.7.2")),
    },
    "PUNCH": {
        *(("WRONG_CHOICE", "1.6.6"), ("COMPULSORY", "1.5.6")),
        *(("NOT_A_TARGET", "1.6.6"), ("NOT_IN_YOUR_SPACE", "1.6.6")),
    },
}
"""Reasons and rules by kind of decision, those of the base box's decisions shown elsewhere."""

GAMES = 12


@pytest.mark.parametrize(("options", "players"), WITH_HORSES)
def test_refusals(options: Options, players: int) -> None:
    states = sample(options, players, GAMES)
    assert_refused_truly(
        states, CHOICES, lambda decision: EXPECTED.get(decision.kind), Random(players)
    )


def test_all_reasons_are_given() -> None:
    met: dict[str, set[tuple[str, str]]] = {}
    for options, players in WITH_HORSES:
        for state in sample(options, players, GAMES):
            decision = state.pending[0]
            for choice in CHOICES:
                refusal = said(state, decision.seat, choice)
                if refusal is not None:
                    met.setdefault(decision.kind, set()).add(refusal[:2])
    missing = {kind: EXPECTED[kind] - met.get(kind, set()) for kind in EXPECTED}
    assert {kind: left for kind, left in missing.items() if left} == {}
