"""The table in tests/README.md names tests that there are, and all tests of promises' files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parents[1]
ROWS: Final = [
    line for line in (TESTS / "README.md").read_text().splitlines() if line.startswith("| ")
]


def test_each_test_in_the_table_is_there() -> None:
    cells = [row.split("|")[2] for row in ROWS]
    named = 0
    for cell in cells:
        for place in cell.split(";"):
            first, *names = re.findall(r"`([^`]+)`", place) or [""]
            if first.endswith(".py"):
                file = TESTS / first if "/" in first else TESTS / "promises" / first
                found = re.findall(r"def (test_\w+)\(", file.read_text())
                assert set(names) <= set(found), first
                named += len(names)
    assert named


def test_each_file_of_promises_is_in_the_table() -> None:
    table = "\n".join(ROWS)
    for file in (TESTS / "promises").glob("test_*.py"):
        assert file == Path(__file__) or f"`{file.name}`" in table
