"""Delivering notices to webhooks: at least once, by whichever replica, and never in a move's way.

Whoever commits a notice tries to deliver it at once; the store has the next try in its outbox
already. Any replica takes up what is due there. A notice that has become pointless, since the
decision was answered or the seat left, is dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

import structlog

from coltexpress_server import tracing
from coltexpress_server.game.reader import Unreadable
from coltexpress_server.outgoing import Outgoing, Unfit, Unreached
from coltexpress_server.service import webhooks
from coltexpress_server.service.games import Games
from coltexpress_server.service.refusals import Refused
from coltexpress_server.store import StoreError, Waiting

_FIRST_ERROR: Final = 400
_GONE: Final = 410
_PAUSE_S: Final = 1.0
_SHORTEST_PAUSE_S: Final = 0.05

_log = structlog.get_logger(__name__)


class Deliveries:
    """The webhooks that this process delivers."""

    def __init__(self, games: Games, outgoing: Outgoing) -> None:
        """outgoing: sends them."""
        self._games: Final = games
        self._outgoing: Final = outgoing
        self._retry: Final = asyncio.Event()  # there is something in the outbox to come back to

    async def run(self) -> None:
        """Delivers for ever what this process commits, and what is due in the outbox."""
        if not self._games.settings.webhooks_at_once:
            return
        async with asyncio.TaskGroup() as group:
            for number in range(self._games.settings.webhooks_at_once):
                group.create_task(self._work(), name=f"webhooks {number}")
            group.create_task(self._look_for_overdue(), name="webhooks, overdue")

    async def _work(self) -> None:
        while True:
            waiting = await self._games.deliverable.get()
            game_id = waiting.notice.game_id
            with tracing.work("deliver a webhook", {"coltexpress.game": game_id}) as span:
                try:
                    await self._deliver(waiting)
                except (StoreError, Unreadable) as error:
                    span.fail(type(error).__name__)
                    self._retry.set()  # it is in the outbox, for us or a later release
                except Exception as error:  # one that cannot be delivered must not stop the others
                    span.fail(type(error).__name__)
                    _log.error("webhook", game=game_id, defect=type(error).__name__)

    async def _look_for_overdue(self) -> None:
        """Take on what other processes, or this one, did not deliver."""
        settings = self._games.settings
        while True:
            pause_s = settings.sweep_interval_s
            try:
                overdue = await self._games.store.outbox.overdue()
                for waiting in overdue.notices:
                    await self._take_on(waiting)
                if overdue.next_ms is not None:
                    pause_s = min(pause_s, (overdue.next_ms - overdue.time_ms) / 1000)
            except StoreError:
                pause_s = min(pause_s, _PAUSE_S)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(pause_s, _SHORTEST_PAUSE_S)):
                    await self._retry.wait()
                    # One look for many failures; none of them is due so soon.
                    await asyncio.sleep(min(_PAUSE_S, self._games.retry_delay_ms(1) / 2000))
            self._retry.clear()

    async def _take_on(self, waiting: Waiting) -> None:
        """Have an overdue notice delivered, unless another process has it delivered."""
        outbox, settings = self._games.store.outbox, self._games.settings
        if waiting.attempt > settings.webhook_attempts:
            # Whoever tried last was killed, or could not even read what is to be sent.
            await outbox.give_up(waiting, most=settings.webhook_failures)
            return
        claimed = await outbox.claim(waiting, self._games.retry_delay_ms(waiting.attempt + 1))
        if claimed is not None:
            await self._games.deliverable.put(claimed)

    async def _deliver(self, waiting: Waiting) -> None:
        """Try to deliver a notice whose next try is in the outbox."""
        outbox, settings = self._games.store.outbox, self._games.settings
        message = await self._message(waiting)
        if message is None:
            self._games.metrics.webhook_tried("dropped")
            await outbox.remove(waiting, delivered=False)
            return
        status, why = 0, ""
        try:
            with tracing.part("POST", "CLIENT", {"http.request.method": "POST"}) as span:
                headers = {**message.headers, tracing.TRACEPARENT: span.context}
                status = await self._outgoing.post(message.url, message.body, headers)
                span.note("http.response.status_code", status)
                if status >= _FIRST_ERROR:
                    span.fail(str(status))
        except (Unfit, Unreached) as error:
            why = str(error)
        if 200 <= status < 300:
            self._games.metrics.webhook_tried("delivered")
            await outbox.remove(waiting, delivered=True)
            return
        final = status == _GONE or waiting.attempt >= settings.webhook_attempts
        _log.info(
            "webhook not delivered",
            game=waiting.notice.game_id,
            attempt=waiting.attempt,
            given_up=final,
            **({"status": status} if status else {"why": why}),
        )
        if final:
            self._games.metrics.webhook_tried("given_up")
            await outbox.give_up(waiting, most=1 if status == _GONE else settings.webhook_failures)
        else:
            self._games.metrics.webhook_tried("failed")
            self._retry.set()

    async def _message(self, waiting: Waiting) -> webhooks.Message | None:
        notice = waiting.notice
        hook = await self._games.store.outbox.hook(notice.game_id, notice.holder)
        if hook is None or hook.disabled:
            return None
        try:
            game = await self._games.load(notice.game_id)
        except Refused:
            return None
        return webhooks.message(self._games, game, notice, hook)
