from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize("players", [3, 6])
def test_games_are_played_and_checked(colt_express: Run, players: int) -> None:
    done = colt_express(
        "simulate", "--players", str(players), "--games", "3", "--seed", "1", "--check", "--json"
    )
    assert done.status == 0
    assert done.err == ""
    report = json.loads(done.out)
    assert report["players"] == players
    assert report["games"] == report["finished"] == 3
    assert report["violations"] == []
    assert report["decisions"] > 100
    assert report["mean_options"] > 1
    assert report["games_per_second"] > 0
    assert report["decisions_per_second"] > 0


def test_the_same_seed_plays_the_same_games(colt_express: Run) -> None:
    def decisions(seed: str) -> object:
        report = colt_express("simulate", "--games", "2", "--seed", seed, "--json").out
        return json.loads(report)["decisions"], json.loads(report)["mean_options"]

    assert decisions("1") == decisions("1") != decisions("2")


def test_without_json_it_is_for_people(colt_express: Run) -> None:
    done = colt_express("simulate", "--games", "2")
    assert done.status == 0
    assert done.out.startswith("2 of 2 games with 4 players finished\n")
