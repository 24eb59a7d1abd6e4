"""Golden counts and golden games: what the rules make of fixed seeds, in every release the same."""

from __future__ import annotations

import json

import pytest

from coltexpress_server.game.options import Options
from tests.game import random_games
from tests.game.golden import recording

COUNTS = json.loads(recording.PERFT.read_bytes())
RESULTS = json.loads(recording.GAMES.read_bytes())

every_game = pytest.mark.parametrize(("options", "players"), random_games.GAMES)


@every_game
def test_choices_from_the_start(options: Options, players: int) -> None:
    counts = recording.perft_from_start(options, players)
    assert counts == COUNTS[recording.name(options, players)]["start"]


@every_game
def test_choices_from_the_first_stealin(options: Options, players: int) -> None:
    counts = recording.perft_from_stealin(options, players)
    assert counts == COUNTS[recording.name(options, players)]["stealin"]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_choices_from_the_first_keeping(players: int) -> None:
    counts = recording.perft_from_keeping(players)
    assert counts == COUNTS[recording.name(random_games.EXPERT, players)]["keeping"]


@pytest.mark.parametrize(("options", "players"), random_games.GAMES + random_games.WITH_EXPANSIONS)
def test_games(options: Options, players: int) -> None:
    assert recording.games(options, players) == RESULTS[recording.name(options, players)]
