from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run

SCENARIOS = Path(__file__).parent.parent / "scenarios"


def test_scenarios_are_played(colt_express: Run) -> None:
    file = next(iter(sorted(SCENARIOS.rglob("*.yaml"))))
    done = colt_express("scenario", str(file))
    assert done.status == 0
    *played, last = done.out.splitlines()
    assert all(line.startswith("ok ") for line in played)
    assert last == f"{len(played)} passed, 0 failed"


def test_a_file_that_is_no_scenario(colt_express: Run, tmp_path: Path) -> None:
    (tmp_path / "wrong.yaml").write_text("scenario: Wrong\nnothing: here\n")
    done = colt_express("scenario", "wrong.yaml")
    assert done.status == 2
    assert "wrong.yaml:" in done.out
