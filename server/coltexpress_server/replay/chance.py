"""Chance as docs/FAIRNESS.md specifies it, written from that text and from nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from typing import TypeVar

T = TypeVar("T")


def mixed(seed: bytes, entropies: list[bytes]) -> bytes:
    """The seed that the game is played with: the server's and what each seat brought."""
    parts = [b"coltexpress/1", seed]
    for entropy in entropies:
        parts += [len(entropy).to_bytes(1, "big"), entropy]
    return sha256(b"".join(parts)).digest()


class Chance:
    """The stream of bytes that a seed stands for, and what is made of it.

    shuffles, draws: how often each was asked for, for the record.
    """

    def __init__(self, seed: bytes) -> None:
        self._bytes = _stream(seed)
        self.shuffles = 0
        self.draws = 0

    def below(self, n: int) -> int:
        """A number from 0 to n - 1; n from 1 to 256."""
        if n == 1:
            return 0
        whole = 256 // n * n
        return next(byte for byte in self._bytes if byte < whole) % n

    def shuffled(self, items: list[T]) -> list[T]:
        """The items in random order."""
        self.shuffles += 1
        order = list(items)
        for place in reversed(range(1, len(order))):
            other = self.below(place + 1)
            order[place], order[other] = order[other], order[place]
        return order

    def drawn(self, items: list[T]) -> T:
        """One of the items; their order matters."""
        self.draws += len(items) > 1
        return items[self.below(len(items))]


def _stream(seed: bytes) -> Iterator[int]:
    for number in count():
        yield from sha256(seed + number.to_bytes(8, "big")).digest()
