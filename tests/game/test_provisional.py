"""What nobody has seen in print stands in one module, where a printed copy corrects it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from coltexpress_server.game import boxes
from coltexpress_server.game.boxes import marshal_and_prisoners as box
from coltexpress_server.game.boxes.marshal_and_prisoners import (
    goals,
    invariants,
    marshal,
    mei,
    provisional,
    seating,
    setup,
)
from coltexpress_server.game.boxes.marshal_and_prisoners.state import prison_train
from coltexpress_server.game.scoring import score
from tests.game.random_games import MARSHAL, start

FOLDER = Path(boxes.__file__).parent / "marshal_and_prisoners"
OTHERS = sorted(path for path in FOLDER.rglob("*.py") if path.name != "provisional.py")

VALUES = {*provisional.BRAWLERS.values()}
SEQUENCES = [
    *(list(provisional.CYLINDER), list(provisional.BRAWLERS), list(provisional.SPECIAL_TARGETS)),
    list(provisional.MARSHALS_DECK),
]
EXCUSED = {"tables.py": {500}}
"""A Wanted poster is worth $500 too, which is no guess (4.2)."""


def test_everything_provisional_is_flagged() -> None:
    words = {
        *(*provisional.BRAWLERS, *provisional.MARSHALS_DECK, *provisional.CYLINDER),
        *(*provisional.SPECIAL_TARGETS, provisional.DECK_OF, "MEI"),
    }
    assert words == set(provisional.PROVISIONAL)
    assert words == set(box.MarshalAndPrisoners().contents().provisional)


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.name)
def test_no_other_module_of_the_box_has_a_provisional_value(path: Path) -> None:
    """Neither a number, nor names in a provisional order, nor how often something is there."""
    tree = ast.parse(path.read_text("utf-8"))
    numbers = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, int)
    }
    assert not numbers & VALUES - EXCUSED.get(path.name, set())
    for literal in literals(tree):
        assert literal not in SEQUENCES
        assert not (len(literal) > len(set(literal)) and set(literal) & {*provisional.PROVISIONAL})


def literals(tree: ast.AST) -> Iterator[list[str]]:
    """The texts in each tuple, list or table written out."""
    for node in ast.walk(tree):
        parts: list[ast.expr | None] = []
        if isinstance(node, ast.Tuple | ast.List):
            parts = [*node.elts]
        elif isinstance(node, ast.Dict):
            parts = [*node.keys]
        texts = [
            part.value
            for part in parts
            if isinstance(part, ast.Constant) and isinstance(part.value, str)
        ]
        if texts:
            yield texts


@pytest.mark.skipif(
    not provisional.__file__.endswith(".py"),
    reason="compiled modules have their constants built in",
)
def test_a_printed_copy_corrects_it_without_touching_a_rule(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each value changed where it stands changes the game."""
    replaced = {
        "BRAWLERS": {"GOLD": 900, "TIN": 100},
        "MARSHALS_DECK": {"MOVE_PLUS": 1, "FIRE": 7},
        "CYLINDER": ("GOLDEN_BULLET", "GOT_EM"),
        "SPECIAL_TARGETS": {
            **dict.fromkeys(("MAIL_GUARD", "UNBEATEN"), provisional.Target("MAILBAGS", 2)),
            "FULL_CELL": provisional.Target(provisional.CAPTIVES, 3),
        },
        "MEIS_CARS": 2,
    }
    for module in (goals, invariants, marshal, mei, provisional, seating, setup):
        for name, value in replaced.items():
            if hasattr(module, name):
                monkeypatch.setattr(module, name, value)
    state = start(4, 1, options=MARSHAL)
    extra = prison_train(state)
    deck = state.decks[0]
    assert sorted(card.action for card in deck.cards + deck.hand) == ["FIRE"] * 7 + ["MOVE_PLUS"]
    assert extra.cylinders == [["GOLDEN_BULLET", "GOT_EM"]] * 2
    assert extra.brawlers == ["GOLD", "TIN"]
    drawn = [goal for goal in extra.current + extra.upcoming if not goal.startswith("WARRANT")]
    assert sorted(drawn) == ["FULL_CELL", "MAIL_GUARD", "UNBEATEN"]
    extra.brawlers_of[state.bandits[0].name] = ["GOLD"]
    rows = dict(score(state).rows)
    assert rows["BRAWLERS"] == {state.bandits[0].name: 900}
    for figure in state.bandits:
        figure.space = "cell"
    assert "FULL_CELL" in goals.held(state)
    state.bandits[0].space = "2.roof"
    assert "FULL_CELL" not in goals.held(state)
    assert mei.Mei().floors(state, state.bandits[0]) == [
        *("1.inside", "0.inside", "3.inside", "4.inside"),
    ]
