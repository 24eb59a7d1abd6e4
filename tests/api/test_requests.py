"""Requests in the domain's terms, and each field missing or wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration

from coltexpress.v1 import action_pb2, game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1.vocabulary_pb2 import EDITION_FIRST, Variant
from coltexpress_server.api import fields, requests
from coltexpress_server.game.choices import DRAW, MoveTo
from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.service.clocks import Clock
from coltexpress_server.service.lists import Wanted
from coltexpress_server.service.refusals import Refused

GAME = "3f" + "a2" * 12
NAME = f"games/{GAME}"
REQUEST_ID = "01234567-89ab-4cde-8f01-23456789abcd"
DECISION = "12.3.0123456789abcdef"
UNKNOWN: Any = 99  # a value of an enum that a later client may send


def refused(call: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as found:
        call()
    return found.value


def test_a_creation_with_nothing_but_seats_is_the_standard_game() -> None:
    game = game_pb2.Game(seats=[game_pb2.Seat()] * 3)
    found = requests.creation(pb.CreateGameRequest(game=game, request_id=REQUEST_ID))
    assert found == requests.Creation(REQUEST_ID, STANDARD, [[], [], []], "PUBLIC", None, "", b"")


def test_a_creation_with_everything() -> None:
    game = game_pb2.Game(
        name="ignored",
        visibility=game_pb2.VISIBILITY_PRIVATE,
        options=game_pb2.GameOptions(edition=EDITION_FIRST, cars=["C", "A"]),
        seats=[game_pb2.Seat(figures=["DOC"], display_name="ignored"), game_pb2.Seat()],
        clock=game_pb2.Clock(turn_seconds=30, reserve_seconds=60),
        stand_in="RANDOM",
    )
    found = requests.creation(
        pb.CreateGameRequest(game=game, request_id=REQUEST_ID, seed=b"s" * 32)
    )
    options = Options("STANDARD", (), "FIRST", ("C", "A"))
    assert found == requests.Creation(
        *(REQUEST_ID, options, [["DOC"], []], "PRIVATE", Clock(30, 60, 2), "RANDOM", b"s" * 32)
    )


def creation(**other: Any) -> pb.CreateGameRequest:
    given: dict[str, Any] = {"game": game_pb2.Game(), "request_id": REQUEST_ID}
    return pb.CreateGameRequest(**(given | other))


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (creation(game=None), "game"),
        (creation(request_id=""), "request_id"),
        (creation(request_id=REQUEST_ID.upper()), "request_id"),
        (creation(request_id=REQUEST_ID.replace("-4", "-1")), "request_id"),
        (creation(request_id="x" * 1000), "request_id"),
        (creation(seed=b"s" * 31), "seed"),
        (
            creation(game=game_pb2.Game(options=game_pb2.GameOptions(variant=UNKNOWN))),
            "game.options.variant",
        ),
        (
            creation(game=game_pb2.Game(options=game_pb2.GameOptions(edition=UNKNOWN))),
            "game.options.edition",
        ),
        (
            creation(game=game_pb2.Game(options=game_pb2.GameOptions(cars=["A", ""]))),
            "game.options.cars[1]",
        ),
        (creation(game=game_pb2.Game(visibility=UNKNOWN)), "game.visibility"),
        (
            creation(game=game_pb2.Game(seats=[game_pb2.Seat(), game_pb2.Seat(figures=["Dóc"])])),
            "game.seats[1].figures[0]",
        ),
    ],
)
def test_a_creation_with_a_wrong_field_names_it(request_: pb.CreateGameRequest, field: str) -> None:
    found = refused(lambda: requests.creation(request_))
    assert found.reason == "INVALID_FIELD"
    assert found.details == {"field": field}


def joining(**other: Any) -> pb.JoinGameRequest:
    return pb.JoinGameRequest(**({"name": NAME, "request_id": REQUEST_ID} | other))


def test_a_joining_with_nothing_but_a_name() -> None:
    found = requests.joining(joining())
    assert found == requests.Joining(GAME, REQUEST_ID, None, [], "", b"", "")


def test_a_joining_with_everything() -> None:
    found = requests.joining(
        joining(
            seat=0,
            figures=["DOC"],
            display_name="  Änn O'Hara 🤠 ",
            entropy=b"e" * 64,
            join_code="code",
        )
    )
    assert found == requests.Joining(
        GAME, REQUEST_ID, 0, ["DOC"], "Änn O'Hara 🤠", b"e" * 64, "code"
    )


@pytest.mark.parametrize(
    ("other", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": GAME}, "name"),
        ({"name": "games/"}, "name"),
        ({"name": NAME + "a"}, "name"),
        ({"name": NAME.replace("3f", "40")}, "name"),
        ({"name": NAME.upper()}, "name"),
        ({"name": NAME + "\n"}, "name"),
        ({"request_id": ""}, "request_id"),
        ({"request_id": REQUEST_ID + "\n"}, "request_id"),
        ({"seat": -1}, "seat"),
        ({"figures": ["DOC", ""]}, "figures[1]"),
        ({"figures": ["x" * 33]}, "figures[0]"),
        ({"display_name": "x" * 41}, "display_name"),
        ({"display_name": "a\x00b"}, "display_name"),
        ({"display_name": "a\u202eb"}, "display_name"),
        ({"entropy": b"e" * 65}, "entropy"),
        ({"join_code": "x" * 201}, "join_code"),
        ({"join_code": "é"}, "join_code"),
    ],
)
def test_a_joining_with_a_wrong_field_names_it(other: dict[str, Any], field: str) -> None:
    found = refused(lambda: requests.joining(joining(**other)))
    assert found.reason == "INVALID_FIELD"
    assert found.details == {"field": field}


def test_secrets_are_not_repeated() -> None:
    found = refused(lambda: requests.joining(joining(request_id="not-so-secret")))
    assert "secret" not in str(found)
    found = refused(lambda: requests.joining(joining(join_code="sécret")))
    assert "cret" not in str(found)


def submission(**other: Any) -> pb.SubmitActionRequest:
    return pb.SubmitActionRequest(
        **({"name": NAME, "request_id": REQUEST_ID, "decision_id": DECISION} | other)
    )


def test_a_submission_by_option_or_by_action() -> None:
    found = requests.submission(submission(option_id="draw"))
    assert found == requests.Submission(GAME, REQUEST_ID, DECISION, DRAW)
    move = action_pb2.Action(move=action_pb2.Move(space="3.roof"))
    assert requests.submission(submission(action=move)).answer == MoveTo("3.roof")


@pytest.mark.parametrize(
    ("other", "field"),
    [
        ({"option_id": "draw", "name": ""}, "name"),
        ({"option_id": "draw", "request_id": ""}, "request_id"),
        ({"option_id": "draw", "decision_id": ""}, "decision_id"),
        ({"option_id": "draw", "decision_id": "12"}, "decision_id"),
        ({"option_id": "draw", "decision_id": DECISION + "0"}, "decision_id"),
        ({"option_id": "draw", "decision_id": DECISION.upper()}, "decision_id"),
        ({"option_id": "draw", "decision_id": DECISION.rpartition(".")[0]}, "decision_id"),
        ({"option_id": "draw", "decision_id": "0" + DECISION}, "decision_id"),
        ({"option_id": "draw", "decision_id": "-" + DECISION}, "decision_id"),
        ({"option_id": "draw", "decision_id": "1" * 40 + DECISION}, "decision_id"),
        ({}, "answer"),
        ({"option_id": ""}, "option_id"),
        ({"option_id": "x" * 201}, "option_id"),
        ({"action": action_pb2.Action()}, "action"),
        ({"action": action_pb2.Action(move=action_pb2.Move())}, "action.move.space"),
    ],
)
def test_a_submission_with_a_wrong_field_names_it(other: dict[str, Any], field: str) -> None:
    found = refused(lambda: requests.submission(submission(**other)))
    assert found.reason == "INVALID_FIELD"
    assert found.details == {"field": field}


@pytest.mark.parametrize("option_id", ["dance", "move", "move:a:b", "rob:PURSE:0300", "draw "])
def test_an_option_id_that_no_option_can_have_is_unknown(option_id: str) -> None:
    found = refused(lambda: requests.submission(submission(option_id=option_id)))
    assert found.reason == "UNKNOWN_OPTION"
    assert found.details == {"field": "option_id"}


def test_what_a_list_shows() -> None:
    states = [game_pb2.Game.STATE_LOBBY, game_pb2.Game.STATE_FINISHED]
    message = pb.ListGamesRequest(
        states=states, variants=[Variant.VARIANT_TEAMS], seat_counts=[4, 6], free_seats=2
    )
    assert requests.wanted(message) == Wanted(
        frozenset({"LOBBY", "FINISHED"}), frozenset({"TEAMS"}), frozenset({4, 6}), 2
    )
    assert requests.wanted(pb.ListGamesRequest()) == Wanted()
    for wrong in (UNKNOWN, game_pb2.Game.STATE_UNSPECIFIED):
        message = pb.ListGamesRequest(states=[game_pb2.Game.STATE_LOBBY, wrong])
        assert refused(lambda: requests.wanted(message)).details == {"field": "states[1]"}  # noqa: B023


def test_how_long_to_wait() -> None:
    assert requests.wait_s(pb.GetGameRequest(), longest=30) == 30
    assert requests.wait_s(pb.GetGameRequest(wait=Duration()), longest=30) == 0
    assert requests.wait_s(pb.GetGameRequest(wait=Duration(seconds=99)), longest=30) == 30
    assert requests.wait_s(pb.GetGameRequest(wait=Duration(nanos=500_000_000)), longest=30) == 0.5
    for wrong in (Duration(seconds=-1), Duration(nanos=-1), Duration(nanos=1_000_000_000)):
        message = pb.GetGameRequest(wait=wrong)
        found = refused(lambda: requests.wait_s(message, longest=30))  # noqa: B023
        assert found.details == {"field": "wait"}


def test_page_sizes() -> None:
    assert fields.page_size(0, default=20, largest=100) == 20
    assert fields.page_size(7, default=20, largest=100) == 7
    assert fields.page_size(1000, default=20, largest=100) == 100
    found = refused(lambda: fields.page_size(-1, default=20, largest=100))
    assert found.details == {"field": "page_size"}
