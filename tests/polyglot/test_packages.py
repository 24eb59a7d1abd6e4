"""Each package's own tests, and whether its committed stubs are what the protos make."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.polyglot.conftest import needs, run


def test_the_stubs_of_go_are_up_to_date(checkout: Path) -> None:
    needs("go")
    run(checkout, sys.executable, "tools/clients.py", "--check")


def test_the_go_client_passes_its_own_tests(go_client: Path) -> None:
    assert run(go_client, "gofmt", "-l", ".") == ""
    run(go_client, "go", "vet", "./...")
    run(go_client, "go", "test", "./...")


def test_the_typescript_client_passes_its_own_tests(typescript_client: Path) -> None:
    run(typescript_client, "npm", "test")
