"""What Marshal & Prisoners does not offer is refused for a reason that betrays nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
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
from coltexpress_server.game.codec import encode_state
from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.engine import apply
from coltexpress_server.game.options import Options
from coltexpress_server.game.state import State
from tests.game.random_games import MARSHAL, positions
from tests.game.twins import twin

RULES = (Path(__file__).resolve().parents[2] / "docs" / "RULES.md").read_text("utf-8")
PARAGRAPHS = set(re.findall(r"^(?:- |#+ )([0-9]+(?:\.[0-9]+)+)\.? ", RULES, re.MULTILINE))

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

GAMES = [
    (MARSHAL, 5),
    (replace(MARSHAL, variant="EXPERT", closing_actions=False), 6),
]


@cache
def sample(options: Options, players: int) -> tuple[State, ...]:
    """Positions of random games, some of each kind of decision."""
    found: dict[tuple[str, int, bool], list[State]] = {}
    for seed in range(40):
        for state in positions(players, seed, options=options):
            for decision in state.pending[:1]:
                key = (decision.kind, len(decision.options), decision.seat == 0)
                kept = found.setdefault(key, [])
                if len(kept) < 2:
                    kept.append(state.copy())
    return tuple(state for kept in found.values() for state in kept)


def said(state: State, seat: int, choice: Choice) -> tuple[str, str, str] | None:
    """What a refusal says; None for a choice that is legal."""
    try:
        apply(state.copy(), seat, choice)
    except IllegalChoice as refusal:
        return refusal.reason, refusal.rule, refusal.message
    return None


@pytest.mark.parametrize(("options", "players"), GAMES)
def test_refusals(options: Options, players: int) -> None:
    chance = Random(players)
    for state in sample(options, players):
        decision = state.pending[0]
        other = twin(state, [decision.seat], chance)
        before = encode_state(state)
        expected = EXPECTED.get(decision.kind)
        if decision.seat == 0:
            expected = OF_THE_MARSHAL.get(decision.kind, expected)
        for choice in CHOICES:
            refusal = said(state, decision.seat, choice)
            assert (refusal is None) == decision.allows(choice), choice.text
            assert refusal == said(other, decision.seat, choice), choice.text
            if refusal is not None:
                reason, rule, _ = refusal
                assert rule in PARAGRAPHS, refusal
                assert expected is None or (reason, rule) in expected, (choice.text, refusal)
        assert encode_state(state) == before


def test_all_reasons_are_given() -> None:
    met: dict[str, set[tuple[str, str]]] = {}
    of_the_marshal: dict[str, set[tuple[str, str]]] = {}
    for options, players in GAMES:
        for state in sample(options, players):
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
