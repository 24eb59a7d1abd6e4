"""Game ids and the names of keys.

A game id is 26 characters: its bucket as two hexadecimal digits (``00`` to ``3f``), then 24 of
``a-z2-7``. The bucket is part of the id for ever and is the hash tag of all the game's keys and of
its bucket's indexes, so that one script may write them all, on a cluster too. An index member is
``<created, 14 digits>:<id>``; times are in ms since 1970.

========================================  ==========  =============================================
``coltexpress:{<bucket>}:game:<id>``      hash        version, mark, state, summary, times
``coltexpress:{<bucket>}:entries:<id>``   stream      one entry a commit, id ``<version>-0``
``coltexpress:{<bucket>}:requests:<id>``  hash        request key -> ``<version>:<digest>``
``coltexpress:{<bucket>}:code:<code>``    string      the id of the game that is found by this code
``coltexpress:{<bucket>}:due``            sorted set  score = when to attend to it, index member
``coltexpress:{<bucket>}:filed``          sorted set  score 0, ``<word>:<index member>``
``coltexpress:{<bucket>}:words``          hash        id -> the words under which the game is filed
``coltexpress:{<bucket>}:hooks:<id>``     hash        a holder's webhook, its failures; see outbox
``coltexpress:{<bucket>}:outbox``         sorted set  score = when to try next, ``<notice>:<try>``
``coltexpress:{<bucket>}:wake:<id>``      channel     a message after each change of the game
``coltexpress:news:<word>``               channel     the id of each game of that word that changes
``coltexpress:counted:<counter>``         sorted set  score = when something was done, its name
========================================  ==========  =============================================
"""

from __future__ import annotations

import base64
import re
from typing import Final, NamedTuple

BUCKETS: Final = tuple(f"{number:02x}" for number in range(64))
GAME_ID_BYTES: Final = 16

_CREATED: Final = re.compile(r"[0-9]{14}")
_GAME_ID: Final = re.compile(r"[0-3][0-9a-f][a-z2-7]{24}")
_WORD: Final = re.compile(r"[A-Za-z0-9_.]+")


class GameKeys(NamedTuple):
    """The keys that a game's scripts may touch, in the order in which the scripts take them."""

    game: str
    requests: str
    entries: str
    code: str
    due: str
    filed: str
    words: str
    hooks: str
    outbox: str


def bucket_number(game_id: str) -> int:
    """Return the number of a game's bucket. Raises ValueError where `game_id` is none."""
    return int(_bucket(game_id), 16)


def index_member(created_ms: int, game_id: str) -> str:
    """Return the index member of a game."""
    return f"{created_ms:014d}:{game_id}"


def game_of(member: str) -> str:
    """Return the id in an index member."""
    return member.partition(":")[2]


def is_index_member(text: str) -> bool:
    """Say whether `text` has the form of an index member."""
    created, _, game_id = text.partition(":")
    return _CREATED.fullmatch(created) is not None and is_game_id(game_id)


def is_game_id(text: str) -> bool:
    """Say whether `text` has the form of a game id."""
    return _GAME_ID.fullmatch(text) is not None


def game_id_from(digest: bytes) -> str:
    """Make a game id of the first 16 bytes of a digest or of random bytes.

    Raises ValueError where `digest` is shorter.
    """
    if len(digest) < GAME_ID_BYTES:
        raise ValueError(f"a game id is made of {GAME_ID_BYTES} bytes, got {len(digest)}")
    bucket = BUCKETS[digest[0] % len(BUCKETS)]
    return bucket + base64.b32encode(digest[1:GAME_ID_BYTES]).decode("ascii").lower()


def game_keys(game_id: str, code: str = "") -> GameKeys:
    """Name the keys of a game; `code`: by which it is found, where a script is to know that.

    Raises ValueError where `game_id` is none.
    """
    bucket = _bucket(game_id)
    return GameKeys(
        game=f"coltexpress:{{{bucket}}}:game:{game_id}",
        requests=f"coltexpress:{{{bucket}}}:requests:{game_id}",
        entries=f"coltexpress:{{{bucket}}}:entries:{game_id}",
        code=code_key(bucket, code),
        due=due_key(bucket),
        filed=filed_key(bucket),
        words=f"coltexpress:{{{bucket}}}:words",
        hooks=f"coltexpress:{{{bucket}}}:hooks:{game_id}",
        outbox=outbox_key(bucket),
    )


def wake_channel(game_id: str) -> str:
    """Name the channel on which a game's changes are announced."""
    return f"coltexpress:{{{_bucket(game_id)}}}:wake:{game_id}"


def code_key(bucket: str, code: str) -> str:
    """Name the key under which a game of this bucket is found by a code."""
    return f"coltexpress:{{{bucket}}}:code:{code}"


def due_key(bucket: str) -> str:
    """Name a bucket's index of games that need attention at a given time."""
    return f"coltexpress:{{{bucket}}}:due"


def filed_key(bucket: str) -> str:
    """Name a bucket's index of games by the words under which they are filed."""
    return f"coltexpress:{{{bucket}}}:filed"


def outbox_key(bucket: str) -> str:
    """Name a bucket's outbox of notices that are still to be delivered."""
    return f"coltexpress:{{{bucket}}}:outbox"


def is_word(text: str) -> bool:
    """Say whether games can be filed under `text`."""
    return _WORD.fullmatch(text) is not None


def news_channel(word: str) -> str:
    """Name the channel on which changes of the games filed under a word are announced."""
    return f"coltexpress:news:{word}"


def counted_key(counter: str) -> str:
    """Name the key under which things are counted against a limit."""
    return f"coltexpress:counted:{counter}"


def _bucket(game_id: str) -> str:
    if not is_game_id(game_id):
        # The text is not repeated: it may be anything that a client sent.
        raise ValueError("not a game id: want two hexadecimal digits 00-3f and 24 of a-z2-7")
    return game_id[:2]
