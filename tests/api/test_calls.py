"""What is logged of calls: one line a change, one line an error, no secrets."""

from __future__ import annotations

import json

import pytest

from coltexpress.v1 import game_service_pb2 as pb
from tests.api.conftest import Logs
from tests.api.tables import Service, begun, deciding, get, lobby, new_id, refusal, submit


async def test_a_change_is_one_line(service: Service, logs: Logs) -> None:
    table = await begun(service)
    decision = await deciding(service, table)
    assert decision is not None
    logs.lines.clear()
    commit = await submit(service, table, decision, "draw")
    [line] = logs.lines
    assert line.pop("latency_ms") > 0
    assert line == {
        "event": "call",
        "level": "info",
        "method": "SubmitAction",
        "game": table.name.removeprefix("games/"),
        "seat": decision.seat,
        "version": commit.version,
        "code": "OK",
    }


async def test_reading_is_not_logged(service: Service, logs: Logs) -> None:
    table = await begun(service)
    logs.lines.clear()
    await get(service, table)
    await service.games.ListGames(pb.ListGamesRequest())
    await service.games.ListEvents(pb.ListEventsRequest(parent=table.name))
    stream = service.games.WatchGame(pb.WatchGameRequest(name=table.name))
    await stream.read()
    assert not logs.lines


async def test_a_refusal_is_one_line_with_its_reason(service: Service, logs: Logs) -> None:
    table = await lobby(service)
    logs.lines.clear()
    await refusal(
        service.games.StartGame(
            pb.StartGameRequest(name=table.name, request_id=new_id()), metadata=table.as_host
        )
    )
    await refusal(service.games.GetGame(pb.GetGameRequest(name="games/x")))
    changing, reading = logs.lines
    assert changing["code"] == "FAILED_PRECONDITION"
    assert changing["reason"] == "SEATS_FREE"
    assert changing["level"] == "info"
    assert changing["game"] == table.name.removeprefix("games/")
    assert reading["method"] == "GetGame"
    assert reading["reason"] == "INVALID_FIELD"
    assert "game" not in reading


async def test_a_defect_is_logged_without_what_the_caller_sent(
    service: Service, logs: Logs, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = new_id()

    async def defective(*_: object) -> None:
        raise ValueError(sent)

    monkeypatch.setattr("coltexpress_server.service.read.get_game", defective)
    table = await lobby(service)
    logs.lines.clear()
    found = await refusal(get(service, table))
    assert found.reason == "INTERNAL"
    assert sent not in found.message
    [line] = logs.lines
    assert line["level"] == "error"
    assert line["reason"] == "INTERNAL"
    assert "ValueError" in line["defect"]
    assert "in defective" in line["defect"]
    assert sent not in json.dumps(line)


async def test_no_secret_is_logged(service: Service, logs: Logs) -> None:
    secrets: list[str] = []
    table = await begun(service)
    secrets += [table.host_token, *table.tokens]
    while (decision := await deciding(service, table)) is not None:
        request_id = new_id()
        secrets.append(request_id)
        await submit(service, table, decision, decision.options[0].option_id, request_id)
        wrong = pb.SubmitActionRequest(
            name=table.name, decision_id=decision.id, option_id="draw", request_id=request_id
        )
        await refusal(service.games.SubmitAction(wrong, metadata=table.as_host))
    assert len(logs.lines) > 100
    text = json.dumps(logs.lines)
    for secret in secrets:
        assert secret not in text
    known: set[str] = set()
    for line in logs.lines:
        known |= line.keys()
    assert known == {
        *("event", "level", "method", "game", "seat", "version", "code", "latency_ms", "reason"),
    }
