"""Compile `coltexpress_server.game` with mypyc and run its tests on the compiled modules.

    python tools/compiled_game.py [PYTEST ARGUMENT...]

The product ships and is tested as plain Python; this keeps the rules within what mypyc can compile.
Everything happens in a copy of the package in a temporary folder. Where there is no C compiler, or
no Python headers for it, one line says so and nothing is done.
"""

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "coltexpress_server"
TESTS = (
    "tests/game/test_perft.py",
    "tests/game/test_properties.py",
    "tests/game/test_scenarios.py",
    "tests/game/test_simultaneous.py",
)
"""Those that play whole games, which is where compiled code would differ."""


def missing_for_compiling() -> str | None:
    """Return what compiling would need and this machine lacks, or None."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        return f"the C compiler {compiler}"
    header = Path(sysconfig.get_path("include")) / "Python.h"
    if not header.is_file():
        return f"the Python headers {header}"
    return None


def compile_game(folder: Path) -> dict[str, str]:
    """Compile a copy of the package in a folder; return the environment that imports it.

    Raises:
        SystemExit: mypyc or the C compiler refused; its output is printed.
    """
    shutil.copytree(
        ROOT / "server" / PACKAGE, folder / PACKAGE, ignore=shutil.ignore_patterns("__pycache__")
    )
    environment = os.environ | {
        # The level at which compiling and testing together take least.
        "MYPYC_OPT_LEVEL": "0",
        # Before the checkout itself, which .venv has on its path.
        "PYTHONPATH": str(folder),
        "MYPY_CACHE_DIR": str(folder / ".mypy_cache"),
    }
    # The modules are typed as in pyproject.toml, whose paths would lead back to the checkout.
    command = [sys.executable, "-m", "mypyc", "--config-file=", "--strict", f"{PACKAGE}/game"]
    mypyc = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if mypyc.returncode != 0:
        sys.exit(f"{mypyc.stdout}\nmypyc cannot compile {PACKAGE}/game.")
    # What was not compiled cannot be imported by accident.
    for source in (folder / PACKAGE / "game").rglob("*.py"):
        source.unlink()
    return environment


def main(pytest_arguments: list[str]) -> None:
    """Compile and run the tests."""
    missing = missing_for_compiling()
    if missing is not None:
        print(f"Skipped compiling game/: {missing} is not there.")
        return
    with TemporaryDirectory(prefix="compiled-game-") as name:
        environment = compile_game(Path(name))
        tests = [sys.executable, "-m", "pytest", "--quiet", "-n", "auto", *TESTS, *pytest_arguments]
        sys.exit(subprocess.run(tests, cwd=ROOT, env=environment, check=False).returncode)


if __name__ == "__main__":
    main(sys.argv[1:])
