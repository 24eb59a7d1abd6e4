"""Scenario files for the tests of their runner."""

from pathlib import Path

from coltexpress_server.scenarios.runner import run_files


def run(folder: Path, *texts: str) -> tuple[int, list[str]]:
    """Runs files with these texts; the exit status and what is written."""
    paths = []
    for number, text in enumerate(texts):
        path = folder / f"{number}.yaml"
        path.write_text(text, "utf-8")
        paths.append(path)
    lines: list[str] = []
    return run_files(paths, lines.append), lines
