"""The OpenAPI document as others' tools take it: linted, made into types, tried on the server."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from coltexpress_server.server_process import ServerProcess, temporary_server
from tests.api.tables import Service, Table, bearer, begun, lobby
from tests.web.conftest import HERE

LIMIT_S = 100
SEED = "1"
EXAMPLES = "8"
"""How many requests at random are made of each operation, beside those at its bounds."""
STREAMS = ("WatchGame", "WatchSeats")
# A valid request may be refused for what the game is like, with 400 as AIP-193 has it. A request id
# that was used is told so before anything else.
LEFT_OUT = "positive_data_acceptance,ignored_auth,missing_required_header"

# Enums may be given as numbers (proto3), which is nothing to recommend, and is not documented.
LENIENT = "".join(
    f'''
[[operations]]
include-operation-id = "{name}"
checks.negative_data_rejection.enabled = false
'''
    for name in ("CreateGame", "UpdateGame")
)


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    """A service that keeps nobody waiting."""
    with temporary_server("--longest-wait-s", "0.01", "--games-per-minute", "0") as server:
        yield server


@pytest.fixture
def document(server: ServerProcess, tmp_path: Path) -> Path:
    """The document as a file."""
    path = tmp_path / "openapi.json"
    path.write_bytes(httpx.get(f"{server.http}/v1/openapi.json").content)
    return path


async def run(*command: str | Path, cwd: Path = HERE) -> str:
    """Runs a command, which must succeed; returns what it says."""
    process = await asyncio.create_subprocess_exec(
        *map(str, command),
        cwd=cwd,
        env=os.environ | {"NO_COLOR": "1", "REDOCLY_TELEMETRY": "off"},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(LIMIT_S):
            said, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, said.decode()[-10_000:]
    return said.decode()


async def test_a_linter_finds_nothing(document: Path) -> None:
    said = await run(
        *("node", HERE / "node_modules/@redocly/cli/bin/cli.js", "lint", document),
        *("--config", HERE / "redocly.yaml", "--format", "json"),
    )
    # What comes before is about Node's release.
    totals = json.JSONDecoder().raw_decode(said, said.index("{"))[0]["totals"]
    assert totals == {"errors": 0, "warnings": 0, "ignored": 0}, said


async def test_it_becomes_types_that_a_program_is_checked_by(
    document: Path, tmp_path: Path
) -> None:
    types = tmp_path / "colt-express.d.ts"
    modules = HERE / "node_modules"
    await run("node", modules / "openapi-typescript/bin/cli.js", document, "-o", types)
    for program in ("right.ts", "wrong.ts"):
        (tmp_path / program).write_text((HERE / "types" / program).read_text())
    tsc = ("node", modules / "typescript/bin/tsc", "--noEmit", "--strict", "--target", "es2022")
    await run(*tsc, "right.ts", cwd=tmp_path)
    with pytest.raises(AssertionError) as wrong:
        await run(*tsc, "wrong.ts", cwd=tmp_path)
    # Each of its statements is a mistake, and is told to be one.
    assert str(wrong.value).count("wrong.ts(") >= (HERE / "types/wrong.ts").read_text().count("// ")


async def hold(server: ServerProcess, tmp_path: Path, table: Table, *arguments: str) -> None:
    """Holds the server against its document, with requests about a game."""
    config = tmp_path / "schemathesis.toml"
    game = table.name.removeprefix("games/")
    config.write_text(f'[parameters]\n"path.game" = "{game}"\n{LENIENT}')
    await run(
        *(Path(sys.executable).with_name("schemathesis"), "--config-file", config),
        *("run", f"{server.http}/v1/openapi.json", "--seed", SEED, "--max-examples", EXAMPLES),
        *("--phases", "examples,coverage,fuzzing", "--generation-database", "none"),
        *("--exclude-checks", LEFT_OUT, "--warnings", "off", "--no-color", *arguments),
        cwd=tmp_path,
    )


async def test_a_seat_is_answered_as_documented(
    server: ServerProcess, service: Service, tmp_path: Path
) -> None:
    table = await begun(service)
    [(_, token)] = bearer(table.tokens[0])
    operations = [f"--exclude-operation-id={name}" for name in (*STREAMS, "LeaveGame")]
    await hold(server, tmp_path, table, "--header", f"Authorization: {token}", *operations)


async def test_a_host_is_answered_as_documented(
    server: ServerProcess, service: Service, tmp_path: Path
) -> None:
    table = await lobby(service)
    [(_, token)] = bearer(table.host_token)
    hosts = ("GetGame", "UpdateGame", "AddBot", "RemovePlayer", "JoinGame")
    operations = [f"--include-operation-id={name}" for name in hosts]
    await hold(server, tmp_path, table, "--header", f"Authorization: {token}", *operations)
