"""Finished games of the engine are verified, by code that does not know the engine."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from coltexpress_server import replay as package
from coltexpress_server.game.options import Options
from coltexpress_server.replay.document import Commit, read, write
from coltexpress_server.replay.verifier import RULES_REVISION, verify
from tests.game.random_games import GAMES, WITH_EXPANSIONS
from tests.replay.finished_games import (
    FIRST_VERSION,
    finished_game,
    games_with_every_kind_of_event,
)

ENGINE = "coltexpress_server.game"


@pytest.mark.parametrize(("options", "players"), [*GAMES, *WITH_EXPANSIONS])
def test_games_are_verified(options: Options, players: int) -> None:
    few, many = (10, 10) if options.expansions else (25, 50)
    for seed in range(many if options.variant == "STANDARD" else few):
        result = verify(finished_game(players, seed, options=options))
        assert result.problems == []
        assert result.verified


def test_games_with_every_kind_of_event_are_verified() -> None:
    for replay in games_with_every_kind_of_event():
        assert verify(replay).problems == []


def test_verification_says_what_was_checked() -> None:
    replay = finished_game(4, 0)
    result = verify(replay)
    assert (result.game, result.seed_hash) == (replay.game, replay.seed_hash)
    assert (result.scores, result.winners) == (replay.scores, replay.winners)
    assert result.commits == len(replay.commits)
    assert result.events == sum(len(commit.events) for commit in replay.commits)
    # Five times each seat's deck, the purses, two kinds of round cards, bandits and cars if drawn.
    assert result.shuffles in {23, 24, 25}


def test_file_holds_the_whole_game() -> None:
    replay = finished_game(5, 1)
    assert read(write(replay)) == replay


def test_commits_without_a_choice_are_passed_over() -> None:
    replay = finished_game(3, 2)
    left_to_a_bot = Commit(FIRST_VERSION + 1, "LEAVE", 1, "", [])
    commits = [
        replay.commits[0],
        left_to_a_bot,
        *(
            msgspec.structs.replace(commit, version=commit.version + 1)
            for commit in replay.commits[1:]
        ),
    ]
    assert verify(msgspec.structs.replace(replay, commits=commits)).verified


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"rules_revision": RULES_REVISION + 1}, "rules revision"),
        ({"commits": []}, "the file ends before the game does"),
        ({"seats": []}, "STANDARD is not for 0 seats"),
    ],
)
def test_games_out_of_scope_are_a_problem(change: dict[str, object], problem: str) -> None:
    result = verify(msgspec.structs.replace(finished_game(3, 0), **change))
    assert any(problem in found for found in result.problems)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"variant": "BEGINNERS"}, "no variant BEGINNERS"),
        ({"variant": "TEAMS"}, "TEAMS is not for 3 seats"),
        ({"expansions": ["GOLD_RUSH"]}, "games with GOLD_RUSH are not verified"),
        ({"closing_actions": False}, "no closing actions to play without"),
        ({"expansions": ["HORSES_AND_STAGECOACH"] * 2}, "are not verified"),
        ({"edition": "THIRD"}, "no edition THIRD"),
        ({"cars": ["A", "B"]}, "no train of 3 cars"),
        ({"cars": ["A", "B", "B"]}, "no train of 3 cars"),
        ({"cars": ["A", "B", "G"]}, "no train of 3 cars"),
    ],
)
def test_options_out_of_scope_are_a_problem(change: dict[str, object], problem: str) -> None:
    replay = finished_game(3, 0)
    options = msgspec.structs.replace(replay.options, **change)
    result = verify(msgspec.structs.replace(replay, options=options))
    assert any(problem in found for found in result.problems)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"bandits": ["MARSHAL"]}, "no bandit MARSHAL"),
        ({"bandits": ["DOC", "TUCO"]}, "a seat leads 1 of the bandits"),
        ({"entropy": "00" * 256}, "more than 255 bytes"),
    ],
)
def test_seats_out_of_scope_are_a_problem(change: dict[str, object], problem: str) -> None:
    replay = finished_game(3, 0)
    seats = [msgspec.structs.replace(replay.seats[0], **change), *replay.seats[1:]]
    result = verify(msgspec.structs.replace(replay, seats=seats))
    assert any(problem in found for found in result.problems)


def test_verifier_does_not_load_the_engine() -> None:
    script = f"""
import sys
import coltexpress_server.replay.verifier
assert not [name for name in sys.modules if name.startswith({ENGINE!r})]
"""
    subprocess.run([sys.executable, "-c", script], check=True, env={"PYTHONPATH": _import_path()})


def test_only_export_names_the_engine() -> None:
    for path in package.__path__:
        for source in Path(path).glob("*.py"):
            imports = set(_imports(ast.parse(source.read_text())))
            names_it = any(name.startswith(ENGINE) for name in imports)
            assert names_it == (source.name == "export.py")


def _imports(tree: ast.Module) -> list[str]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def _import_path() -> str:
    return ":".join(sys.path)
