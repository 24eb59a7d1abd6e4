from __future__ import annotations

import json

import pytest

from coltexpress_server.cli import variant
from coltexpress_server.game.boxes import EDITIONS, EXPANSIONS, VARIANTS
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


def test_expansions_and_editions(colt_express: Run) -> None:
    options = ["--expansion", "horses_and_stagecoach", "--edition", "first", "--players", "2"]
    done = colt_express("simulate", *options, "--games", "2", "--check", "--json")
    assert done.status == 0
    report = json.loads(done.out)
    assert report["expansions"] == ["HORSES_AND_STAGECOACH"]
    assert (report["variant"], report["edition"], report["finished"]) == ("EXPERT", "FIRST", 2)
    assert report["violations"] == []


def test_an_expansion_is_named_once(colt_express: Run) -> None:
    twice = ["--expansion", "HORSES_AND_STAGECOACH"] * 2
    done = colt_express("simulate", *twice, "--games", "1")
    assert done.status == 1
    assert "named twice" in done.err


def test_the_marshals_share_of_the_games(colt_express: Run) -> None:
    options = ["--expansion", "marshal_and_prisoners", "--players", "8", "--no-closing-actions"]
    done = colt_express("simulate", *options, "--games", "2", "--check")
    assert done.status == 0
    assert "\nthe Marshal won " in done.out


def test_words_of_the_options_are_those_of_the_rules() -> None:
    assert (variant._VARIANTS, variant._EXPANSIONS) == (VARIANTS, EXPANSIONS)
    assert variant._EDITIONS == EDITIONS


def test_without_json_it_is_for_people(colt_express: Run) -> None:
    done = colt_express("simulate", "--games", "2")
    assert done.status == 0
    assert done.out.startswith("2 of 2 games with 4 players finished\n")


def test_levels_of_bots_play_each_other(colt_express: Run) -> None:
    done = colt_express("simulate", "--bots", "GREEDY,random", "--games", "2", "--json")
    assert done.status == 0
    report = json.loads(done.out)
    assert (report["variant"], report["players"], report["finished"]) == ("EXPERT", 2, 2)
    assert [one["level"] for one in report["standings"]] == ["GREEDY", "RANDOM"]
    assert all(one["low"] <= one["win_rate"] <= one["high"] for one in report["standings"])
    assert sum(one["win_rate"] for one in report["standings"]) == 1


def test_without_json_levels_stand_in_a_table(colt_express: Run) -> None:
    done = colt_express("simulate", "--bots", "RANDOM,RANDOM,RANDOM", "--games", "2")
    assert done.status == 0
    *_, equal, columns, row = done.out.splitlines()
    assert equal.endswith("33.3% would.")
    assert len(columns) == len(row)
    assert row.split()[:3] == ["RANDOM", "3", "33.3%"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--bots", "GREEDY,GENIUS"), "there is no level 'GENIUS'; there are RANDOM, GREEDY"),
        (("--bots", "GREEDY,"), "there is no level ''; there are RANDOM, GREEDY"),
        (("--bots", "GREEDY"), "is for 3 or 4 or 5 or 6 seats, not 1"),
        (("--bots", "RANDOM,RANDOM", "--players", "3"), "--bots names 2, --players says 3"),
    ],
)
def test_bots_that_cannot_play(colt_express: Run, arguments: tuple[str, ...], why: str) -> None:
    done = colt_express("simulate", *arguments)
    assert done.status != 0
    assert why in done.only_line
