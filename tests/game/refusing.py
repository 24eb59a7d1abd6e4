"""What a box does not offer, tried on positions of random games."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import cache
from pathlib import Path
from random import Random

from coltexpress_server.game.choices import Choice
from coltexpress_server.game.codec import encode_state
from coltexpress_server.game.decisions import Decision, IllegalChoice
from coltexpress_server.game.engine import apply
from coltexpress_server.game.options import Options
from coltexpress_server.game.state import State
from tests.game.random_games import positions
from tests.game.twins import twin

RULES = (Path(__file__).resolve().parents[2] / "docs" / "RULES.md").read_text("utf-8")
PARAGRAPHS = set(re.findall(r"^(?:- |#+ )([0-9]+(?:\.[0-9]+)+)\.? ", RULES, re.MULTILINE))

Reasons = Collection[tuple[str, str]]
"""Reasons of refusals, with their rules."""


@cache
def sample(options: Options, players: int, games: int) -> tuple[State, ...]:
    """Positions of so many random games, some of each kind of decision."""
    found: dict[tuple[str, int, bool], list[State]] = {}
    for seed in range(games):
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


def assert_refused_truly(
    states: Sequence[State],
    choices: Sequence[Choice],
    expected: Callable[[Decision], Reasons | None],
    chance: Random,
) -> None:
    """What is not offered is refused, for a reason expected, which betrays and changes nothing.

    expected: what may be said about a decision; None where another test says it.
    """
    for state in states:
        decision = state.pending[0]
        other = twin(state, [decision.seat], chance)
        before = encode_state(state)
        reasons = expected(decision)
        for choice in choices:
            refusal = said(state, decision.seat, choice)
            assert (refusal is None) == decision.allows(choice), choice.text
            assert refusal == said(other, decision.seat, choice), choice.text
            if refusal is not None:
                reason, rule, _ = refusal
                assert rule in PARAGRAPHS, refusal
                assert reasons is None or (reason, rule) in reasons, (choice.text, refusal)
        assert encode_state(state) == before
