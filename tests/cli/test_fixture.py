"""`colt-express fixture`: a service for other people's tests."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path

import grpc
import pytest

from coltexpress import Client
from coltexpress.v1.game_pb2 import Game

FIXTURE = [sys.executable, "-m", "coltexpress_server.cli", "fixture"]


async def dealt(target: str) -> Game:
    """A game that has just begun, without what is new in every game, as its first seat sees it."""
    async with Client(target) as client:
        host = await client.create(3)
        seats = [await client.join(host.game, seat=number) for number in range(3)]
        await host.start()
        game = await seats[0].get()
        for decision in game.decisions:
            decision.ClearField("id")
        return Game(table=game.table, decisions=game.decisions)


def test_it_deals_the_same_cards_and_ends_with_its_standard_input(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*FIXTURE, "--seed", "7"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"TMPDIR": str(tmp_path), "PYTHONPATH": ":".join(sys.path)},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        served = json.loads(process.stdout.readline())
        assert served["http"].startswith("http://127.0.0.1:")
        target = served["target"]
        assert asyncio.run(dealt(target)) == asyncio.run(dealt(target))
        assert list(tmp_path.iterdir())
        process.stdin.close()
        assert process.wait(timeout=60) == 0
    assert not list(tmp_path.iterdir())
    with grpc.insecure_channel(served["target"]) as channel, pytest.raises(grpc.FutureTimeoutError):
        grpc.channel_ready_future(channel).result(timeout=0.1)


def test_without_one_it_ends_when_it_is_told_to(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*FIXTURE, "--", "--http-port", "off"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env={"TMPDIR": str(tmp_path), "PYTHONPATH": ":".join(sys.path)},
    ) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["http"] == ""
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
    assert not list(tmp_path.iterdir())
