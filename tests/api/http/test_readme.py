"""The commands in the README are a game."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path

import pytest

from tests.api.http.conftest import Web

README = Path(__file__).parents[3] / "README.md"
LIMIT = 60


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("jq")), reason="takes curl and jq")
async def test_a_move_is_made_with_curl(web: Web, tmp_path: Path) -> None:
    [script] = re.findall(r"```sh\n(api=.*?)```", README.read_text(), re.DOTALL)
    assert "http://localhost:8080" in script
    process = await asyncio.create_subprocess_exec(
        *("bash", "-euo", "pipefail", "-c", script.replace("http://localhost:8080", web.grpc.http)),
        cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(LIMIT):
        said, wrong = await process.communicate()
    assert (process.returncode, wrong) == (0, b"")
    started, prompt, *labels, version, event, data = said.decode().splitlines()
    assert started == '"STATE_RUNNING"'
    assert prompt
    assert labels
    assert event == "event: commit"
    assert f'"version":{version}' in data
