"""Webhooks, and the outbox of what is still to be delivered to them.

A webhook belongs to whoever holds a seat, by a name that goes with the seat's token: when the seat
changes hands, the webhook is out of use. A commit puts its notices into the outbox of the game's
bucket in the same step, under the time at which others than whoever committed may try to deliver
them; whoever tries puts the try after his own there first. So a notice is delivered at least once,
and tried again, whichever process ends when.
"""

from __future__ import annotations

from typing import Final

from coltexpress_server.store import scripts
from coltexpress_server.store.errors import StoreError
from coltexpress_server.store.keys import BUCKETS, game_keys, is_game_id, outbox_key
from coltexpress_server.store.link import Link
from coltexpress_server.store.records import Notice, Record


class Hook(Record, frozen=True):
    """A webhook as the store holds it.

    `hook`: what the service put there. `disabled`: whether notices are no longer made.
    `failures`: how many notices in a row were given up.
    """

    hook: bytes
    disabled: bool
    failures: int


class Waiting(Record, frozen=True):
    """A notice that waits to be delivered; `attempt`: how often that was tried already."""

    notice: Notice
    attempt: int

    @property
    def member(self) -> str:
        """What stands for it in the outbox."""
        return ":".join((*self.notice, str(self.attempt)))


class Overdue(Record, frozen=True):
    """Notices that may be tried now, the longest overdue first.

    `next_ms`: when the next one may be; None if there is none. `time_ms`: the server's clock.
    """

    notices: tuple[Waiting, ...]
    next_ms: int | None
    time_ms: int


class Outbox:
    """The webhooks and outboxes of all games; errors are those of Store."""

    def __init__(self, link: Link) -> None:
        """Made by Store."""
        self._link: Final = link

    async def set_hook(
        self, game_id: str, holder: str, hook: bytes, *, request_key: bytes, request_digest: bytes
    ) -> bytes | None:
        """Set the webhook of a holder, enabled, or remove it where `hook` is empty.

        Return the digest that the request had the first time, None where there is no such game.
        """
        keys = game_keys(game_id)
        reply = await self._link.run(
            scripts.HOOK, (keys.game, keys.hooks), holder, hook, request_key, request_digest
        )
        match reply:
            case [b"set"]:
                return request_digest
            case [b"repeated", digest]:
                return bytes(digest)
            case [b"missing"]:
                return None
        raise _unexpected(scripts.HOOK)

    async def hook(self, game_id: str, holder: str) -> Hook | None:
        """Read the webhook of a holder; None where he has none."""
        [(hook, disabled, failures)] = await self._link.batch(
            [
                (
                    *("HMGET", game_keys(game_id).hooks),
                    *(holder, f"{holder}.disabled", f"{holder}.failures"),
                )
            ]
        )
        found = hook if hook is not None else disabled
        return None if found is None else Hook(found, hook is None, int(failures or 0))

    async def overdue(self, limit: int = 100) -> Overdue:
        """Find up to `limit` notices of all buckets that may be tried now."""
        span = ("-inf", "+inf", "WITHSCORES", "LIMIT", 0, limit)
        clock, *replies = await self._link.batch(
            [("TIME",), *(("ZRANGEBYSCORE", outbox_key(bucket), *span) for bucket in BUCKETS)]
        )
        now = int(clock[0]) * 1000 + int(clock[1]) // 1000
        waiting = sorted(
            (int(score), member.decode())
            for reply in replies
            for member, score in zip(reply[::2], reply[1::2], strict=True)
        )
        later = (score for score, _ in waiting if score > now)
        due = [_waiting(member) for score, member in waiting if score <= now]
        known = [each for each in due if each is not None]
        return Overdue(tuple(known[:limit]), min(later, default=None), now)

    async def claim(self, waiting: Waiting, delay_ms: int) -> Waiting | None:
        """Take a try on, the one after it being due in `delay_ms`; None if somebody else has it.

        Return what now waits in its place.
        """
        following = Waiting(waiting.notice, waiting.attempt + 1)
        claimed = await self._link.run(
            scripts.CLAIM,
            (game_keys(waiting.notice.game_id).outbox,),
            *(waiting.member, following.member, delay_ms),
        )
        return following if claimed else None

    async def remove(self, waiting: Waiting, *, delivered: bool) -> None:
        """Take a notice out of the outbox: it was delivered, or there is no need to any more."""
        keys = game_keys(waiting.notice.game_id)
        commands: list[tuple[str, ...]] = [("ZREM", keys.outbox, waiting.member)]
        if delivered:
            commands.append(("HDEL", keys.hooks, f"{waiting.notice.holder}.failures"))
        await self._link.batch(commands)

    async def give_up(self, waiting: Waiting, *, most: int) -> None:
        """Take out what could not be delivered; the `most`-th in a row disables the hook."""
        keys = game_keys(waiting.notice.game_id)
        await self._link.run(
            scripts.GIVE_UP,
            (keys.hooks, keys.outbox),
            *(waiting.member, waiting.notice.holder, most),
        )


def _waiting(member: str) -> Waiting | None:
    """What a member of an outbox stands for; None for one that a later release put there."""
    match member.split(":"):
        case [game_id, holder, event, attempt] if is_game_id(game_id) and attempt.isdecimal():
            return Waiting(Notice(game_id, holder, event), int(attempt))
    return None


def _unexpected(script: scripts.Script) -> StoreError:
    return StoreError(f"the script {script.sha} gave an answer of unknown form")
