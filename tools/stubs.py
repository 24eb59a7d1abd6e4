"""Generate the Python stubs of `protos/coltexpress/v1` into the client package.

    python tools/stubs.py           write them
    python tools/stubs.py --check   fail where the committed ones are stale

The output depends on the protos and on the locked generators alone.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
PROTOS = ROOT / "protos"
PACKAGE = Path("coltexpress/v1")
CLIENT = ROOT / "clients/python/src"


def generate(out: Path) -> dict[str, bytes]:
    """Run protoc into the folder `out` and return the stubs: file name to content.

    Messages come from every file, services from the files named `*_service.proto`.

    Raises:
        SystemExit: protoc found a mistake in the protos; it has printed where.
    """
    protoc("*.proto", f"--python_out={out}", f"--mypy_out=quiet:{out}")
    protoc("*_service.proto", f"--grpc_python_out={out}", f"--mypy_grpc_out=quiet:{out}")
    return read(out / PACKAGE)


def protoc(pattern: str, *outputs: str) -> None:
    """Run protoc on the files of the API whose names match a pattern, or exit with its status."""
    sources = sorted(str(proto) for proto in (PROTOS / PACKAGE).glob(pattern))
    command = [sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={PROTOS}"]
    # protoc looks for protoc-gen-mypy and protoc-gen-mypy_grpc on the path.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        [*command, *outputs, *sources], env=os.environ | {"PATH": path}, check=False
    )
    if run.returncode != 0:
        sys.exit(run.returncode)


def read(folder: Path) -> dict[str, bytes]:
    """Return the stubs that stand in a folder: file name to content."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*_pb2*.py*"))}


def write(stubs: dict[str, bytes], folder: Path) -> None:
    """Make the stubs in a folder exactly these; other files there stay as they are."""
    for name in read(folder).keys() - stubs.keys():
        (folder / name).unlink()
    for name, content in stubs.items():
        (folder / name).write_bytes(content)


def stale(stubs: dict[str, bytes], folder: Path) -> list[str]:
    """Return the names of the stubs that are missing, different or left over in a folder."""
    committed = read(folder)
    names = sorted(stubs.keys() | committed.keys())
    return [name for name in names if stubs.get(name) != committed.get(name)]


def main(arguments: list[str]) -> None:
    """Write the stubs, or check the committed ones."""
    folder = CLIENT / PACKAGE
    with TemporaryDirectory() as out:
        stubs = generate(Path(out))
    if arguments == ["--check"]:
        names = stale(stubs, folder)
        if names:
            sys.exit(f"Stale stubs, run `make proto`: {', '.join(names)}")
        print(f"The {len(stubs)} generated stubs are up to date.")
    elif arguments:
        sys.exit(__doc__)
    else:
        write(stubs, folder)
        print(f"Generated {len(stubs)} stubs in {folder.relative_to(ROOT)}.")


if __name__ == "__main__":
    main(sys.argv[1:])
