"""What all use cases share: how a game is read and how it is changed.

A game is changed by loading it, applying the change to a copy, and committing that if nobody was
faster. A game kept from an earlier call is only a hint: with luck one trip to the store is enough,
but a refusal is always computed from what the store confirmed in this very call.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.generator import SEED_BYTES
from coltexpress_server.metrics import Metrics
from coltexpress_server.service.decision_ids import opener
from coltexpress_server.service.due import due_after, wind
from coltexpress_server.service.filing import filing
from coltexpress_server.service.keys import Keys
from coltexpress_server.service.notices import notices
from coltexpress_server.service.records import (
    FINISHED,
    LOBBY,
    GameRecord,
    PastStep,
    Step,
    StoredGame,
    decode_record,
    decode_step,
    encode_record,
    encode_step,
    encode_summary,
)
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import not_found
from coltexpress_server.store import (
    BEGINNING,
    Commit,
    Committed,
    Conflict,
    Early,
    Entry,
    Late,
    Loaded,
    Missing,
    Notice,
    Repeated,
    Store,
    Stored,
    Taken,
    Waiting,
    new_mark,
)

_ATTEMPTS: Final = 20
_STEPS_KEPT: Final = 1000
_DELIVERABLE: Final = 1000
_CODES_TRIED: Final = 8


class GameSettings(Protocol):
    """What the use cases ask of the settings."""

    @property
    def service_key(self) -> bytes:
        """The service's key, 32 secret bytes."""

    @property
    def allow_fixed_seed(self) -> bool:
        """Whether creating a game may fix its seed."""

    @property
    def fixed_seed(self) -> bytes:
        """The seed of every game for which none is given; empty for random ones."""

    @property
    def lobby_ttl_s(self) -> float:
        """Seconds that a game in the lobby lives after its last change."""

    @property
    def running_ttl_s(self) -> float:
        """Seconds that a running game lives after its last change."""

    @property
    def finished_ttl_s(self) -> float:
        """Seconds that a finished game lives."""

    @property
    def watch_token_ttl_s(self) -> float:
        """Seconds that a watch token is good for."""

    @property
    def longest_wait_s(self) -> float:
        """Seconds that a long poll may take."""

    @property
    def heartbeat_s(self) -> float:
        """Seconds of silence after which a watcher gets a sign of life."""

    @property
    def sweep_interval_s(self) -> float:
        """Seconds between looks for games that fall due."""

    @property
    def abandoned_after_s(self) -> float:
        """Seconds of silence after which a game without a clock is played to its end by bots."""

    @property
    def bot_pause_s(self) -> float:
        """Seconds that a bot waits before it answers."""

    @property
    def games_per_minute(self) -> int:
        """How many games a principal may create in a minute; 0 for any number."""

    @property
    def join_codes_per_minute(self) -> int:
        """How many join codes a principal may try in a minute; 0 for any number."""

    @property
    def webhooks_at_once(self) -> int:
        """How many webhooks a process delivers at the same time; 0 for none ever."""

    @property
    def webhook_timeout_s(self) -> float:
        """Seconds that delivering a webhook may take."""

    @property
    def webhook_retry_s(self) -> float:
        """Seconds from a failed delivery to the next; each further pause is four times as long."""

    @property
    def webhook_attempts(self) -> int:
        """How often a delivery is tried."""

    @property
    def webhook_failures(self) -> int:
        """How many deliveries in a row may be given up before the webhook is disabled."""

    @property
    def games_cached(self) -> int:
        """How many games a process keeps decoded."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request for a change, to be carried out once.

    key: under what it is remembered; digest: what it asks for.
    """

    key: bytes
    digest: bytes


NO_REQUEST: Final = Request(b"", b"")
"""Behind what the service does by itself."""


class Untimely(Exception):
    """A change that came after, or before, the time for which it was meant; nothing was changed.

    time_ms: the store's clock.
    """

    def __init__(self, time_ms: int) -> None:
        super().__init__("the store's clock is past the change's time, or has not reached it")
        self.time_ms = time_ms


@dataclass(slots=True)
class Change:
    """What a use case wants to make of a game.

    not_after, not_before: when it may happen, by the store's clock in ms; None for ever.
    """

    record: GameRecord
    step: Step
    not_after: int | None = None
    not_before: int | None = None


@dataclass(slots=True)
class Changed:
    """A change that is in the store.

    game: the game right after it; None where the change was made by an earlier request with this
    id: then only its step is known.
    """

    game: StoredGame | None
    past: PastStep


