"""How join codes are written: short enough to be read out to a friend.

A code is derived from its game's id with the service's key (see Keys), so that any replica can show
it again; the store holds a hash of it. It names its game's bucket, in which no two games have the
same code. Of the 31 ** 6 codes, 887 million, few are good at a time, and a principal may try only
so many a minute.
"""

from __future__ import annotations

from typing import Final

from coltexpress_server.store import BUCKETS

LENGTH: Final = 6

# Without 0, O, 1, I and L, which are taken for each other.
ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
_PER_BUCKET: Final = len(ALPHABET) ** LENGTH // len(BUCKETS)
_BETWEEN: Final = str.maketrans("", "", " -")


def code_in(bucket: int, chance: int) -> str:
    """A code of a bucket, by its number; chance: a large random number."""
    number = chance % _PER_BUCKET * len(BUCKETS) + bucket
    letters = []
    for _ in range(LENGTH):
        number, letter = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[letter])
    return "".join(letters)


def bucket_of(code: str) -> int:
    """The number of the bucket that a code names."""
    number = 0
    for letter in reversed(code):
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    return number % len(BUCKETS)


def read_code(text: str) -> str | None:
    """A code as people type it: in any case, with spaces or dashes; None for what is no code."""
    code = text.upper().translate(_BETWEEN)
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else None
