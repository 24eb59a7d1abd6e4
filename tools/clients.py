"""Generate the stubs of the clients in other languages than Python from `protos/`.

    python tools/clients.py           write them, each with the generator that its package names
    python tools/clients.py --check   fail where those that are committed are stale

A language whose tools are missing is left out, and that is said. Go's stubs are committed: `go get`
builds nothing. TypeScript's are not: an npm package brings what was built.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
BUF = Path(sys.executable).with_name("buf")
GO = ROOT / "clients/go"
GO_STUBS = "v1"
TYPESCRIPT = ROOT / "clients/typescript"


def run(command: list[str | Path], folder: Path) -> None:
    """Run a command in a folder, or exit with its status; it has said why."""
    done = subprocess.run(command, cwd=folder, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)


def there(tool: str, language: str) -> bool:
    """Whether a language can be generated; if not, say so."""
    found = shutil.which(tool) is not None
    if not found:
        print(f"{language} is left out: there is no `{tool}` on this machine.")
    return found


def read(folder: Path) -> dict[str, bytes]:
    """Return the stubs that stand in a folder: file name to content."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def check_go() -> None:
    """Exit where Go's committed stubs are not what the protos make."""
    with TemporaryDirectory() as out:
        run([BUF, "generate", "--output", out], GO)
        stubs = read(Path(out, GO_STUBS))
    committed = read(GO / GO_STUBS)
    names = sorted(stubs.keys() | committed.keys())
    stale = [name for name in names if stubs.get(name) != committed.get(name)]
    if stale:
        sys.exit(f"Stale stubs of Go, run `make clients`: {', '.join(stale)}")
    print(f"Go's {len(stubs)} generated stubs are up to date.")


def write() -> None:
    """Write the stubs of every language whose tools are there."""
    if there("go", "Go"):
        run([BUF, "generate"], GO)
        print(f"Generated Go's stubs in {(GO / GO_STUBS).relative_to(ROOT)}.")
    if there("npm", "TypeScript"):
        run(["npm", "ci"], TYPESCRIPT)
        run(["npm", "run", "build"], TYPESCRIPT)
        print(f"Generated and built {TYPESCRIPT.relative_to(ROOT)}.")


def main(arguments: list[str]) -> None:
    """Write the stubs, or check the committed ones."""
    if arguments == ["--check"]:
        if there("go", "Go"):
            check_go()
    elif arguments:
        sys.exit(__doc__)
    else:
        write()


if __name__ == "__main__":
    main(sys.argv[1:])
