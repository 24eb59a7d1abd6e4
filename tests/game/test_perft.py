"""Golden counts and golden games: what the rules make of fixed seeds, in every release the same."""

from __future__ import annotations

import json

import pytest

from tests.game.golden.recording import (
    GAMES,
    PERFT,
    PLAYERS,
    SEEDS,
    game,
    perft_from_start,
    perft_from_stealin,
)

COUNTS = json.loads(PERFT.read_bytes())
RESULTS = json.loads(GAMES.read_bytes())


@pytest.mark.parametrize("players", PLAYERS)
def test_choices_from_the_start(players: int) -> None:
    counts = [perft_from_start(players, seed) for seed in SEEDS]
    assert counts == COUNTS[str(players)]["start"]


@pytest.mark.parametrize("players", PLAYERS)
def test_choices_from_the_first_stealin(players: int) -> None:
    counts = [perft_from_stealin(players, seed) for seed in SEEDS]
    assert counts == COUNTS[str(players)]["stealin"]


@pytest.mark.parametrize("players", PLAYERS)
def test_games(players: int) -> None:
    assert [game(players, seed) for seed in SEEDS] == RESULTS[str(players)]
