"""A clean checkout, and what other languages' tools make of it. Run by `make test-clients`.

Where a language's tools are missing its tests are skipped, and say which.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
BUILDING: Final = 600.0  # s, to build a client on a machine that has built nothing before


@pytest.hookimpl(tryfirst=True)  # before those are left out that are marked
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker("polyglot")
            item.add_marker(pytest.mark.timeout(BUILDING))


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that is, or would be, committed, and nothing that was made of it."""
    folder = tmp_path_factory.mktemp("checkout")
    listed = run(ROOT, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in set(listed.split("\0")) - {""}:
        if (ROOT / name).is_file():  # not one that is just being deleted
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="session")
def go_client(checkout: Path) -> Path:
    """The folder of the Go client, with its bot built in it."""
    needs("go")
    folder = checkout / "clients/go"
    run(folder, "go", "build", "-o", "bot", "./examples/bot")
    return folder


@pytest.fixture(scope="session")
def typescript_client(checkout: Path) -> Path:
    """The folder of the TypeScript client, built."""
    needs("node", "npm")
    folder = checkout / "clients/typescript"
    run(folder, "npm", "ci", "--loglevel=error")
    run(folder, "npm", "run", "build")
    return folder


def needs(*tools: str) -> None:
    """Skips the test where one of these is not on the path."""
    if missing := [tool for tool in tools if shutil.which(tool) is None]:
        pytest.skip(f"not on this machine: {', '.join(missing)}")


def run(folder: Path, *command: str) -> str:
    """What a command prints; the test fails, and shows all, where the command does."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout}{done.stderr}"
    return done.stdout
