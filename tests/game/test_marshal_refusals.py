"""What Marshal & Prisoners does not offer is refused for a reason that betrays nothing."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from coltexpress_server.game.boxes.marshal_and_prisoners.choices import (
    SEARCH,
    Capture,
    FreeBandit,
    FreePrisoner,
    Give,
    LeaveCell,
    RobTwo,
    ShootOne,
    ShootTwo,
)
from coltexpress_server.game.choices import DRAW, PASS, Choice, FireAt, Keep, MoveTo, Play, Rob
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.options import Options
from tests.game.random_games import MARSHAL
from tests.game.refusing import assert_refused_truly, said, sample

SPACES = ("0.inside", "2.roof", "5.inside", "5.roof", "9.inside", "cell")
NAMES = ("DOC", "BELLE", "MEI", "MARSHAL", "NOBODY")
LOOT = ("STRONGBOX", "MAILBAG", "JEWEL", "PURSE", "BARREL")
CHOICES: list[Choice] = [
    *(Capture(name) for name in NAMES),
    *(ShootOne(name, cylinder) for name in NAMES for cylinder in (1, 3)),
    *(ShootTwo(name, other) for name in NAMES for other in NAMES),
    *(FireAt(name) for name in NAMES),
    *(FreeBandit(name) for name in NAMES),
    *(FreePrisoner(name) for name in NAMES),
    *(LeaveCell(space) for space in SPACES),
    *(MoveTo(space) for space in SPACES),
    *(Give(kind, value) for kind in LOOT for value in (-1, 250, 333)),
    *(Rob(kind, value) for kind in LOOT for value in (-1, 250, 333)),
    *(RobTwo(kind, -1, other, -1) for kind in LOOT for other in LOOT),
    RobTwo("PURSE", 250, "PURSE", -1),
    RobTwo("JEWEL", 500, "PURSE", -1),
    *(
        Play("", card, hide)
        for card in ("CAPTURE", "BRILLIANT_IDEA", "FIRE", "BULLET")
        for hide in (True, False)
    ),
    *(Keep(()), SEARCH, DRAW, PASS),
]

EXPECTED: dict[str, set[tuple[str, str]]] = {
    "CAPTURE": {
        *(("WRONG_CHOICE", "4.7"), ("COMPULSORY", "1.5.6"), ("NO_SUCH_FIGURE", "1.4.1")),
        *(("NOT_A_TARGET", "4.7"), ("NOT_IN_YOUR_SPACE", "4.7")),
    },
    "FREE": {
        *(("WRONG_CHOICE", "4.13"), ("COMPULSORY", "1.5.6"), ("NO_SUCH_FIGURE", "1.4.1")),
        *(("NOT_OFFERED", "4.13"), ("NOT_A_TARGET", "4.13"), ("NO_SUCH_FIGURE", "4.14")),
    },
    "LEAVE_CELL": {
        *(("WRONG_CHOICE", "4.13"), ("COMPULSORY", "1.5.6"), ("NO_SUCH_SPACE", "1.1.2")),
        ("OUT_OF_REACH", "4.13"),
    },
    "GIVE": {
        *(("WRONG_CHOICE", "4.13"), ("COMPULSORY", "4.13"), ("NO_SUCH_LOOT", "1.2.1")),
        *(("LOOT_NOT_OWNED", "4.13"), ("VALUE_KNOWN", "1.2.4"), ("VALUE_NOT_KNOWN", "1.2.4")),
    },
    "CLOSING": {
        *(("WRONG_CHOICE", "4.16"), ("NOT_OFFERED", "4.16"), ("FACE_DOWN_NOT_ALLOWED", "4.16")),
        *(("CARD_NOT_IN_HAND", "1.5.2"), ("BULLET_NOT_PLAYABLE", "1.3.2")),
    },
}
"""Reasons and rules by kind of decision, those of the base box's decisions shown elsewhere."""

OF_THE_MARSHAL = {
    "FIRE": {
        *(("WRONG_CHOICE", "4.8"), ("NO_SUCH_FIGURE", "1.4.1"), ("NOT_A_TARGET", "4.8")),
        *(("NOT_IN_SIGHT", "4.8"), ("NOT_OFFERED", "4.8"), ("TARGET_PROTECTED", "4.8")),
        ("COMPULSORY", "1.5.6"),
    },
}

TABLES = [
    (MARSHAL, 5),
    (replace(MARSHAL, variant="EXPERT", closing_actions=False), 6),
]
GAMES = 40


@pytest.mark.parametrize(("options", "players"), TABLES)
def test_refusals(options: Options, players: int) -> None:
    def expected(decision: Decision) -> set[tuple[str, str]] | None:
        usual = EXPECTED.get(decision.kind)
        return OF_THE_MARSHAL.get(decision.kind, usual) if decision.seat == 0 else usual

    assert_refused_truly(sample(options, players, GAMES), CHOICES, expected, Random(players))


def test_all_reasons_are_given() -> None:
    met: dict[str, set[tuple[str, str]]] = {}
    of_the_marshal: dict[str, set[tuple[str, str]]] = {}
    for options, players in TABLES:
        for state in sample(options, players, GAMES):
            decision = state.pending[0]
            kinds = of_the_marshal if decision.seat == 0 else met
            for choice in CHOICES:
                refusal = said(state, decision.seat, choice)
                if refusal is not None:
                    kinds.setdefault(decision.kind, set()).add(refusal[:2])
                    if decision.kind == "CAPTURE":
                        met.setdefault(decision.kind, set()).add(refusal[:2])
    for table, seen in ((EXPECTED, met), (OF_THE_MARSHAL, of_the_marshal)):
        missing = {kind: table[kind] - seen.get(kind, set()) for kind in table}
        assert {kind: left for kind, left in missing.items() if left} == {}
