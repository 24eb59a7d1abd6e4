"""How a client does in situations, for tests to look at."""

from __future__ import annotations

import asyncio
from typing import Final

from coltexpress_server.conformance.checking import Checker, Outcome, Verdict
from coltexpress_server.conformance.command import Client
from coltexpress_server.conformance.situation import Situation
from coltexpress_server.conformance.situations import SITUATIONS

BY_NAME: Final = {each.NAME: each for each in SITUATIONS}

Verdicts = dict[str, tuple[Outcome, str]]
"""By situation: the outcome and the fault."""


async def verdict(kit: Checker, client: Client, name: str, limit_s: float = 60.0) -> Verdict:
    situations: list[type[Situation]] = [BY_NAME[name]]
    [found] = [each async for each in kit.check(client, situations, limit_s)]
    return found


async def verdicts(kit: Checker, client: Client, *names: str) -> Verdicts:
    """Of several tables at once: most of the time is spent waiting."""
    found = await asyncio.gather(*(verdict(kit, client, name) for name in names))
    return {each.situation.NAME: (each.outcome, each.fault) for each in found}


async def all_verdicts(kit: Checker, client: Client) -> Verdicts:
    """Of all situations."""
    found = await verdicts(kit, client, *(BY_NAME.keys() - {"restart"}))
    return found | await verdicts(kit, client, "restart")  # which would happen to all the others
