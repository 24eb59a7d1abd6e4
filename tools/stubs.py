"""Generate what is made of `protos/coltexpress/v1`.

    python tools/stubs.py           write it
    python tools/stubs.py --check   fail where what is committed is stale

These are the Python stubs, in the client package, and the comments, which stubs leave out, for the
server's OpenAPI document. All depends on the protos and on the locked generators alone.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto, FileDescriptorSet

ROOT = Path(__file__).resolve().parent.parent
PROTOS = ROOT / "protos"
PACKAGE = Path("coltexpress/v1")
CLIENT = ROOT / "clients/python/src"
COMMENTS = ROOT / "server/coltexpress_server/api/http/openapi/comments.json"


def generate(out: Path) -> dict[str, bytes]:
    """Run protoc into the folder `out` and return the stubs: file name to content.

    Messages come from every file, services from the files named `*_service.proto`.

    Raises:
        SystemExit: protoc found a mistake in the protos; it has printed where.
    """
    protoc("*.proto", f"--python_out={out}", f"--mypy_out=quiet:{out}")
    protoc("*_service.proto", f"--grpc_python_out={out}", f"--mypy_grpc_out=quiet:{out}")
    return read(out / PACKAGE)


def comments(out: Path) -> bytes:
    """The comments of the protos, as JSON: full name to comment, one a line.

    A value of an enum is named as if it stood in the enum. Lines are joined into paragraphs.
    """
    path = out / "api.binpb"
    protoc("*.proto", f"--descriptor_set_out={path}", "--include_source_info")
    found: dict[str, str] = {}
    for file in FileDescriptorSet.FromString(path.read_bytes()).file:
        names = {tuple(place): name for place, name in named(file)}
        for location in file.source_code_info.location:
            name = names.get(tuple(location.path))
            if name and location.leading_comments:
                found[name] = paragraphs(location.leading_comments)
    return json.dumps(found, indent=0, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def named(file: FileDescriptorProto) -> Iterator[tuple[list[int], str]]:
    """Everything in a file that has a name: where it stands (SourceCodeInfo.Location.path)."""
    root = f"{file.package}."
    yield from named_messages(file.message_type, [4], root)
    yield from named_enums(file.enum_type, [5], root)
    for number, service in enumerate(file.service):
        place = [6, number]
        yield place, root + service.name
        for inner, method in enumerate(service.method):
            yield [*place, 2, inner], f"{root}{service.name}.{method.name}"


def named_messages(
    messages: Iterable[DescriptorProto], where: list[int], outer: str
) -> Iterator[tuple[list[int], str]]:
    """The messages, and everything in them."""
    for number, message in enumerate(messages):
        place, name = [*where, number], outer + message.name
        yield place, name
        for inner, field in enumerate(message.field):
            yield [*place, 2, inner], f"{name}.{field.name}"
        for inner, oneof in enumerate(message.oneof_decl):
            yield [*place, 8, inner], f"{name}.{oneof.name}"
        yield from named_messages(message.nested_type, [*place, 3], f"{name}.")
        yield from named_enums(message.enum_type, [*place, 4], f"{name}.")


def named_enums(
    enums: Iterable[Any], where: list[int], outer: str
) -> Iterator[tuple[list[int], str]]:
    """The enums, and their values."""
    for number, enum in enumerate(enums):
        place, name = [*where, number], outer + enum.name
        yield place, name
        for inner, value in enumerate(enum.value):
            yield [*place, 2, inner], f"{name}.{value.name}"


def paragraphs(comment: str) -> str:
    """A comment without its line breaks, but for those between paragraphs."""
    lines = [line.strip() for line in comment.strip().splitlines()]
    return "\n\n".join(part.replace("\n", " ") for part in "\n".join(lines).split("\n\n"))


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
    """Write what is generated, or check what is committed."""
    folder = CLIENT / PACKAGE
    with TemporaryDirectory() as out:
        stubs = generate(Path(out))
        said = comments(Path(out))
    if arguments == ["--check"]:
        names = stale(stubs, folder)
        if not COMMENTS.exists() or COMMENTS.read_bytes() != said:
            names.append(COMMENTS.name)
        if names:
            sys.exit(f"Stale, run `make proto`: {', '.join(names)}")
        print(f"The {len(stubs)} generated stubs and the comments are up to date.")
    elif arguments:
        sys.exit(__doc__)
    else:
        write(stubs, folder)
        COMMENTS.write_bytes(said)
        print(f"Generated {len(stubs)} stubs in {folder.relative_to(ROOT)}, and the comments.")


if __name__ == "__main__":
    main(sys.argv[1:])
