"""One process of the service: put together, run, taken down in order."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import structlog

from coltexpress_server import key_file, logs, tracing
from coltexpress_server.api.grpc_server import GrpcServer
from coltexpress_server.api.http.app import application, metrics_application
from coltexpress_server.api.http.metrics import MetricsPage
from coltexpress_server.api.http.server import HttpServer
from coltexpress_server.api.listening import CannotListen
from coltexpress_server.api.server_servicer import RELEASE
from coltexpress_server.api.services import all_methods
from coltexpress_server.metrics import Metrics
from coltexpress_server.outgoing import Outgoing
from coltexpress_server.service.attendance import Attendance
from coltexpress_server.service.census import Census
from coltexpress_server.service.deliveries import Deliveries
from coltexpress_server.service.games import Games
from coltexpress_server.service.readiness import Readiness
from coltexpress_server.settings import Settings
from coltexpress_server.store import (
    EmbeddedValkey,
    Store,
    StoreError,
    StoreUnavailable,
    place_of,
)

_CENSUS_AGE_S: Final = 10.0
_LONGEST_FLUSH_S: Final = 3.0
_WITHOUT_SCRIPT: Final = {"batch", "ask_all"}
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Serving:
    """A process that serves.

    address: HOST:PORT of gRPC. kept_in: where the games are, for people.
    http: URL of HTTP, e.g. "http://127.0.0.1:8080"; empty where that is off.
    metrics: URL of the metrics; empty where there is no port for them.
    """

    address: str
    kept_in: str
    http: str
    metrics: str


def serve(settings: Settings) -> int:
    """Serves until told to stop by SIGTERM or Ctrl-C; returns the exit status.

    0 after an orderly end, 1 where the service cannot start: one line on standard error says why.
    A second signal ends the process at once; nothing that was answered is lost even then.
    """
    logs.set_up(settings.log_level, settings.log_format)
    try:
        asyncio.run(run(settings, _announce))
    except StoreUnavailable as error:
        return _give_up(f"the store does not answer: {error}")
    except (StoreError, CannotListen, key_file.Unusable) as error:
        return _give_up(str(error))
    except OSError as error:
        return _give_up(f"{error.filename}: {error.strerror}")
    return 0


async def run(settings: Settings, ready: Callable[[Serving], object]) -> None:
    """Serves until told to stop by a signal.

    ready: called as soon as calls are answered.
    Raises what `serving` raises.
    """
    told = _told_to_stop()
    async with serving(settings) as found:
        ready(found)
        await told.wait()
        _log.info("stopping")


@contextlib.asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[Serving]:
    """Serve inside the block; drain when it is left.

    First the process reports NOT_SERVING, then watches end and say where to go on, then calls have
    some time to end, spans are sent, and last of all the embedded store is shut down.

    Raises:
        StoreError: the store cannot be started, reached or used.
        CannotListen: the address cannot be listened on.
        key_file.Unusable: the service's key cannot be read or made.
        OSError: the data folder cannot be used.
    """
    async with contextlib.AsyncExitStack() as stack:
        store_url = await stack.enter_async_context(_store_url(settings))
        metrics = Metrics(RELEASE)
        await stack.enter_async_context(_traces(settings, metrics))
        store = Store(
            store_url,
            timeout=settings.store_timeout_s,
            watch_buffer=settings.watch_buffer,
            observe=_observer(metrics),
        )
        stack.push_async_callback(store.close)
        info = await store.check_server()
        for warning in info.warnings:
            _log.warning("store", warning=warning)
        games = Games(store, settings, metrics)
        outgoing = Outgoing(
            timeout_s=settings.webhook_timeout_s,
            at_once=settings.webhooks_at_once,
            allow_private=settings.allow_private_webhooks,
        )
        stack.push_async_callback(outgoing.close)
        methods = all_methods(games, outgoing, settings)
        readiness = Readiness(store)
        grpc_server = GrpcServer(methods, settings)
        page = MetricsPage(metrics, Census(games, max_age_s=_CENSUS_AGE_S))
        http_server = HttpServer(application(methods, readiness, page, settings), settings)
        metrics_server = HttpServer(metrics_application(page, settings), settings)
        stack.push_async_callback(metrics_server.stop, 0)
        address, url, metrics_url = await grpc_server.start(), "", ""
        try:
            if settings.http_port is not None:
                url = await http_server.start(settings.http_port)
            if settings.metrics_port is not None:
                metrics_url = await metrics_server.start(settings.metrics_port)
        except CannotListen:
            await asyncio.gather(grpc_server.stop(0), http_server.stop(0))
            raise
        await stack.enter_async_context(Attendance(games))
        for name, work in (
            ("webhooks", Deliveries(games, outgoing).run()),
            ("readiness", readiness.follow(grpc_server.show_ready)),
        ):
            stack.push_async_callback(_end, asyncio.create_task(work, name=name))
        try:
            yield Serving(
                address,
                f"{info.version} at {place_of(store_url)}"
                if settings.redis
                else str(settings.data_dir),
                url,
                (metrics_url or url) and f"{metrics_url or url}/metrics",
            )
        finally:
            readiness.leave()
            await grpc_server.turn_away()
            await asyncio.sleep(settings.drain_s)
            store.end_watches()
            await asyncio.gather(
                grpc_server.stop(settings.grace_s), http_server.stop(settings.grace_s)
            )


@contextlib.asynccontextmanager
async def _traces(settings: Settings, metrics: Metrics) -> AsyncIterator[None]:
    """Have spans sent to a collector inside the block, if there is one; what is left, after it."""
    if settings.otlp_endpoint is None:
        yield
        return
    from coltexpress_server.otlp import Export  # the SDK takes time and memory

    export = Export(
        settings.otlp_endpoint, settings.collector_headers, release=RELEASE, metrics=metrics
    )
    try:
        with tracing.recording(export.take, settings.trace_ratio):
            yield
    finally:
        await export.close(min(settings.grace_s, _LONGEST_FLUSH_S))


def _observer(metrics: Metrics) -> Callable[[str, float, str], None]:
    """What counts calls to the store, and makes each a part of the work that it is for."""

    def observe(call: str, seconds: float, error: str) -> None:
        metrics.store_called(call, seconds, error)
        # The registry of OpenTelemetry's names knows no Valkey.
        attributes = {"db.system.name": "redis", "db.operation.name": "PIPELINE"}
        name = "PIPELINE"
        if call not in _WITHOUT_SCRIPT:
            name = f"EVALSHA {call}"
            attributes |= {"db.operation.name": "EVALSHA", "db.stored_procedure.name": call}
        tracing.past_part(name, "CLIENT", attributes, seconds, error)

    return observe


@contextlib.asynccontextmanager
async def _store_url(settings: Settings) -> AsyncIterator[str]:
    """The URL of the store: the one given, or that of an embedded one inside the block."""
    if settings.redis is not None:
        yield settings.redis.get_secret_value()
        return
    folder = settings.data_dir / "store"
    async with EmbeddedValkey(folder, appendfsync=settings.appendfsync) as valkey:
        yield valkey.url


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])


def _told_to_stop() -> asyncio.Event:
    """Set by the first signal to stop; the second one ends the process at once."""
    told = asyncio.Event()

    def stop(number: int) -> None:
        if told.is_set():
            # The embedded store notices that we are gone, and ends in order by itself.
            os._exit(128 + number)
        told.set()

    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        loop.add_signal_handler(number, stop, number)
    return told


def _give_up(why: str) -> int:
    click.echo(f"colt-express: {why}", err=True)
    return 1


def _announce(found: Serving) -> None:
    click.echo(f"Colt Express {RELEASE} serves gRPC on {found.address}")
    if found.http:
        click.echo(f"and HTTP on {found.http}")
    click.echo(f"Games are kept in {found.kept_in}")
    click.echo(f"Watch four bots play: {_program()} demo --server {found.address}")
    click.echo("Stop with Ctrl-C")


def _program() -> str:
    """How to call our command from where this process was started."""
    own = Path(sys.argv[0])
    installed = shutil.which(own.name)
    return own.name if installed and Path(installed).samefile(own) else str(own)
