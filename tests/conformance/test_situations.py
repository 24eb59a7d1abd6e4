"""What the kit lets pass and what it catches, over its own service."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from coltexpress_server.conformance import checking
from coltexpress_server.conformance.checking import Checker, Outcome, checker
from coltexpress_server.conformance.command import Client
from tests.conformance import clients
from tests.conformance.verdicts import BY_NAME, all_verdicts, verdict, verdicts

FAULTS: list[tuple[str, Client, str]] = [
    ("whole-game", clients.leaves_at_once, "it ended, with status 0, before the game was over"),
    ("whole-game", clients.never_ends, "it has not ended 0.2 seconds after the game"),
    ("whole-game", clients.fails_at_the_end, "it ended with status 3"),
    ("slow-start", clients.is_impatient, "it ended with status 1 before the game"),
    ("one-option", clients.SkipsWhatIsForced(), "the game is not over after 3 seconds"),
    ("one-option", clients.ChoosesBeforehand(), "it answers with something else than the one"),
    ("unknown-option", clients.KnowsAllKinds(), "it ended with status 1 before the game"),
    ("unknown-option", clients.SendsWhatItReads(), "an action of which it does not know"),
    ("unknown-event", clients.KnowsAllEvents(), "it ended with status 1 before the game"),
    ("answered-elsewhere", clients.Insists(), "it goes on answering a decision that is closed"),
    ("sudden-end", clients.TakesTheEndForAFailure(), "it ended with status 1"),
    ("lost-join", clients.AsksAnew(), "under another request id"),
    ("lost-reply", clients.AsksAnew(), "under another request id"),
    ("lost-reply", clients.BelievesItWasHeard(), "the game is not over after 3 seconds"),
    ("proxy-reset", clients.TakesResetsForRefusals(), "it ended with status 1 before the game"),
    ("proxy-reset", clients.AsksAnew(), "under another request id"),
    ("proxy-reset", clients.WatchesFromTheBeginning(), "it watches from the beginning"),
    ("stream-cut", clients.WatchesFromTheBeginning(), "it watches from the beginning"),
    ("stream-cut", clients.DoesNotPause(), "without pausing"),
    ("cursor-unknown", clients.ClingsToItsCursor(), "a cursor that it was told is not known"),
    ("unavailable", clients.DoesNotPause(), "where it was told to come back after 1"),
    ("too-many", clients.is_impatient, "it ended with status 1 before the game"),
    ("restart", clients.is_impatient, "it ended with status 1 before the game"),
]
"""What a client does wrong, in which situation, and what the kit says to that."""


@pytest.fixture(scope="module")
def kit() -> Iterator[Checker]:
    with checker() as found:
        yield found


async def test_a_client_that_copes_passes_everywhere(kit: Checker) -> None:
    found = await all_verdicts(kit, clients.well_behaved)
    assert found == dict.fromkeys(BY_NAME, (Outcome.PASSED, ""))


async def test_the_plain_client_copes_where_those_made_of_it_do_not(kit: Checker) -> None:
    # Each plays one game.
    names = [
        "stream-cut",
        "cursor-unknown",
        "lost-reply",
        "proxy-reset",
        "unavailable",
        "sudden-end",
    ]
    found = await asyncio.gather(*(verdict(kit, clients.Plain(), name) for name in names))
    assert [(each.outcome, each.fault) for each in found] == [(Outcome.PASSED, "")] * len(names)


async def test_a_client_over_http_meets_the_same(kit: Checker) -> None:
    names = ["unknown-option", "lost-join", "lost-reply", "proxy-reset", "too-many"]
    found = await verdicts(kit, clients.over_rest, *names, "stream-cut")
    expected = dict.fromkeys(names, (Outcome.PASSED, ""))
    assert found == expected | {"stream-cut": (Outcome.NOT_MET, "")}  # it has no streams


@pytest.mark.parametrize(("name", "client", "fault"), FAULTS)
async def test_a_client_that_does_not_cope_is_caught(
    kit: Checker, monkeypatch: pytest.MonkeyPatch, name: str, client: Client, fault: str
) -> None:
    monkeypatch.setattr(checking, "LEAVING_S", 0.2)
    found = await verdict(kit, client, name, limit_s=3 if "not over" in fault else 60)
    assert found.outcome is Outcome.FAILED
    assert fault in found.fault


def test_every_situation_is_one_that_some_client_fails() -> None:
    assert {name for name, _, _ in FAULTS} == BY_NAME.keys()
