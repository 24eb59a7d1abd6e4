"""Games that are worked out on the engine beforehand, so that a client does nothing but submit.

The servers are given their seeds.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from coltexpress import Client, Seat
from coltexpress_server.game.engine import apply, decisions, new_game
from coltexpress_server.game.generator import SEED_BYTES, mix
from coltexpress_server.game.options import STANDARD

PLAYERS: Final = 4


@dataclass(frozen=True)
class Script:
    """A game that is to be played: its seed, and each move as (seat, decision id, option id)."""

    seed: bytes
    moves: list[tuple[int, str, str]]


def script(number: int) -> Script:
    """One of any number of random games."""
    chance = Random(number)
    seed = chance.randbytes(SEED_BYTES)
    state = new_game(STANDARD, [[]] * PLAYERS, mix(seed, [b""] * PLAYERS))
    moves = []
    while not state.finished:
        decision = decisions(state)[0]
        choice = chance.choice(decision.options)
        moves.append((decision.seat, decision.id, choice.text))
        apply(state, decision.seat, choice)
    return Script(seed, moves)


async def begin(client: Client, game: Script) -> list[Seat]:
    """Begin a game in which the script's moves can be made."""
    host = await client.create(PLAYERS, seed=game.seed)
    seats = [await client.join(host.game, seat=n, entropy=b"") for n in range(PLAYERS)]
    await host.start()
    return seats
