"""Webhooks: a seat has itself told, by HTTP, when it is to decide and when the game is over.

What is sent, and how it is signed, follows the Standard Webhooks specification (1.0.0). It says
whose turn it is and nothing of what lies on the table.
"""

from __future__ import annotations

import base64
import hmac
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from coltexpress_server.game.codec import read
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.reader import Unreadable
from coltexpress_server.outgoing import Outgoing, Unfit
from coltexpress_server.service.callers import Caller
from coltexpress_server.service.decision_ids import decision_id
from coltexpress_server.service.games import Games
from coltexpress_server.service.keys import Keys, digest
from coltexpress_server.service.notices import OVER, decision_event, holder
from coltexpress_server.service.records import FINISHED, StoredGame
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import not_found, require_seat
from coltexpress_server.store import Hook, Notice

NONE: Final = "NONE"
ACTIVE: Final = "ACTIVE"
DISABLED: Final = "DISABLED"

_SCHEMA: Final = 1
_PREFIX: Final = "whsec_"
_MINUTE_MS: Final = 60_000
_CHANGES_A_MINUTE: Final = 20


@dataclass(frozen=True, slots=True)
class Webhook:
    """The webhook of a seat: NONE, ACTIVE or DISABLED.

    secret: what signs its messages; empty unless it was just set.
    failures: how many messages in a row could not be delivered.
    """

    game_id: str
    seat: int
    standing: str
    url: str
    secret: str
    failures: int


@dataclass(frozen=True, slots=True)
class Message:
    """What is sent: where to, and the request's body and headers."""

    url: str
    body: bytes
    headers: dict[str, str]


async def set_webhook(
    games: Games, outgoing: Outgoing, caller: Caller, game_id: str, request_id: str, *, url: str
) -> Webhook:
    """Sets the webhook of the caller's seat, enabled, or removes it where `url` is empty.

    Repeated with its request id it returns the same, whatever has been set since.
    Raises Refused: WEBHOOKS_NOT_ALLOWED, GAME_NOT_FOUND, TOKEN_MISSING, WRONG_ROLE, INVALID_FIELD
    for a URL that nothing is sent to, REQUEST_ID_REUSED, TOO_MANY.
    """
    if not games.settings.webhooks_at_once:
        raise Refused("WEBHOOKS_NOT_ALLOWED", "this server sends no webhooks")
    game = await games.load(game_id)
    seat = require_seat(game, caller, games.keys)
    request_key = games.keys.request_key(game_id, caller.token, request_id)
    try:
        if url:
            outgoing.examine(url)
        await _check_rate(games, holder_of(game, seat), request_key)
        if url:
            await outgoing.check(url)
    except Unfit as unfit:
        raise Refused("INVALID_FIELD", str(unfit), field="url") from None
    asked = digest("webhook", url)
    was_asked = await games.store.outbox.set_hook(
        game_id,
        holder_of(game, seat),
        msgspec.msgpack.encode([_SCHEMA, url, request_key]) if url else b"",
        request_key=request_key,
        request_digest=asked,
    )
    if was_asked is None:
        raise not_found(game_id)
    if was_asked != asked:
        raise Refused(
            "REQUEST_ID_REUSED", "this request id was used for another request", field="request_id"
        )
    if not url:
        return Webhook(game_id, seat, NONE, "", "", 0)
    secret = _PREFIX + base64.b64encode(games.keys.webhook_secret(game_id, request_key)).decode()
    return Webhook(game_id, seat, ACTIVE, url, secret, 0)


async def get_webhook(games: Games, caller: Caller, game_id: str) -> Webhook:
    """The webhook of the caller's seat, without its secret.

    Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING, WRONG_ROLE.
    """
    game = await games.load(game_id)
    seat = require_seat(game, caller, games.keys)
    hook = await games.store.outbox.hook(game_id, holder_of(game, seat))
    if hook is None:
        return Webhook(game_id, seat, NONE, "", "", 0)
    url, _ = _read(hook)
    return Webhook(game_id, seat, DISABLED if hook.disabled else ACTIVE, url, "", hook.failures)


async def _check_rate(games: Games, holder_: str, request_key: bytes) -> None:
    """Raises Refused for one change too many: each may have a name resolved."""
    wait_ms = await games.store.count(
        f"webhooks.{holder_}",
        request_key.hex(),
        most=_CHANGES_A_MINUTE,
        window_ms=_MINUTE_MS,
    )
    if wait_ms:
        raise Refused(
            "TOO_MANY",
            f"at most {_CHANGES_A_MINUTE} changes of a webhook a minute",
            retry_after_s=wait_ms / 1000,
        )


def holder_of(game: StoredGame, seat: int) -> str:
    """What the webhooks of whoever holds a seat now are kept under."""
    return holder(game.record.seats[seat].token_hash)


def message(games: Games, game: StoredGame, notice: Notice, hook: Hook) -> Message | None:
    """What to send of a notice now; None where it has become pointless."""
    seat = next(
        (
            number
            for number, each in enumerate(game.record.seats)
            if each.token_hash and holder(each.token_hash) == notice.holder
        ),
        None,
    )
    if seat is None:
        return None
    told: dict[str, Any] = {
        "game": f"games/{game.game_id}",
        "seat": seat,
        "version": game.cursor.version,
    }
    if notice.event == OVER:
        kind = "game.over"
        if game.record.status != FINISHED:
            return None
    else:
        kind = "decision.opened"
        decision = _open(game, notice.event)
        if decision is None:
            return None
        told["decision"] = {
            "id": decision_id(decision, game.record.opened_by),
            "kind": decision.kind,
        }
        deadline = game.record.seats[seat].clock.deadline
        if deadline:
            told["decision"]["deadline"] = _rfc3339(deadline)
    body = msgspec.json.encode({"type": kind, "timestamp": _rfc3339(game.updated_ms), "data": told})
    url, request_key = _read(hook)
    return Message(url, body, _signed(games.keys, notice, request_key, body))


def _open(game: StoredGame, event: str) -> Decision | None:
    state = game.record.state
    for decision in state.pending if state is not None else ():
        if decision_event(decision, game.record.opened_by) == event:
            return decision
    return None


def _signed(keys: Keys, notice: Notice, request_key: bytes, body: bytes) -> dict[str, str]:
    """The headers of a message, its signature among them."""
    message_id = f"msg_{keys.message_id(*notice)}"
    timestamp = str(int(datetime.now(UTC).timestamp()))
    signed = b".".join((message_id.encode(), timestamp.encode(), body))
    secret = keys.webhook_secret(notice.game_id, request_key)
    signature = base64.b64encode(hmac.digest(secret, signed, "sha256")).decode()
    return {
        "content-type": "application/json",
        "user-agent": "colt-express",
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{signature}",
    }


def _read(hook: Hook) -> tuple[str, bytes]:
    """A stored webhook's URL, and the key of the request that set it. Raises Unreadable."""
    row = read(hook.hook)
    if row.number() > _SCHEMA:
        raise Unreadable("a later release wrote this webhook", newer=True)
    return row.text(), row.data()


def _rfc3339(time_ms: int) -> str:
    text = datetime.fromtimestamp(time_ms / 1000, UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")