class Games:
    """The games of a store, and the key that guards them."""

    def __init__(self, store: Store, settings: GameSettings, metrics: Metrics) -> None:
        """The store must have been checked; settings as in GameSettings."""
        self.store: Final = store
        self.settings: Final = settings
        self.metrics: Final = metrics
        self.keys: Final = Keys(settings.service_key)
        self.deliverable: Final[asyncio.Queue[Waiting]] = asyncio.Queue(_DELIVERABLE)
        self._kept: Final[OrderedDict[str, StoredGame]] = OrderedDict()
        self._steps: Final[OrderedDict[str, PastStep]] = OrderedDict()
        self.on_commit: Callable[[StoredGame], None] | None = None
        """Is told of every game that this process has changed."""

    def new_seed(self) -> bytes:
        """The seed of a game for which none is given, 32 bytes."""
        return self.settings.fixed_seed or secrets.token_bytes(SEED_BYTES)

    def entropy(self, brought: bytes) -> bytes:
        """What is taken of what a player brings to the shuffle: nothing, where seeds are fixed."""
        return b"" if self.settings.fixed_seed else brought

    def kept(self, game_id: str) -> StoredGame | None:
        """A game as this process has seen it last, which may be outdated."""
        return self._kept.get(game_id)

    def retry_delay_ms(self, attempt: int) -> int:
        """From one try to deliver a webhook, the `attempt`-th, to the next, if it fails."""
        pause_s = self.settings.webhook_retry_s * 4 ** (attempt - 1)
        # One that takes all its time has ended before the next one begins.
        return int((self.settings.webhook_timeout_s + pause_s) * 1000)

    async def load(self, game_id: str) -> StoredGame:
        """A game as it is now, in one trip. Raises Refused if there is none."""
        kept = self._kept.get(game_id)
        return self._known(kept, game_id, await self._ask(kept, game_id))

    async def after(self, changed: Changed, game_id: str) -> StoredGame:
        """The game after a change; as it is now, where an earlier request had made the change."""
        return changed.game or await self.load(game_id)

    async def create(self, game_id: str, change: Change, request: Request) -> Changed:
        """Puts a new game into the store; or finds that this request has done so before.

        Its join code becomes one that no other game has.
        """
        for number in range(_CODES_TRIED):
            change.record.code_number = number
            outcome = await self.store.commit(self._commit(game_id, None, change, request))
            match outcome:
                case Committed():
                    return self._changed(game_id, None, change, outcome)
                case Repeated():
                    return self._repeated(outcome, request)
                case Missing(digest=digest) if digest is not None:
                    raise not_found(game_id)
                case Taken():
                    continue
            break
        raise Refused("CONFLICT", "a game of this name exists already")

    async def change(
        self, game_id: str, request: Request, decide: Callable[[StoredGame], Change]
    ) -> Changed:
        """Changes a game by what `decide` makes of it; or finds that this request has done so.

        decide: gets the game, must leave it as it is, raises Refused or IllegalChoice to refuse.
        Raises what `decide` raises, Untimely for a change that comes too late or too early, and
        Refused for a game that is none, for a request id that was used for something else, and
        after too many conflicts.
        """
        game = self._kept.get(game_id)
        confirmed = False
        for _ in range(_ATTEMPTS):
            if game is not None:
                try:
                    change = decide(game)
                except (Refused, IllegalChoice):
                    if confirmed:
                        raise
                else:
                    outcome = await self.store.commit(self._commit(game_id, game, change, request))
                    match outcome:
                        case Committed():
                            return self._changed(game_id, game, change, outcome)
                        case Repeated():
                            return self._repeated(outcome, request)
                        case Conflict(stored=stored):
                            self.metrics.met_conflict()
                            game, confirmed = self._keep(self._decode(game_id, stored)), True
                            continue
                        case Late(time_ms=time_ms) | Early(time_ms=time_ms):
                            raise Untimely(time_ms)
                        case _:
                            self.forget(game_id)
                            raise not_found(game_id)
            found = await self._confirm(game_id, game, request)
            if isinstance(found, Changed):
                return found
            game, confirmed = found, True
        raise Refused("CONFLICT", "others change this game too fast; try again")

    async def delete(
        self, game_id: str, request: Request, check: Callable[[StoredGame], None]
    ) -> None:
        """Deletes a game; or finds that this request has done so.

        check: gets the game, raises Refused to refuse.
        Raises what `check` raises, and Refused for a game that is none and for a request id that
        was used for something else.
        """
        found: object = await self.store.load(game_id, request_key=request.key)
        if isinstance(found, Loaded) and found.repeated is not None:
            raise _reused()
        if isinstance(found, Loaded) and found.stored is not None:
            game = self._decode(game_id, found.stored)
            check(game)
            found = await self.store.delete(
                game_id,
                code=self.code_hash(game_id, game.record),
                request_key=request.key,
                request_digest=request.digest,
            )
        self.forget(game_id)
        # This very request may have been carried out before, just now even by another process.
        if isinstance(found, Missing) and found.digest != request.digest:
            raise not_found(game_id)

    def step(self, entry: Entry) -> PastStep:
        """The step an entry holds, decoded once for all watchers of this process."""
        past = self._steps.get(entry.mark)
        if past is None:
            past = decode_step(entry)
            self._steps[entry.mark] = past
            if len(self._steps) > _STEPS_KEPT:
                self._steps.popitem(last=False)
        return past

    def forget(self, game_id: str) -> None:
        """Drops what is kept of a game that is no more."""
        self._kept.pop(game_id, None)

    async def _confirm(
        self, game_id: str, game: StoredGame | None, request: Request
    ) -> StoredGame | Changed:
        """The game as the store has it now, unless this request has been carried out before."""
        loaded = await self._ask(game, game_id, request.key)
        if loaded.repeated is not None:
            return self._repeated(loaded.repeated, request)
        return self._known(game, game_id, loaded)

    async def _ask(self, kept: StoredGame | None, game_id: str, request_key: bytes = b"") -> Loaded:
        """What the store has of a game beyond what is kept. Raises Refused if there is none."""
        loaded = await self.store.load(
            game_id, known=kept.cursor if kept else None, request_key=request_key
        )
        if isinstance(loaded, Missing):
            self.forget(game_id)
            raise not_found(game_id)
        return loaded

    def _known(self, kept: StoredGame | None, game_id: str, loaded: Loaded) -> StoredGame:
        """The game that was kept or, where the store has another one, that."""
        if loaded.stored is not None:
            return self._keep(self._decode(game_id, loaded.stored))
        if kept is None:
            raise not_found(game_id)
        return kept

    def _commit(
        self, game_id: str, game: StoredGame | None, change: Change, request: Request
    ) -> Commit:
        record, mark = change.record, new_mark()
        before = game.record if game else None
        wind(record, before, change.step)
        change.step.opened_by = record.opened_by = opener(record, before, mark)
        due = due_after(record, self.settings)
        filed = filing(record, self.keys)
        return Commit(
            game_id=game_id,
            expected=game.cursor if game else BEGINNING,
            mark=mark,
            state=encode_record(record),
            summary=encode_summary(record),
            payload=encode_step(change.step),
            ttl_ms=int(self._ttl_s(record) * 1000),
            code=self.code_hash(game_id, record),
            filed=filed.words,
            told=filed.told,
            notices=self._notices(game_id, before, record),
            notice_delay_ms=self.retry_delay_ms(1),
            due_ms=due.at_ms,
            due_in_ms=due.in_ms,
            not_after=change.not_after,
            not_before=change.not_before,
            request_key=request.key,
            request_digest=request.digest,
        )

    def _notices(
        self, game_id: str, before: GameRecord | None, record: GameRecord
    ) -> tuple[Notice, ...]:
        if not self.settings.webhooks_at_once:
            return ()
        return notices(game_id, before, record)

    def code_hash(self, game_id: str, record: GameRecord) -> str:
        """Under what the store finds a game by its join code."""
        return self.keys.code_hash(self.keys.join_code(game_id, record.code_number))

    def _ttl_s(self, record: GameRecord) -> float:
        if record.status == LOBBY:
            return self.settings.lobby_ttl_s
        if record.status == FINISHED:
            return self.settings.finished_ttl_s
        return self.settings.running_ttl_s

    def _changed(
        self, game_id: str, before: StoredGame | None, change: Change, committed: Committed
    ) -> Changed:
        self.metrics.committed(change.step.trigger)
        for notice in committed.notices:
            with contextlib.suppress(asyncio.QueueFull):  # it is in the outbox
                self.deliverable.put_nowait(Waiting(notice, 1))
        now = committed.time_ms
        created = before.created_ms if before else now
        change.record.settle(now)
        game = self._keep(StoredGame(game_id, committed.cursor, change.record, created, now))
        if self.on_commit is not None:
            self.on_commit(game)
        past = PastStep(committed.cursor, now, change.step)
        return Changed(game, past)

    def _repeated(self, repeated: Repeated, request: Request) -> Changed:
        if repeated.digest != request.digest:
            raise _reused()
        return Changed(None, self.step(repeated.entry))

    def _decode(self, game_id: str, stored: Stored) -> StoredGame:
        record = decode_record(stored.state)
        record.settle(stored.updated_ms)
        return StoredGame(game_id, stored.cursor, record, stored.created_ms, stored.updated_ms)

    def _keep(self, game: StoredGame) -> StoredGame:
        """Keeps a game, as just read or written, for later calls."""
        self._kept[game.game_id] = game
        self._kept.move_to_end(game.game_id)
        if len(self._kept) > self.settings.games_cached:
            self._kept.popitem(last=False)
        return game


def _reused() -> Refused:
    return Refused(
        "REQUEST_ID_REUSED", "this request id was used for another request", field="request_id"
    )
