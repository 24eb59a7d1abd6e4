"""Games for tests to play: the same seed, the same game."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from random import Random

from coltexpress import Client, Commit, Game, Host, Seat, play, random_bot

PLAYERS = 3


@dataclass
class Table:
    host: Host
    seats: list[Seat]

    @property
    def game(self) -> str:
        return self.host.game


async def seated(client: Client, players: int = PLAYERS, seed: int = 1) -> Table:
    """A game that has not begun, all seats taken."""
    host = await client.create(players, seed=Random(seed).randbytes(32))
    return Table(host, [await take(client, host, number) for number in range(players)])


async def take(client: Client, host: Host, number: int) -> Seat:
    return await client.join(
        host.game, seat=number, display_name=f"Player {number}", entropy=bytes([number])
    )


async def begun(client: Client, players: int = PLAYERS, seed: int = 1) -> Table:
    """A game in which the first decision is open."""
    table = await seated(client, players, seed)
    await table.host.start()
    return table


async def play_out(*seats: Seat) -> None:
    """Random bots play these seats to the end of the game."""
    await asyncio.gather(*(play(seat, random_bot(Random(seat.number))) for seat in seats))


async def watched(client: Client, game: str) -> list[Game | Commit]:
    """All that a spectator is shown until the game is over."""
    return [step async for step in client.watch(game)]


def versions(steps: list[Game | Commit]) -> list[int]:
    return [step.version for step in steps]


def contiguous(steps: list[Game | Commit]) -> bool:
    """Whether the steps are a game and then every commit once."""
    first = steps[0].version
    return isinstance(steps[0], Game) and versions(steps) == list(range(first, first + len(steps)))
