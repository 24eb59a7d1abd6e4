"""`colt-express check-client` as an author of a client sees it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from coltexpress_server.conformance.situations import SITUATIONS
from tests.cli.conftest import Run, colt_express

__all__ = ["colt_express"]

BOT = [sys.executable, "-m", "coltexpress_server.cli", "bot", "--wait", "60"]
DOCS = Path(__file__).parents[2] / "docs/CONFORMANCE.md"


def test_our_bot_is_a_command_as_it_is_asked_for(colt_express: Run) -> None:
    only = ["--only", "whole-game", "--only", "slow-start"]
    done = colt_express("check-client", "--json", *only, "--", *BOT)
    assert (done.status, done.err) == (0, "")
    assert [(row["situation"], row["outcome"], row["fault"]) for row in json.loads(done.out)] == [
        ("whole-game", "PASSED", ""),
        ("slow-start", "PASSED", ""),
    ]


def test_it_says_what_failed_and_what_to_do(colt_express: Run) -> None:
    command = ["sh", "-c", "echo cannot reach $COLTEXPRESS_TARGET >&2; sleep 60 & exit 3"]
    done = colt_express("check-client", "--only", "whole-game", "--", *command)
    assert done.status == 1
    first, *_, last = done.out.splitlines()
    assert first.split()[:2] == ["FAILED", "whole-game"]
    said = " ".join(done.out.split())
    assert "What is wrong: it ended with status 3 before the game was over." in said
    assert SITUATIONS[0].TEXT in said
    assert SITUATIONS[0].ADVICE in said
    assert "| cannot reach 127.0.0.1:" in said
    assert last == "0 of 1 situations are coped with"


def test_every_situation_is_explained(colt_express: Run) -> None:
    done = colt_express("check-client", "--list")
    assert done.status == 0
    rows = json.loads(colt_express("check-client", "--list", "--json").out)
    assert [row["situation"] for row in rows] == [each.NAME for each in SITUATIONS]
    described = DOCS.read_text()
    for row in rows:
        assert row["situation"] in done.out.splitlines()
        assert row["text"] in " ".join(done.out.split())
        assert f"\n| `{row['situation']}` | " in described
