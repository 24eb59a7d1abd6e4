"""What requests ask for, in the domain's terms, or why they are malformed.

All functions raise Refused, with the field's path in the request.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from coltexpress.v1 import game_service_pb2 as pb
from coltexpress_server.api import actions, fields
from coltexpress_server.api.words import EDITIONS, STATES, VARIANTS, VISIBILITIES, Words
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.game.vocabulary import parse
from coltexpress_server.service.lists import Wanted
from coltexpress_server.service.records import PUBLIC
from coltexpress_server.service.refusals import Refused


@dataclass(frozen=True, slots=True)
class Creation:
    """See service.lobby.create_game."""

    request_id: str
    options: Options
    seats: list[list[str]]
    visibility: str
    seed: bytes


@dataclass(frozen=True, slots=True)
class Joining:
    """See service.lobby.join_game."""

    game_id: str
    request_id: str
    seat: int | None
    figures: list[str]
    display_name: str
    entropy: bytes
    join_code: str


@dataclass(frozen=True, slots=True)
class Submission:
    """See service.play.submit."""

    game_id: str
    request_id: str
    decision_id: str
    answer: Choice


def creation(request: pb.CreateGameRequest) -> Creation:
    """What CreateGame asks for."""
    if not request.HasField("game"):
        raise fields.missing("game")
    game = request.game
    return Creation(
        request_id=fields.request_id(request.request_id),
        options=Options(
            variant=fields.word(
                game.options.variant, VARIANTS.words, "game.options.variant", STANDARD.variant
            ),
            expansions=(),
            edition=fields.word(
                game.options.edition, EDITIONS.words, "game.options.edition", STANDARD.edition
            ),
            cars=tuple(_names(game.options.cars, "game.options.cars")),
        ),
        seats=[
            _names(seat.figures, f"game.seats[{number}].figures")
            for number, seat in enumerate(game.seats)
        ],
        visibility=fields.word(
            game.visibility, VISIBILITIES.words, "game.visibility", default=PUBLIC
        ),
        seed=fields.seed(request.seed),
    )


def joining(request: pb.JoinGameRequest) -> Joining:
    """What JoinGame asks for."""
    return Joining(
        game_id=fields.game_id(request.name, "name"),
        request_id=fields.request_id(request.request_id),
        seat=fields.not_negative(request.seat, "seat") if request.HasField("seat") else None,
        figures=_names(request.figures, "figures"),
        display_name=fields.display_name(request.display_name),
        entropy=fields.entropy(request.entropy),
        join_code=fields.text(request.join_code, "join_code"),
    )


def submission(request: pb.SubmitActionRequest) -> Submission:
    """What SubmitAction asks for."""
    return Submission(
        game_id=fields.game_id(request.name, "name"),
        request_id=fields.request_id(request.request_id),
        decision_id=fields.decision_id(request.decision_id),
        answer=_answer(request),
    )


def wanted(request: pb.ListGamesRequest) -> Wanted:
    """Which games ListGames asks for."""
    return Wanted(
        statuses=_words(request.states, STATES, "states"),
        variants=_words(request.variants, VARIANTS, "variants"),
        seats=frozenset(
            fields.not_negative(number, f"seat_counts[{place}]")
            for place, number in enumerate(request.seat_counts)
        ),
        free_seats=fields.not_negative(request.free_seats, "free_seats"),
    )


def wait_s(request: pb.GetGameRequest, longest: float) -> float:
    """How many seconds GetGame may wait."""
    if not request.HasField("wait"):
        return longest
    return min(fields.seconds(request.wait, "wait"), longest)


def _answer(request: pb.SubmitActionRequest) -> Choice:
    match request.WhichOneof("answer"):
        case "option_id":
            if not request.option_id:
                raise fields.missing("option_id")
            choice = parse(fields.text(request.option_id, "option_id"))
            if choice is None:
                raise Refused("UNKNOWN_OPTION", "no option has this id", field="option_id")
            return choice
        case "action":
            return actions.choice(request.action)
        case None:
            raise fields.missing("answer")


def _words(values: Iterable[int], words: Words[Any], field: str) -> frozenset[str]:
    return frozenset(
        fields.word(value, words.words, f"{field}[{place}]") for place, value in enumerate(values)
    )


def _names(values: Iterable[str], field: str) -> list[str]:
    return [fields.name(value, f"{field}[{place}]") for place, value in enumerate(values)]
