"""What is left when processes are killed in the middle of a game: all that was answered."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import redis

from coltexpress import Client, Commit, Game, Seat
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.server_process import ServerProcess
from tests.api.tables import Service, Table, begun, deciding, play
from tests.client.conftest import QUICK, settings
from tests.client.games import begun as begun_by_client
from tests.client.games import contiguous, versions
from tests.promises.conftest import Size
from tests.promises.moves import BANDITS, history, open_decision, submission
from tests.promises.replicas import answer, client_of, on_store, success

LIMIT = 30.0
"""Seconds after which a process is given up that should have ended by itself."""


async def test_a_game_goes_on_when_one_of_two_processes_is_killed(
    valkey_url: str, tmp_path: Path
) -> None:
    with (
        on_store(valkey_url, tmp_path / "first") as first,
        on_store(valkey_url, tmp_path / "second") as second,
    ):
        both = f"ipv4:{first.address},{second.address}"
        async with Client(both, retries=QUICK) as client:
            table = await begun_by_client(client)
            answered: dict[int, str] = {}
            playing = asyncio.gather(*(play_noting(seat, answered) for seat in table.seats))
            seen: list[Game | Commit] = []
            async for step in client.watch(table.game):
                seen.append(step)
                if step.version == 20:
                    await asyncio.to_thread(first.kill)
            await playing
            assert contiguous(seen)
            game = await client.get(table.game)
            assert game.state == Game.STATE_FINISHED
            assert versions(seen)[-1] == game.version
            kept = {commit.version: commit.cursor async for commit in client.commits(table.game)}
            assert list(kept) == list(range(1, game.version + 1))
            assert answered == {version: kept[version] for version in range(6, game.version + 1)}


async def play_noting(seat: Seat, answered: dict[int, str]) -> None:
    """Plays to the end; notes version and cursor of every answer."""
    chance = random.Random(seat.number)
    async for decision in seat.decisions():
        commit = await seat.submit(decision, chance.choice(decision.options))
        # A move whose reply was lost is not taken for one that came too late.
        assert isinstance(commit, Commit)
        answered[commit.version] = commit.cursor


async def test_what_was_answered_outlives_the_service_and_its_store(
    tmp_path: Path, size: Size
) -> None:
    """Both are killed while a move is under way, again and again."""
    chance = random.Random(1)
    crashes = size(3, 60)
    applied = answered = 0
    longest = 0.0
    with ServerProcess(*settings(tmp_path), log=tmp_path / "log") as process:
        async with client_of(process.address) as service:
            table = await begun(service, BANDITS)
        for number in range(crashes):
            async with client_of(process.address) as service:
                await play(service, table, 3, seed=number)
                if await deciding(service, table) is None:
                    table = await begun(service, BANDITS)
                before = await history(service, table)
                decision = await open_decision(service, table)
                request = submission(table, decision, chance.choice(decision.options).option_id)
                seat = table.as_seat(decision.seat)
                store = store_pid(tmp_path / "data")
                sending = asyncio.create_task(answer(service, "SubmitAction", request, seat))
                await asyncio.sleep(chance.uniform(0, 0.005))  # a move takes about as long
                crash(process, store, store_first=number % 2 == 0)
                outcome = await sending
            started = time.perf_counter()
            await asyncio.to_thread(process.start)
            longest = max(longest, time.perf_counter() - started)
            async with client_of(process.address) as service:
                after = await history(service, table)
                assert after[: len(before)] == before
                assert len(after) - len(before) in (0, 1)
                applied += len(after) - len(before)
                again = await success(service, "SubmitAction", request, seat)
                if isinstance(outcome, bytes):
                    assert len(after) == len(before) + 1
                    assert again == outcome
                    answered += 1
                assert len(await history(service, table)) == len(before) + 1
    print(
        f"\n{crashes} crashes of service and store within a move: {answered} times it had been"
        f" answered, {applied} times it was there; serving again after at most {longest:.1f} s"
    )


def crash(process: ServerProcess, store: int, *, store_first: bool) -> None:
    """Kills a service and its embedded store, a process id, at once."""
    if not store_first:
        process.kill()
    with contextlib.suppress(ProcessLookupError):
        os.kill(store, signal.SIGKILL)
    process.kill()


def store_pid(data: Path) -> int:
    """The process id of the embedded store of a service."""
    folder = (data / "store" / "in-use-by").read_text().splitlines()[1]
    with redis.Redis(unix_socket_path=f"{folder}/valkey.sock") as client:
        return int(client.info("server")["process_id"])


async def test_a_data_folder_is_served_by_one_process_and_kept_by_the_next(
    tmp_path: Path,
) -> None:
    with ServerProcess(*settings(tmp_path), log=tmp_path / "log") as process:
        async with client_of(process.address) as service:
            table = await begun(service, BANDITS)
            await play(service, table, 10)
            refused = await asyncio.to_thread(serve_too, *settings(tmp_path))
            holder = (tmp_path / "data" / "store" / "in-use-by").read_text().splitlines()[0]
            assert refused.returncode == 1
            assert refused.stdout == ""
            (line,) = refused.stderr.splitlines()
            assert f"the data folder {tmp_path / 'data' / 'store'} is in use" in line
            assert line.endswith(f"process {holder}")
            # The first one was not disturbed.
            await play(service, table, 10)
            before = await sights(service, table)
        await asyncio.to_thread(process.stop)
        await asyncio.to_thread(process.start)
        async with client_of(process.address) as service:
            assert await sights(service, table) == before
            assert await play(service, table, 1) == 1


def serve_too(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Tries to start one more process of the service."""
    command = [sys.executable, "-m", "coltexpress_server.cli", "serve", "--grpc-port", "0"]
    command += ["--http-port", "0"]
    return subprocess.run(
        [*command, *arguments], capture_output=True, text=True, timeout=LIMIT, check=False
    )


async def sights(service: Service, table: Table) -> list[bytes | list[bytes]]:
    """What each seat and a spectator are shown of a game and its history, to the byte."""
    shown: list[bytes | list[bytes]] = []
    for seat in (*range(len(BANDITS)), None):
        request = pb.GetGameRequest(name=table.name)
        shown.append(await success(service, "GetGame", request, table.as_seat(seat)))
        shown.append(await history(service, table, seat))
    return shown
