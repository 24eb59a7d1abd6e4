"""Bots that think quickly, slowly, and not at all."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from coltexpress_server.bots import levels
from coltexpress_server.bots.levels import Level
from coltexpress_server.game import timeouts
from coltexpress_server.game.engine import new_game
from coltexpress_server.game.options import STANDARD
from coltexpress_server.game.state import State
from coltexpress_server.service.thinking import Thinking, think
from tests.service import bots

CHANCE = b"chance"
LIMIT_S = 20.0


@pytest.fixture
def state() -> State:
    return new_game(STANDARD, [["DOC"], ["GHOST"], ["BELLE"]], bytes(32))


@pytest.fixture
async def thinking(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Thinking]:
    """Bots of all sorts, by name."""
    monkeypatch.setenv(bots.PIPE, str(tmp_path / "pid"))
    table: Any = levels.LEVELS
    for bot in (bots.LastOption, bots.Failing, bots.Cheating):
        monkeypatch.setitem(table, bot.__name__, Level(bot.__name__, bot, slow=False))
    for bot in (bots.Busy, bots.Dying):
        monkeypatch.setitem(table, bot.__name__, Level(bot.__name__, bot, slow=True))
    found = Thinking()
    yield found
    await found.close()


async def test_a_bot_answers_the_decision_of_its_seat(thinking: Thinking, state: State) -> None:
    decision = state.pending[0]
    assert await thinking.choose("LastOption", state, decision, CHANCE) == decision.options[-1]


async def test_equal_chance_makes_equal_choices(thinking: Thinking, state: State) -> None:
    decision = state.pending[0]
    chosen = [await thinking.choose("RANDOM", state, decision, CHANCE) for _ in range(5)]
    assert len(set(chosen)) == 1
    others = {
        think(levels.LEVELS["RANDOM"].bot, bytes([n]), state, decision.seat) for n in range(9)
    }
    assert len(others) > 1


@pytest.mark.parametrize("level", ["Failing", "Cheating", "no such level"])
async def test_a_bot_that_fails_answers_as_for_an_absent_player(
    thinking: Thinking, state: State, level: str
) -> None:
    decision = state.pending[0]
    assert await thinking.choose(level, state, decision, CHANCE) == timeouts.answer(decision)


async def test_a_slow_bot_keeps_nobody_waiting_and_dies_alone(
    thinking: Thinking, state: State, tmp_path: Path
) -> None:
    decision = state.pending[0]
    # The process of the slow bots dies with this one, twice; the game goes on all the same.
    assert await thinking.choose("Dying", state, decision, CHANCE) == timeouts.answer(decision)
    async with asyncio.timeout(LIMIT_S):
        choosing = asyncio.create_task(thinking.choose("Busy", state, decision, CHANCE))
        assert await thinking.choose("LastOption", state, decision, CHANCE) == decision.options[-1]
        assert not choosing.done()  # it computes, and others do not wait for it
        assert await choosing == decision.options[-1]
    pid = int((tmp_path / "pid").read_text())
    assert pid != os.getpid()
    await thinking.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_slow_bot_that_comes_to_no_end_is_ended(
    monkeypatch: pytest.MonkeyPatch, state: State, tmp_path: Path
) -> None:
    monkeypatch.setenv(bots.PIPE, str(tmp_path / "pid"))
    table: Any = levels.LEVELS
    monkeypatch.setitem(table, "Endless", Level("Endless", bots.Endless, slow=True))
    thinking = Thinking(longest_thought_s=4)  # its process has to start within it
    decision = state.pending[0]
    assert await thinking.choose("Endless", state, decision, CHANCE) == timeouts.answer(decision)
    await thinking.close()
    pid = int((tmp_path / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        await outlived(pid)


async def outlived(pid: int) -> None:
    """Returns never: raises ProcessLookupError when the process has ended."""
    async with asyncio.timeout(LIMIT_S):
        while True:
            os.kill(pid, 0)
            await asyncio.sleep(0.01)


def test_a_bot_sees_only_what_its_seat_may_see(state: State) -> None:
    class Looking(bots.LastOption):
        def choose(self, decision: Any, seen: State) -> Any:
            assert seen.generator is None
            assert seen.log is None
            found.append(seen)
            return decision.options[0]

    found: list[State] = []
    think(Looking, CHANCE, state, state.pending[0].seat)
    hidden = [deck for number, deck in enumerate(found[0].decks) if number != state.pending[0].seat]
    assert all(card.action == "HIDDEN" for deck in hidden for card in [*deck.cards, *deck.hand])
