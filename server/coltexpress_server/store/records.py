"""What goes into the store and what comes out: ids, numbers and bytes, nothing of the game."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from coltexpress_server.store.keys import index_member


class Cursor(NamedTuple):
    """A point in a game's history: a version and the mark of the commit that made it.

    A version alone is not enough: after a failover that lost commits, other commits may take the
    same numbers. They have other marks.
    """

    version: int
    mark: str


BEGINNING = Cursor(0, "")
"""The point before a game's first commit."""


class Record(msgspec.Struct, frozen=True):
    """A value that shows the size of its bytes, never their content, when printed or logged."""

    def __repr__(self) -> str:
        shown = []
        for field in self.__struct_fields__:
            value = getattr(self, field)
            text = f"<{len(value)} bytes>" if isinstance(value, bytes) else repr(value)
            shown.append(f"{field}={text}")
        return f"{type(self).__name__}({', '.join(shown)})"


class Entry(Record, frozen=True):
    """One commit in a game's history.

    `payload` is what the commit put there; `time_ms` the server's clock at the commit, in ms since
    1970. `previous` is the mark of the commit before (empty for the first), which chains the
    entries. Watchers of one game are handed the same objects, and `mark` is unique: what is made
    of an entry can be kept under it.
    """

    version: int
    mark: str
    previous: str
    time_ms: int
    payload: bytes

    @property
    def cursor(self) -> Cursor:
        """The point in history right after this commit."""
        return Cursor(self.version, self.mark)

    @property
    def before(self) -> Cursor:
        """The point in history right before this commit."""
        return Cursor(self.version - 1, self.previous)


class Stored(Record, frozen=True):
    """A game as the store holds it; when it was created and last changed, by the server's clock."""

    cursor: Cursor
    state: bytes
    summary: bytes
    created_ms: int
    updated_ms: int


class Repeated(Record, frozen=True):
    """The request was committed before: `entry` is that commit, `digest` that request's digest."""

    digest: bytes
    entry: Entry


class Loaded(Record, frozen=True):
    """The answer to a load.

    `stored` is None where the store still has what the caller said to know. `repeated` tells of an
    earlier commit of the request the caller asked about. `time_ms` is the server's clock.
    """

    cursor: Cursor
    stored: Stored | None
    repeated: Repeated | None
    time_ms: int


class Missing(Record, frozen=True):
    """There is no such game.

    `digest` is set where the request asked about was once carried out on a game that has since been
    deleted (it may be the one that deleted it).
    """

    digest: bytes | None


class Notice(NamedTuple):
    """Something to be told once to the holder of a seat.

    `holder` and `event` are made of letters, digits, dots and underscores.
    """

    game_id: str
    holder: str
    event: str


class Commit(Record, frozen=True, kw_only=True):
    """One change of one game, to be applied as a whole or not at all.

    `expected`: the point in history it follows; BEGINNING creates the game, which must not exist.
    `mark`: 16 hexadecimal digits, new and random for each commit (`new_mark`).
    `state`, `summary`: what the game becomes; the summary is what lists show.
    `payload`: what goes into the game's history.
    `request_key`, `request_digest`: remembered for the life of the game, so that the same request
    is carried out once; the key is a keyed hash already, empty where no request stands behind.
    `ttl_ms`: the game expires that long after its last commit.
    `code`: by which the game is found in its bucket for as long as it lives; the same in all its
    commits. The commit that creates the game is refused where another game has it.
    `filed`: words (of letters, digits, "." and "_") under which it can be found.
    `told`: those of these words whose listeners hear of this change; who listens to one that the
    game is no longer filed under hears of that anyway.
    `notices`: what to tell holders by their webhooks, where they have one (see outbox.py).
    `notice_delay_ms`: after how long others than whoever commits may try to deliver them.
    `due_ms`: when the game needs attention next (server's clock), or None.
    `due_in_ms`: after how long it needs attention, from this commit on, or None; the earlier of the
    two counts.
    `not_after`, `not_before`: refuse the commit past, or before, that time (server's clock).
    """

    game_id: str
    expected: Cursor
    mark: str
    state: bytes
    summary: bytes
    payload: bytes
    ttl_ms: int
    code: str
    filed: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    notice_delay_ms: int = 0
    request_key: bytes = b""
    request_digest: bytes = b""
    due_ms: int | None = None
    due_in_ms: int | None = None
    not_after: int | None = None
    not_before: int | None = None


class Committed(Record, frozen=True):
    """The commit was applied, now or by an earlier try of the same commit.

    `notices`: those that now wait in the outbox; none where an earlier try has put them there.
    """

    cursor: Cursor
    time_ms: int
    notices: tuple[Notice, ...] = ()


class Conflict(Record, frozen=True):
    """Refused: the game is not at the expected point. `stored` is what it is."""

    stored: Stored


class Late(Record, frozen=True):
    """Refused: the server's clock is past the commit's `not_after`."""

    time_ms: int


class Early(Record, frozen=True):
    """Refused: the server's clock has not reached the commit's `not_before`."""

    time_ms: int


class Taken(Record, frozen=True):
    """Refused: another game is found by the code that the new game was to have."""


class Deleted(Record, frozen=True):
    """The game was deleted."""


class History(Record, frozen=True):
    """A stretch of a game's history, and the point at which the game was when it was read."""

    cursor: Cursor
    entries: tuple[Entry, ...]

    @property
    def start(self) -> Cursor:
        """The point before the stretch."""
        return self.entries[0].before if self.entries else self.cursor

    @property
    def is_complete(self) -> bool:
        """Whether the stretch reaches up to where the game was."""
        return not self.entries or self.entries[-1].cursor == self.cursor


class Exported(Record, frozen=True):
    """All that is stored of a game: its fields, the memory of its requests, its history.

    `ttl_ms`: how long it had to live, from when it was read.
    """

    fields: dict[str, bytes]
    requests: dict[bytes, bytes]
    entries: tuple[Entry, ...]
    ttl_ms: int

    @property
    def stored(self) -> Stored:
        """The game as it was."""
        game = self.fields
        return Stored(
            Cursor(int(game["version"]), game["mark"].decode()),
            game["state"],
            game["summary"],
            int(game["created"]),
            int(game["updated"]),
        )


class Exists(Record, frozen=True):
    """Refused: there is a game of this id; where it is."""

    cursor: Cursor


class Imported(Record, frozen=True):
    """The game was put there."""


class Upkeep(Record, frozen=True):
    """When a game expires, and when it is due for attention, by the server's clock in ms."""

    expires_ms: int
    due_ms: int


class Listed(Record, frozen=True):
    """A game in a list."""

    game_id: str
    version: int
    summary: bytes
    created_ms: int
    updated_ms: int

    @property
    def position(self) -> str:
        """Where a list goes on behind this game."""
        return index_member(self.created_ms, self.game_id)


class Page(Record, frozen=True):
    """A part of a list, newest games first; `next` is where to go on, None at the end."""

    games: tuple[Listed, ...]
    next: str | None


class Due(Record, frozen=True):
    """Games that need attention.

    Attributes:
        game_ids: those that are overdue, the most overdue first.
        next_ms: when the next one may need attention; None if there is none.
        time_ms: the server's clock.
    """

    game_ids: tuple[str, ...]
    next_ms: int | None
    time_ms: int
