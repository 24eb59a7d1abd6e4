"""The only source of chance: SHA-256 in counter mode, specified so that anybody can check a game.

Block i is SHA-256(seed || i as 8 bytes, big-endian); the blocks joined are the byte stream, read
once from the start. `below(n)` for n <= 256 takes one byte at a time until one is under the
greatest multiple of n that fits in 256, and returns it modulo n. `shuffle` is Fisher-Yates from
the last place down. A choice among one takes no byte.
"""

from __future__ import annotations

import hashlib
from typing import TypeVar

from coltexpress_server.game.loot import Token, by_value

T = TypeVar("T")

SEED_BYTES = 32
_BLOCK = 32
_LARGEST = 256


class Generator:
    """A position in the byte stream of one seed."""

    __slots__ = ("_block", "_start", "position", "seed")

    def __init__(self, seed: bytes, position: int) -> None:
        """Starts at a byte position >= 0; seed: 32 bytes. Raises ValueError for other lengths."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self.seed = seed
        self.position = position
        self._block = b""
        self._start = position

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely; 1 <= n <= 256."""
        if n == 1:
            return 0
        limit = 256 - 256 % n
        while True:
            value = self._read()
            if value < limit:
                return value % n

    def shuffle(self, items: list[T]) -> None:
        """Puts the items, at most 256, in random order, in place."""
        if len(items) > _LARGEST:
            raise ValueError(f"{len(items)} items are too many to shuffle")
        # `below` for each place, written out: every deal shuffles every deck.
        place = self.position - self._start
        block = self._block
        for n in range(len(items), 1, -1):
            limit = 256 - 256 % n
            while True:
                if place >= len(block):
                    self.position = self._start + place
                    place = self._turn_to_block()
                    block = self._block
                value = block[place]
                place += 1
                if value < limit:
                    break
            other = value % n
            items[n - 1], items[other] = items[other], items[n - 1]
        self.position = self._start + place

    def sample(self, items: list[T], count: int) -> list[T]:
        """The first `count` of the items shuffled; the list given stays as it is."""
        shuffled = list(items)
        self.shuffle(shuffled)
        return shuffled[:count]

    def draw(self, tokens: list[Token]) -> Token:
        """One of these tokens, drawn blind: put in the order of `by_value`, then `below`."""
        if len(tokens) == 1:
            return tokens[0]
        return sorted(tokens, key=by_value)[self.below(len(tokens))]

    def _read(self) -> int:
        """The next byte of the stream."""
        place = self.position - self._start
        if place >= len(self._block):
            place = self._turn_to_block()
        self.position += 1
        return self._block[place]

    def _turn_to_block(self) -> int:
        """Makes the block that holds the position; returns the position within it."""
        number = self.position // _BLOCK
        self._block = hashlib.sha256(self.seed + number.to_bytes(8, "big")).digest()
        self._start = number * _BLOCK
        return self.position - self._start


def mix(seed: bytes, entropies: list[bytes]) -> bytes:
    """The seed a game is played with: the server's, mixed with what each seat brought.

    SHA-256 over b"coltexpress/1" || seed || for each seat: length as one byte || bytes.
    seed: 32 bytes; entropies: one of at most 255 bytes a seat, empty for a seat that gave none.
    """
    digest = hashlib.sha256(b"coltexpress/1" + seed)
    for entropy in entropies:
        digest.update(bytes([len(entropy)]) + entropy)
    return digest.digest()
