"""Which language a caller gets, how he asks for it, and that he gets it everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import LocalizedMessage
from google.rpc.status_pb2 import Status

from coltexpress.v1 import event_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.api.texts import DEFAULT, LANGUAGES, language_for
from coltexpress_server.api.texts.negotiation import negotiated
from tests.api.tables import Service, begun, deciding, new_id

NO_GAME = "games/00" + "a" * 24
AVAILABLE = ("en", "es", "pt-BR")


@pytest.mark.parametrize(
    ("accept_language", "tag"),
    [
        ("es", "es"),
        ("ES", "es"),
        ("es-MX", "es"),
        ("es-419,en;q=0.5", "es"),
        ("fr, es;q=0.3, en;q=0.7", "en"),
        ("en;q=0.3, es; q=0.7", "es"),
        ("en, es", "en"),
        ("pt-br", "pt-BR"),
        ("*", "en"),
        ("fr, *;q=0.1", "en"),
        ("en;q=0, *", "es"),
        ("es;q=0, es-MX", None),
        ("fr", None),
        ("es;q=0", None),
        ("es;q=2, es;q=nan, es;q=x, en;q=0.1", "en"),
        ("", None),
        (",".join(["fr"] * 49 + ["es"]), "es"),
        (",".join(["fr"] * 50 + ["es"]), None),
        (";;,=,q=1,\N{SNOWMAN}", None),
    ],
)
def test_the_best_language_there_is(accept_language: str, tag: str | None) -> None:
    assert negotiated(accept_language, AVAILABLE) == tag


def test_who_wants_none_that_there_is_gets_the_default() -> None:
    assert language_for("tlh") is DEFAULT
    assert language_for("es-ES,es;q=0.9") is LANGUAGES["es"]


def in_language(accept_language: str, *more: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    return (("accept-language", accept_language), *more)


def texts_of(message: Message) -> Iterator[str]:
    """All texts for people in a message."""
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for each in value if field.is_repeated else [value]:
                yield from texts_of(each)
        elif field.name in {"text", "prompt", "label"}:
            yield value


async def content_language(call: Any) -> str | None:
    found: str | None = dict(await call.initial_metadata()).get("content-language")
    return found


async def test_every_answer_is_in_the_language_asked_for(service: Service) -> None:
    table = await begun(service)
    decision = await deciding(service, table)
    assert decision is not None
    seat = table.as_seat(decision.seat)

    async def reads(*metadata: tuple[str, str]) -> tuple[list[str], list[str]]:
        """The languages that reading calls say they are in, and all their texts."""
        asked = (*seat, *metadata)
        get = service.games.GetGame(pb.GetGameRequest(name=table.name), metadata=asked)
        events = service.games.ListEvents(pb.ListEventsRequest(parent=table.name), metadata=asked)
        first = (await service.games.ListEvents(pb.ListEventsRequest(parent=table.name))).commits[0]
        watch = service.games.WatchGame(
            pb.WatchGameRequest(name=table.name, cursor=first.cursor), metadata=asked
        )
        answers = [await get, await events, await watch.read()]
        said = [str(await content_language(call)) for call in (get, events, watch)]
        watch.cancel()
        return said, [text for answer in answers for text in texts_of(answer)]

    said, english = await reads()
    assert said == ["None"] * 3
    said, spanish = await reads(*in_language("es-MX, en;q=0.1"))
    assert said == ["es"] * 3
    said, unknown = await reads(*in_language("tlh"))
    assert said == ["en"] * 3
    assert unknown == english
    assert len(english) == len(spanish)
    assert len(english) > 10
    # Names of bandits alone are the same.
    assert not set(english) & set(spanish)


async def test_a_move_is_answered_and_told_to_each_in_his_language(service: Service) -> None:
    table = await begun(service)
    decision = await deciding(service, table)
    assert decision is not None
    english, spanish = [
        service.games.WatchGame(
            pb.WatchGameRequest(name=table.name), metadata=in_language(tag) if tag else ()
        )
        for tag in ("", "es")
    ]
    await english.read(), await spanish.read()
    request = pb.SubmitActionRequest(
        name=table.name, decision_id=decision.id, option_id="draw", request_id=new_id()
    )
    as_seat = table.as_seat(decision.seat)
    own = [
        (await service.games.SubmitAction(request, metadata=(*as_seat, *metadata))).commit
        for metadata in ((), in_language("es"), in_language("en"))
    ]
    assert [_drawn(commit) for commit in own] == ["draws", "roba", "draws"]
    assert _drawn((await english.read()).commit) == "draws"
    assert _drawn((await spanish.read()).commit) == "roba"
    english.cancel(), spanish.cancel()


def _drawn(commit: event_pb2.Commit) -> str:
    """The verb of the text that tells of a draw."""
    [text] = [event.text for event in commit.events if event.HasField("cards_drawn")]
    return text.split()[1]


async def test_a_refusal_is_told_to_players_too_where_a_language_is_asked_for(
    service: Service,
) -> None:
    async def details(*metadata: tuple[str, str]) -> tuple[str, list[Any]]:
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await service.games.GetGame(pb.GetGameRequest(name=NO_GAME), metadata=metadata)
        data = dict(raised.value.trailing_metadata() or ())["grpc-status-details-bin"]
        assert isinstance(data, bytes)
        status = Status.FromString(data)
        return status.message, list(status.details)

    message, without = await details()
    assert not any(detail.Is(LocalizedMessage.DESCRIPTOR) for detail in without)
    same, [*others, last] = await details(("accept-language", "es"))
    # What developers read, and programs, does not change.
    assert (same, others) == (message, without)
    found = LocalizedMessage()
    assert last.Unpack(found)
    assert found.locale == "es"
    assert found.message == LANGUAGES["es"].reason("GAME_NOT_FOUND") != ""
