"""A whole game from the command line: played, exported, verified."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from coltexpress_server.server_process import temporary_server
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with temporary_server() as process:
        yield process.address


def test_a_demo_brings_its_own_service(colt_express: Run) -> None:
    done = colt_express("demo", "--players", "3")
    assert done.status == 0
    assert done.err == ""
    assert re.findall(r"^Round (\d): ", done.out, re.MULTILINE) == list("12345")
    sheet = done.out.splitlines()[-3:]
    assert any(line.endswith(" - wins") for line in sheet)


def test_a_story_is_told_in_the_language_asked_for(colt_express: Run, server: str) -> None:
    done = colt_express("demo", "--server", server, "--players", "3", "--language", "es")
    assert done.status == 0
    assert re.findall(r"^Ronda (\d): ", done.out, re.MULTILINE) == list("12345")
    assert not re.search(r"^Round", done.out, re.MULTILINE)


def test_a_story_with_horses(colt_express: Run, server: str) -> None:
    done = colt_express("demo", "--server", server, "--expansion", "HORSES_AND_STAGECOACH")
    assert done.status == 0
    lines = done.out.splitlines()
    assert re.fullmatch("The train leaves without .*, who ride after it.", lines[0])
    assert lines[1].startswith("In the stagecoach travel: ")
    assert re.findall(r"^Round (\d): ", done.out, re.MULTILINE) == list("12345")
    assert any(line.startswith("The stagecoach drops back to ") for line in lines)
    assert all("hostages $" in line for line in lines[-4:])


def test_a_story_with_a_marshal(colt_express: Run, server: str) -> None:
    done = colt_express("demo", "--server", server, "--expansion", "MARSHAL_AND_PRISONERS")
    assert done.status == 0
    lines = done.out.splitlines()
    assert re.fullmatch("The train leaves with .* aboard; the Marshal begins.", lines[0])
    assert lines[1].startswith("In the prison car sit ")
    assert re.findall(r"^Round (\d): .* begins.$", done.out, re.MULTILINE) == list("12345")
    assert lines.count("The Marshal looks at his next goal.") == 5
    [goals] = [line for line in lines if line.startswith("The Marshal's goals were ")]
    assert lines.index(goals) == len(lines) - 6
    assert sum("of 5 goals, 4 to win" in line for line in lines[-4:]) == 1


def test_the_services_own_bots_play(colt_express: Run, server: str) -> None:
    bots = ("--bots", "random,RANDOM, Random")
    done = colt_express("demo", "--server", server, *bots)
    assert done.status == 0
    assert re.findall(r"^Round (\d): ", done.out, re.MULTILINE) == list("12345")
    for more in (("--players", "4"), ("--seed", "1")):
        assert colt_express("demo", "--server", server, *bots, *more).status == 2
    unknown = colt_express("demo", "--server", server, "--bots", "RANDOM,RANDOM,NOBODY")
    assert unknown.status == 1
    assert "RANDOM" in unknown.err


def test_the_outcome_as_json(colt_express: Run, server: str) -> None:
    done = colt_express("demo", "--server", server, "--json")
    assert done.status == 0
    outcome = json.loads(done.only_line)
    assert outcome["game"].startswith("games/")
    assert len(outcome["scores"]) == 4
    best = max(outcome["scores"])
    assert [outcome["scores"][seat] for seat in outcome["winners"]] == [best] * len(
        outcome["winners"]
    )


def test_the_same_seed_tells_the_same_story(colt_express: Run, server: str) -> None:
    def story(seed: str) -> str:
        done = colt_express("demo", "--server", server, "--seed", seed)
        assert done.status == 0
        return done.out

    assert story("7") == story("7") != story("8")


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--expansion", "HORSES_AND_STAGECOACH", "--edition", "FIRST", "--players", "2"),
        ("--expansion", "MARSHAL_AND_PRISONERS", "--no-closing-actions"),
    ],
    ids=["base box", "Horses & Stagecoach", "Marshal & Prisoners"],
)
def test_a_game_is_exported_and_verified(
    colt_express: Run, server: str, tmp_path: Path, options: tuple[str, ...]
) -> None:
    played = colt_express("demo", "--json", *options, COLTEXPRESS_SERVER=server)
    game = json.loads(played.out)["game"]
    exported = colt_express("export", game, "--server", server, "--output", "game.json")
    assert (exported.status, exported.out, exported.err) == (0, "", "")
    by_id = colt_express("export", game.removeprefix("games/"), "--server", server)
    assert by_id.out == (tmp_path / "game.json").read_text()

    verified = colt_express("replay", "game.json")
    assert verified.status == 0
    assert "is as it should be" in verified.out

    document = json.loads(by_id.out)
    document["scores"][0] += 250
    (tmp_path / "tampered.json").write_text(json.dumps(document))
    tampered = colt_express("replay", "tampered.json")
    assert tampered.status == 1
    assert tampered.out == ""
    assert tampered.only_line.startswith(f"colt-express: {document['game']}: ")


def test_a_file_that_is_no_exported_game(colt_express: Run, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}")
    done = colt_express("replay", "other.json")
    assert done.status == 2
    assert done.only_line.startswith("colt-express: other.json: ")


def test_a_game_that_is_not_there(colt_express: Run, server: str, tmp_path: Path) -> None:
    done = colt_express("export", "00" + "a" * 24, "--server", server, "--output", "game.json")
    assert done.status == 1
    assert "GAME_NOT_FOUND" in done.only_line
    assert not (tmp_path / "game.json").exists()


def test_a_fixed_seed_takes_a_service_that_allows_it(colt_express: Run, tmp_path: Path) -> None:
    with temporary_server("--no-allow-fixed-seed") as process:
        done = colt_express("demo", "--server", process.address, "--seed", "1")
    assert done.status == 1
    assert "SEED_NOT_ALLOWED" in done.only_line
