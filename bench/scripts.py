"""Games that are worked out on the engine beforehand, so that a client does nothing but submit.

The servers are given their seeds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Final

from coltexpress import Client, Commit, Decision, Seat
from coltexpress_server.game.engine import apply, new_game
from coltexpress_server.game.generator import SEED_BYTES, mix
from coltexpress_server.game.options import STANDARD

PLAYERS: Final = 4


@dataclass(frozen=True)
class Script:
    """A game that is to be played: its seed, and each move as (seat, option id)."""

    seed: bytes
    moves: list[tuple[int, str]]


def asked(decisions: Iterable[Decision]) -> dict[int, str]:
    """The ids of open decisions, by seat."""
    return {decision.seat: decision.id for decision in decisions}


@dataclass(frozen=True)
class Table:
    """A game in which the script's moves can be made.

    asked: ids of the decisions that are open, by seat.
    """

    seats: list[Seat]
    asked: dict[int, str]

    async def move(self, seat: int, option_id: str) -> Commit:
        """Make the script's next move."""
        commit = await self.seats[seat].submit(self.asked[seat], option_id)
        assert isinstance(commit, Commit)
        self.asked.clear()
        self.asked.update(asked(commit.decisions))
        return commit


def script(number: int) -> Script:
    """One of any number of random games."""
    chance = Random(number)
    seed = chance.randbytes(SEED_BYTES)
    state = new_game(STANDARD, [[]] * PLAYERS, mix(seed, [b""] * PLAYERS))
    moves = []
    while not state.finished:
        decision = state.pending[0]
        choice = chance.choice(decision.options)
        moves.append((decision.seat, choice.text))
        apply(state, decision.seat, choice)
    return Script(seed, moves)


async def begin(client: Client, game: Script) -> Table:
    """Begin a game in which the script's moves can be made."""
    host = await client.create(PLAYERS, seed=game.seed)
    seats = [await client.join(host.game, seat=n, entropy=b"") for n in range(PLAYERS)]
    return Table(seats, asked((await host.start()).decisions))
