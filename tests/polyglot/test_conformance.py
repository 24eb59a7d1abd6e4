"""The bots in other languages, in all situations of `colt-express check-client`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from coltexpress_server.conformance.checking import Checker, Outcome, checker
from coltexpress_server.conformance.command import command
from tests.conformance.verdicts import BY_NAME, all_verdicts, verdicts

EVERYWHERE = dict.fromkeys(BY_NAME, (Outcome.PASSED, ""))
OF_THE_NETWORK = ("lost-join", "lost-reply", "proxy-reset", "stream-cut", "unavailable")


@pytest.fixture(scope="module")
def kit() -> Iterator[Checker]:
    with checker() as found:
        yield found


async def test_the_go_bot_copes(kit: Checker, go_client: Path) -> None:
    assert await all_verdicts(kit, command([str(go_client / "bot")])) == EVERYWHERE


async def test_the_typescript_bot_copes(kit: Checker, typescript_client: Path) -> None:
    bot = str(typescript_client / "build/examples/bot.js")
    assert await all_verdicts(kit, command(["node", bot])) == EVERYWHERE
    over_grpc = command(["sh", "-c", f'exec node "{bot}" --service "$COLTEXPRESS_TARGET"'])
    found = await verdicts(kit, over_grpc, *OF_THE_NETWORK)
    assert found == dict.fromkeys(OF_THE_NETWORK, (Outcome.PASSED, ""))
