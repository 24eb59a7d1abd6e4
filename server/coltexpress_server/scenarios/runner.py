"""Running scenario files: what `colt-express scenario` does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from coltexpress_server.scenarios.document import InvalidScenario, documents
from coltexpress_server.scenarios.scenario import Scenario

PASSED: Final = 0
FAILED: Final = 1
INVALID: Final = 2
_SUFFIXES: Final = frozenset({".yaml", ".yml"})


def run_files(paths: Sequence[Path], write: Callable[[str], None]) -> int:
    """Plays the scenarios of files and of all YAML files in folders, however deep.

    write: gets each line of the report: `ok NAME`, `FAILED NAME: what differs`,
        `FILE:LINE: reason` for what is no valid scenario, and last `N passed, N failed`.

    Returns: the exit status: 2 if there is something that is no valid scenario, else 1 if one
        failed, else 0.
    """
    passed = failed = invalid = 0
    for path in paths:
        for outcome in _outcomes(path):
            if isinstance(outcome, Scenario):
                difference = outcome.play()
                write(
                    f"FAILED {outcome.name}: {difference}" if difference else f"ok {outcome.name}"
                )
                failed += bool(difference)
                passed += not difference
            else:
                write(outcome)
                invalid += 1
    write(f"{passed} passed, {failed} failed")
    if invalid:
        return INVALID
    return FAILED if failed else PASSED


def read_file(path: Path) -> Iterator[Scenario | InvalidScenario]:
    """The scenarios of a file in order, and what is wrong in place of those that are none.

    Raises OSError if the file cannot be read.
    """
    found = documents(path)
    while True:
        try:
            node = next(found, None)
            if node is None:
                return
            yield Scenario(node)
        except InvalidScenario as error:
            yield error


def _outcomes(path: Path) -> Iterator[Scenario | str]:
    """What is in a file or folder: scenarios to play, and lines that say what is wrong."""
    files = [path]
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.suffix in _SUFFIXES)
        if not files:
            yield f"{path}: there is no scenario file in this folder"
    for file in files:
        try:
            for outcome in read_file(file):
                if isinstance(outcome, Scenario):
                    yield outcome
                else:
                    yield f"{file}:{outcome.line}: {outcome.reason}"
        except OSError as error:
            yield f"{file}: {error.strerror}"
