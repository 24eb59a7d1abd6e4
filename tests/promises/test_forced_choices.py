"""Leaks: choices that are forced betray nothing (RULES.md 1.5.8).

Whether a seat is asked, and how many messages others get, does not depend on what they may not
know.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from random import Random

import redis

from coltexpress_server.game.cards import BULLET, NEUTRAL
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.engine import apply, new_game
from coltexpress_server.game.generator import mix
from coltexpress_server.game.loot import SPECTATOR, Token
from coltexpress_server.game.options import STANDARD
from coltexpress_server.game.state import State
from tests.api.tables import begun
from tests.promises.twin_games import copy_game, put_record, record_of, state_of
from tests.promises.twin_services import Twins, served, submit

CAST = ("DOC", "GHOST", "BELLE", "TUCO")


async def test_nobody_sees_that_a_hand_is_all_bullets(valkey_url: str, tmp_path: Path) -> None:
    """Who can only draw is asked all the same (1.5.8)."""

    def give_bullets(state: State, *, into_hand: bool) -> None:
        deck = state.decks[state.seats[owner].deck]
        count = len(deck.hand)
        bullets = [state.rules.card(NEUTRAL, BULLET)] * count
        state.neutral_bullets -= count
        state.figures[state.seats[owner].figures[0]].received += [NEUTRAL] * count
        if into_hand:
            deck.cards += deck.hand
            deck.hand[:] = bullets
        else:
            deck.cards += bullets

    seed = bytes([8]) * 32
    state = _start(seed)
    owner = (state.pending[0].seat + 1) % len(CAST)
    changes = (
        lambda state: give_bullets(state, into_hand=True),
        lambda state: give_bullets(state, into_hand=False),
    )
    async with _hand_made(valkey_url, tmp_path, (seed, []), owner, changes) as twins:
        await twins.compare_reads()
        assert await twins.owners_see_a_difference()
        assert await twins.go_on()
        first, second = _options_of(owner, twins)
        assert first == ["draw"]
        assert len(second) > 1
        assert await twins.go_on()


async def test_nobody_sees_whether_a_robber_knows_the_purses(
    valkey_url: str, tmp_path: Path
) -> None:
    """Who sees purses that are all alike to him is asked all the same (1.5.8)."""
    seed, path, last = _way_to_a_robbery()
    state = _start(seed)
    for choice in path:
        apply(state, state.pending[0].seat, choice)
    apply(state, state.pending[0].seat, last)
    robber = state.pending[0].seat
    space = state.figures[state.pending[0].figure].space

    def let_know(state: State, *, known: bool) -> None:
        state.spaces[space] = [
            token.shown_to(robber)
            if known
            else Token(token.kind, token.value, token.known & ~(1 << robber))
            for token in state.spaces[space]
        ]

    changes = (
        lambda state: let_know(state, known=False),
        lambda state: let_know(state, known=True),
    )
    async with _hand_made(valkey_url, tmp_path, (seed, path), robber, changes) as twins:
        assert await twins.go_on(last)
        first, second = _options_of(robber, twins)
        assert first == ["rob:PURSE"]
        assert len(second) > 1


def _start(seed: bytes) -> State:
    """The game that a service makes of a seed, with nothing mixed in by players."""
    cast = [[name] for name in CAST]
    return new_game(STANDARD, cast, mix(seed, [b""] * len(cast)))


def _way_to_a_robbery() -> tuple[bytes, list[Choice], Choice]:
    """A seed, choices, and one more after which another seat robs a heap of private purses."""
    for number in range(255):
        seed = bytes([number]) * 32
        state = _start(seed)
        chance = Random(number)
        path: list[Choice] = []
        while state.pending:
            decision = state.pending[0]
            for option in decision.options:
                after = state.copy()
                apply(after, decision.seat, option)
                if _is_private_heap(after, decision.seat):
                    return seed, path, option
            path.append(chance.choice(decision.options))
            apply(state, decision.seat, path[-1])
    raise AssertionError("no game comes to such a robbery")


def _is_private_heap(state: State, before: int) -> bool:
    """Whether a seat that has not decided before robs where only purses of several values lie."""
    if not state.pending or state.pending[0].kind != "ROBBERY" or state.pending[0].seat == before:
        return False
    lying = state.spaces[state.figures[state.pending[0].figure].space]
    return (
        all(token.kind == "PURSE" and token.known == 0 for token in lying)
        and len({token.value for token in lying}) > 1
    )


def _options_of(seat: int, twins: Twins) -> tuple[list[str], list[str]]:
    """What a seat may choose in each game, in which it is its turn."""
    first, second = twins.pending()
    assert first.seat == second.seat == seat
    return [option.text for option in first.options], [option.text for option in second.options]


@contextlib.asynccontextmanager
async def _hand_made(
    url: str,
    folder: Path,
    way: tuple[bytes, Sequence[Choice]],
    owner: int,
    changes: tuple[Callable[[State], None], Callable[[State], None]],
) -> AsyncIterator[Twins]:
    """Twins made by hand: a game with a seed, after some choices, changed in two ways.

    owner: the one seat that can tell them apart.
    """
    seed, path = way
    with (
        redis.Redis.from_url(url, db=0) as store,
        redis.Redis.from_url(url, db=1) as other_store,
    ):
        async with served(url, folder) as service:
            table = await begun(service, CAST, seed=seed)
            game_id = table.name.removeprefix("games/")
            for choice in path:
                await submit(service, table, state_of(store, game_id).pending[0], choice)
        copy_game(store, other_store, game_id)
        for each, change in zip((store, other_store), changes, strict=True):
            record = record_of(each, game_id)
            assert record.state is not None
            change(record.state)
            put_record(each, game_id, record)
        viewers = [*(seat for seat in range(len(CAST)) if seat != owner), SPECTATOR]
        async with served(url, folder) as first, served(f"{url}?db=1", folder) as second:
            yield Twins(table, (first, second), (store, other_store), viewers, Random(1))
