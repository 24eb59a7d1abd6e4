"""The games of all processes."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from coltexpress_server.store import scripts
from coltexpress_server.store.errors import StoreError
from coltexpress_server.store.feed import Feeds, Watcher
from coltexpress_server.store.keys import (
    BUCKETS,
    GAME_ID_BYTES,
    bucket_number,
    code_key,
    counted_key,
    due_key,
    filed_key,
    game_id_from,
    game_keys,
    game_of,
    index_member,
    is_index_member,
    is_word,
    news_channel,
    wake_channel,
)
from coltexpress_server.store.link import Link, Observe
from coltexpress_server.store.news import Listener, News
from coltexpress_server.store.outbox import Outbox
from coltexpress_server.store.pipe import Command
from coltexpress_server.store.records import (
    BEGINNING,
    Commit,
    Committed,
    Conflict,
    Cursor,
    Deleted,
    Due,
    Early,
    Entry,
    Exists,
    Exported,
    History,
    Imported,
    Late,
    Listed,
    Loaded,
    Missing,
    Notice,
    Page,
    Repeated,
    Stored,
    Taken,
    Upkeep,
)
from coltexpress_server.store.server import ServerInfo, examine
from coltexpress_server.store.wakeups import Wakeups

_HISTORY_PAGE: Final = 100
_TRIAL_MS: Final = 10_000


def new_mark() -> str:
    """Make the mark of a new commit: 16 random hexadecimal digits."""
    return secrets.token_hex(8)


class Store:
    """All games, and the one way to change them.

    Every method that talks to the server raises StoreUnavailable where it does not answer in time,
    StoreUnfit where it refuses this user, StoreDamaged where a key holds what this program has not
    written, and ValueError where a game id has not the form of one.
    """

    def __init__(
        self,
        url: str,
        *,
        timeout: float = 1.0,
        poll_interval: float = 5.0,
        watch_buffer: int = 256,
        observe: Observe = lambda call, seconds, error: None,
    ) -> None:
        """Prepare a store at a URL (its forms are in url.FORMS); the first call connects.

        `timeout` (s) limits each call as a whole. `poll_interval` (s) is how often watched games
        are looked at without a wake-up. `watch_buffer` is how many entries of a game a watcher may
        lag behind. `observe` hears of each call to the server (see Link).

        Raises StoreUnfit where the URL is not valid.
        """
        self._link: Final = Link(url, timeout=timeout, observe=observe)
        self._wakeups: Final = Wakeups(self._link, ping_interval=poll_interval)
        self._feeds: Final = Feeds(
            self._link,
            self._wakeups,
            self.entries,
            poll_interval=poll_interval,
            buffer=watch_buffer,
        )
        self._news: Final = News(self._wakeups)
        self.outbox: Final = Outbox(self._link)

    async def close(self) -> None:
        """End all watchers with WatchClosed, then close all connections."""
        self._news.end()
        await self._feeds.close()
        await self._wakeups.close()
        await self._link.close()

    # One game

    async def load(
        self, game_id: str, *, known: Cursor | None = None, request_key: bytes = b""
    ) -> Loaded | Missing:
        """Read a game, in one trip.

        The state is left out where the game still is at `known`. With a `request_key` the answer
        also tells whether that request was committed before, and as what.
        """
        keys = game_keys(game_id)
        version, mark = known or ("", "")
        reply = await self._link.run(
            scripts.LOAD, (keys.game, keys.requests, keys.entries), version, mark, request_key
        )
        match reply:
            case [b"missing", digest]:
                return Missing(digest)
            case [b"same" | b"loaded", now, version, mark, digest, entry, *content]:
                cursor = Cursor(version, mark.decode())
                return Loaded(
                    cursor=cursor,
                    stored=_stored(cursor, content) if content else None,
                    repeated=Repeated(digest, _entry(*entry)) if entry else None,
                    time_ms=now,
                )
        raise _unexpected(scripts.LOAD)

    async def commit(
        self, commit: Commit
    ) -> Committed | Repeated | Conflict | Missing | Late | Early | Taken:
        """Apply a commit as a whole or not at all, in one trip.

        What decides, in this order: a request key seen before (Repeated, or Missing where the game
        has been deleted since); the game's point in history (Conflict, Missing); the server's
        clock (Late, Early); whether a new game's code is free (Taken). A commit whose answer was
        lost may be sent again as it is: it is applied once and Committed both times.
        """
        keys = game_keys(commit.game_id, commit.code)
        reply = await self._link.run(
            scripts.COMMIT,
            keys,
            commit.game_id,
            commit.expected.version,
            commit.expected.mark,
            commit.mark,
            commit.state,
            commit.summary,
            commit.payload,
            commit.request_key,
            commit.request_digest,
            commit.ttl_ms,
            _optional(commit.due_ms),
            _optional(commit.due_in_ms),
            _optional(commit.not_after),
            _optional(commit.not_before),
            wake_channel(commit.game_id),
            " ".join(commit.filed),
            " ".join(commit.told),
            news_channel(""),
            " ".join(f"{notice.holder} {notice.event}" for notice in commit.notices),
            commit.notice_delay_ms,
        )
        match reply:
            case [b"committed", version, mark, now, notices]:
                wanted = tuple(
                    Notice(commit.game_id, *notice.decode().split(":")) for notice in notices
                )
                return Committed(Cursor(version, mark.decode()), now, wanted)
            case [b"repeated", digest, version, fields]:
                return Repeated(digest, _entry(version, fields))
            case [b"conflict", version, mark, *content]:
                return Conflict(_stored(Cursor(version, mark.decode()), content))
            case [b"missing", digest]:
                return Missing(digest)
            case [b"late", now]:
                return Late(now)
            case [b"early", now]:
                return Early(now)
            case [b"taken"]:
                return Taken()
        raise _unexpected(scripts.COMMIT)

    async def delete(
        self,
        game_id: str,
        *,
        code: str,
        expected: Cursor | None = None,
        request_key: bytes = b"",
        request_digest: bytes = b"",
        memory_ms: int = 3_600_000,
    ) -> Deleted | Conflict | Missing:
        """Delete a game, if it is at `expected` where that is given; its watchers end.

        `code` is the one of the game's commits.

        The game's requests, this one among them, are remembered for `memory_ms` longer: sent again,
        they get Missing with the digest they had.
        """
        keys = game_keys(game_id, code)
        version, mark = expected or ("", "")
        reply = await self._link.run(
            scripts.DELETE,
            keys,
            game_id,
            version,
            mark,
            request_key,
            request_digest,
            memory_ms,
            wake_channel(game_id),
            news_channel(""),
        )
        match reply:
            case [b"deleted"]:
                return Deleted()
            case [b"missing", digest]:
                return Missing(digest)
            case [b"conflict", version, mark, *content]:
                return Conflict(_stored(Cursor(version, mark.decode()), content))
        raise _unexpected(scripts.DELETE)

    async def entries(
        self, game_id: str, after: int = 0, limit: int = _HISTORY_PAGE
    ) -> History | Missing:
        """Read up to `limit` entries of a game's history, those after version `after`, in order."""
        keys = game_keys(game_id)
        reply = await self._link.run(scripts.ENTRIES, (keys.game, keys.entries), after + 1, limit)
        match reply:
            case [b"history", version, mark, entries]:
                return History(
                    Cursor(version, mark.decode()),
                    tuple(_entry(entry_id, fields) for entry_id, fields in entries),
                )
            case [b"missing", _]:
                return Missing(None)
        raise _unexpected(scripts.ENTRIES)

    def watch(self, game_id: str, after: Cursor) -> AbstractContextManager[Watcher]:
        """Watch a game's history from a point in it on.

            with store.watch(game_id, cursor) as watcher:
                async for entry in watcher:
                    ...

        See Watcher for how this ends. Raises ValueError where `game_id` is none.
        """
        return self._feeds.watch(game_id, after)

    def end_watches(self) -> None:
        """End all watchers with WatchClosed, and every later one too: this process is leaving."""
        self._feeds.end()
        self._news.end()

    @contextmanager
    def listen(self, word: str) -> Iterator[Listener]:
        """Listen for changes of the games filed under a word."""
        listener = self._news.listen(word)
        try:
            yield listener
        finally:
            self._news.leave(word, listener)

    # Many games

    async def find(self, bucket: int, code: str) -> str | None:
        """Find the id of the game of a bucket, by its number, that is found by this code."""
        (found,) = await self._link.batch([("GET", code_key(BUCKETS[bucket], code))])
        return found.decode() if found is not None else None

    async def list_games(
        self, words: Sequence[str], page_size: int, after: str | None = None
    ) -> Page:
        """Read a page of the games filed under some words, newest first.

        `after`: the page before's `next`. Games that come or go between pages make no other game
        appear twice or be left out; nor do games that change from a word to one further behind.
        Raises ValueError where `after` is no such position, or games cannot be filed under a word.
        """
        if after is not None and not is_index_member(after):
            raise ValueError("not a position in the list of games")
        games: list[Listed] = []
        while len(games) < page_size:
            members = await self._filed_after(words, after, page_size - len(games))
            if not members:
                return Page(tuple(games), None)
            after = members[-1]
            found = await self._of_games(
                members, "HMGET", "version", "summary", "created", "updated"
            )
            for member, (version, summary, created, updated) in zip(members, found, strict=True):
                if version is None:
                    await self._forget(member)
                else:
                    game_id = game_of(member)
                    games.append(Listed(game_id, int(version), summary, int(created), int(updated)))
        return Page(tuple(games), after)

    async def due_games(self, limit: int = 100) -> Due:
        """Find up to `limit` overdue games of all buckets; forget those that have expired.

        To be called now and then even if no game ever has a deadline, since this is what keeps the
        indexes from growing for ever. Games that only wait cost nothing, however many there are.
        """
        clock, *firsts = await self._link.batch([("TIME",), *_due_in(BUCKETS, 1)])
        now = int(clock[0]) * 1000 + int(clock[1]) // 1000
        found = dict(zip(BUCKETS, firsts, strict=True))
        behind = [bucket for bucket, reply in found.items() if reply and int(reply[1]) <= now]
        if behind:
            replies = await self._link.batch(_due_in(behind, limit + 1))
            found |= zip(behind, replies, strict=True)
        waiting = sorted(
            (int(score), member.decode())
            for reply in found.values()
            for member, score in zip(reply[::2], reply[1::2], strict=True)
        )
        overdue = [member for score, member in waiting if score <= now][:limit]
        later = (score for score, _ in waiting if score > now)
        game_ids = []
        for member, exists in zip(overdue, await self._of_games(overdue, "EXISTS"), strict=True):
            if exists:
                game_ids.append(game_of(member))
            else:
                await self._forget(member)
        return Due(tuple(game_ids), min(later, default=None), now)

    async def filed_games(self, word: str) -> dict[str, Cursor]:
        """Find all games filed under a word, and where each is; forget those that have expired.

        Raises ValueError where games cannot be filed under `word`.
        """
        span = _span(word)
        replies = await self._link.batch(
            [("ZRANGEBYLEX", filed_key(bucket), *span) for bucket in BUCKETS]
        )
        members = [found.decode().partition(":")[2] for reply in replies for found in reply]
        places = await self._of_games(members, "HMGET", "version", "mark")
        games = {}
        for member, (version, mark) in zip(members, places, strict=True):
            if version is None:
                await self._forget(member)
            else:
                games[game_of(member)] = Cursor(int(version), mark.decode())
        return games

    async def count_filed(self, words: Sequence[str]) -> list[int]:
        """Count the games filed under each of some words; some of them may have expired since."""
        counts = await self._link.batch(
            [("ZLEXCOUNT", filed_key(bucket), *_span(word)) for word in words for bucket in BUCKETS]
        )
        share = len(BUCKETS)
        return [sum(counts[place * share : (place + 1) * share]) for place in range(len(words))]

    async def _filed_after(self, words: Sequence[str], after: str | None, limit: int) -> list[str]:
        """Find the `limit` newest games filed under some words, of those behind `after`.

        What is returned are their index members.
        """
        # The newest are spread over the buckets, so each is asked for a few, and for more only
        # where all of these few turn out to be among the newest. A game that changes words while
        # they are read is found once or twice, never not at all: the later word is read later.
        share = min(limit, 2 * limit // len(BUCKETS) + 4)
        found: set[str] = set()
        newest: list[str] = []
        ends: dict[tuple[str, str, str], str] = {}
        for word in words:
            start, end = _span(word)
            ends |= {
                (bucket, word, start): end if after is None else f"({word}:{after}"
                for bucket in BUCKETS
            }
        while ends:
            replies = await self._link.batch(
                [
                    ("ZREVRANGEBYLEX", filed_key(bucket), end, start, "LIMIT", 0, share)
                    for (bucket, _, start), end in ends.items()
                ]
            )
            last_of = {}
            for place, reply in zip(ends, replies, strict=True):
                members = [member.decode().partition(":")[2] for member in reply]
                found.update(members)
                if len(members) == share:
                    last_of[place] = members[-1]
            newest = sorted(found, reverse=True)[:limit]
            ends = {
                (bucket, word, start): f"({word}:{last}"
                for (bucket, word, start), last in last_of.items()
                if len(newest) < limit or last > newest[-1]
            }
        return newest

    async def _of_games(self, members: list[str], command: str, *rest: str) -> list[Any]:
        """Run a command on the game of each index member."""
        return await self._link.batch(
            [(command, game_keys(game_of(member)).game, *rest) for member in members]
        )

    async def _forget(self, member: str) -> None:
        """Take a game that has expired out of the indexes."""
        keys = game_keys(game_of(member))
        await self._link.run(
            scripts.FORGET,
            (keys.game, keys.due, keys.filed, keys.words),
            member,
            game_of(member),
            news_channel(""),
        )

    # Moving and looking after games

    async def export(self, game_id: str) -> Exported | Missing:
        """Read all that is stored of a game, at one moment."""
        keys = game_keys(game_id)
        reply = await self._link.run(scripts.EXPORT, (keys.game, keys.requests, keys.entries))
        match reply:
            case [[], _, _, _]:
                return Missing(None)
            case [fields, requests, entries, ttl_ms]:
                return Exported(
                    {
                        name.decode(): value
                        for name, value in zip(fields[::2], fields[1::2], strict=True)
                    },
                    dict(zip(requests[::2], requests[1::2], strict=True)),
                    tuple(_entry(entry_id, each) for entry_id, each in entries),
                    ttl_ms,
                )
        raise _unexpected(scripts.EXPORT)

    async def put(
        self, game_id: str, exported: Exported, *, code: str, filed: Sequence[str]
    ) -> Imported | Exists | Taken:
        """Put a game there as it was exported, if there is none of this id and its code is free.

        `code`, `filed`: see Commit.
        """
        fields = [part for pair in exported.fields.items() for part in pair]
        requests = [part for pair in exported.requests.items() for part in pair]
        entries = [
            part
            for entry in exported.entries
            for part in (
                f"{entry.version}-0",
                entry.mark,
                entry.previous,
                entry.time_ms,
                entry.payload,
            )
        ]
        reply = await self._link.run(
            scripts.IMPORT,
            game_keys(game_id, code),
            game_id,
            " ".join(filed),
            exported.ttl_ms,
            len(fields),
            len(exported.requests),
            len(exported.entries),
            *fields,
            *requests,
            *entries,
        )
        match reply:
            case [b"imported"]:
                return Imported()
            case [b"exists", version, mark]:
                return Exists(Cursor(version, mark.decode()))
            case [b"taken"]:
                return Taken()
        raise _unexpected(scripts.IMPORT)

    async def postpone(self, game_id: str, created_ms: int, at: Cursor, due_ms: int | None) -> None:
        """Say that a game which is still `at` this point needs attention at `due_ms`, if ever.

        For one that was found overdue and is not: imported, or committed under other settings.
        """
        keys = game_keys(game_id)
        await self._link.run(
            scripts.POSTPONE,
            (keys.game, keys.due),
            index_member(created_ms, game_id),
            at.version,
            at.mark,
            _optional(due_ms),
        )

    async def upkeep(self, game_id: str, created_ms: int) -> Upkeep:
        """Find when a game expires, and when it is due for attention."""
        key, member = game_keys(game_id).game, index_member(created_ms, game_id)
        (seconds, micros), ttl_ms, due_ms = await self._link.batch(
            [("TIME",), ("PTTL", key), ("ZSCORE", due_key(game_id[:2]), member)]
        )
        now = int(seconds) * 1000 + int(micros) // 1000
        return Upkeep(now + max(ttl_ms, 0), int(float(due_ms)) if due_ms is not None else now)

    # Limits

    async def count(self, counter: str, thing: str, *, most: int, window_ms: int) -> int:
        """Count a thing, unless that makes more than `most` of them within the last `window_ms`.

        Return 0 where it is counted, now or already, else in how many ms there will be room.
        """
        reply = await self._link.run(scripts.COUNT, (counted_key(counter),), thing, most, window_ms)
        if not isinstance(reply, int):
            raise _unexpected(scripts.COUNT)
        return reply

    # The server

    async def ping(self) -> None:
        """Return if the server answers."""
        await self._link.batch([("PING",)])

    async def check_server(self) -> ServerInfo:
        """Make sure, before the first game, that the server will do.

        Besides looking at its settings (see examine), this makes a game, reads and deletes it: a
        user who may not run one of the commands is found out now, not in the middle of a commit.

        Raises:
            StoreUnfit: it will not do; the message says what to change.
        """
        info, *_ = [
            examine(reply, in_cluster=self._link.leads_to_cluster)
            for reply in await self._link.ask_all("INFO")
        ]
        game_id = game_id_from(secrets.token_bytes(GAME_ID_BYTES))
        trial = Commit(
            game_id=game_id,
            expected=BEGINNING,
            mark=new_mark(),
            state=b"trial",
            summary=b"trial",
            payload=b"trial",
            ttl_ms=_TRIAL_MS,
            code=game_id,
            request_key=b"trial",
        )
        await self.commit(trial)
        await self.outbox.set_hook(
            game_id, "trial", b"trial", request_key=b"trial", request_digest=b""
        )
        await self.load(game_id)
        await self.find(bucket_number(game_id), game_id)
        await self.delete(game_id, code=game_id, memory_ms=1)
        await self.count(game_id, "trial", most=1, window_ms=1)
        return info


def _stored(cursor: Cursor, content: list[bytes]) -> Stored:
    """Make the answer of a script's fields state, summary, created, updated."""
    state, summary, created, updated = content
    return Stored(cursor, state, summary, int(created), int(updated))


def _entry(entry_id: bytes, fields: list[bytes]) -> Entry:
    """Read a stream entry: its id `<version>-0` (or the version alone) and its fields in order."""
    _, mark, _, previous, _, time_ms, _, payload = fields
    return Entry(
        version=int(entry_id.partition(b"-")[0]),
        mark=mark.decode(),
        previous=previous.decode(),
        time_ms=int(time_ms),
        payload=payload,
    )


def _span(word: str) -> tuple[str, str]:
    """Bound the members of an index that begin with a word."""
    if not is_word(word):
        raise ValueError("games are filed under letters, digits, dots and underscores")
    return f"[{word}:", f"({word};"  # the character after the colon


def _due_in(buckets: Sequence[str], limit: int) -> list[Command]:
    """Commands that find the first games of each bucket to need attention, with their times."""
    span = ("-inf", "+inf", "WITHSCORES", "LIMIT", 0, limit)
    return [("ZRANGEBYSCORE", due_key(bucket), *span) for bucket in buckets]


def _optional(number: int | None) -> str | int:
    return "" if number is None else number


def _unexpected(script: scripts.Script) -> StoreError:
    return StoreError(f"the script {script.sha} gave an answer of unknown form")
