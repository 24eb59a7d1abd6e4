"""What requests ask for, in the domain's terms, or why they are malformed.

All functions raise Refused, with the field's path in the request.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1.admin_service_pb2 import InspectGameRequest, ListAllGamesRequest
from coltexpress.v1.game_pb2 import Game, GameOptions
from coltexpress_server.api import actions, fields
from coltexpress_server.api.words import EDITIONS, EXPANSIONS, STATES, VARIANTS, VISIBILITIES, Words
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.game.vocabulary import parse
from coltexpress_server.service.clocks import LONGEST_S, MOST_MISSES, USUAL_MISSES, Clock
from coltexpress_server.service.hosting import Update
from coltexpress_server.service.lists import Wanted
from coltexpress_server.service.records import PUBLIC
from coltexpress_server.service.refusals import Refused

UPDATABLE: Final = frozenset({"visibility", "options", "seats", "clock", "stand_in"})
UPDATABLE_OPTIONS: Final = frozenset(
    {
        *("options.variant", "options.expansions", "options.edition", "options.cars"),
        "options.closing_actions",
    }
)
"""What UpdateGame can change, and of the options alone."""


@dataclass(frozen=True, slots=True)
class Creation:
    """See service.lobby.create_game."""

    request_id: str
    options: Options
    seats: list[list[str]]
    visibility: str
    clock: Clock | None
    stand_in: str
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
class Bot:
    """See service.hosting.add_bot."""

    game_id: str
    request_id: str
    seat: int | None
    level: str
    figures: list[str]
    display_name: str


@dataclass(frozen=True, slots=True)
class Submission:
    """See service.play.submit."""

    game_id: str
    request_id: str
    decision_id: str
    answer: Choice


@dataclass(frozen=True, slots=True)
class Updating:
    """See service.hosting.update_game."""

    game_id: str
    request_id: str
    update: Update


def creation(request: pb.CreateGameRequest) -> Creation:
    """What CreateGame asks for."""
    if not request.HasField("game"):
        raise fields.missing("game")
    game = request.game
    return Creation(
        request_id=fields.request_id(request.request_id),
        options=Options(
            variant=_variant(game.options),
            expansions=_expansions(game.options),
            edition=_edition(game.options),
            cars=_cars(game.options),
            closing_actions=_closing_actions(game.options),
        ),
        seats=_seats(game),
        visibility=_visibility(game),
        clock=_clock(game),
        stand_in=_stand_in(game),
        seed=fields.seed(request.seed),
    )


def updating(request: pb.UpdateGameRequest) -> Updating:
    """What UpdateGame asks for."""
    if not request.HasField("game"):
        raise fields.missing("game")
    game = request.game
    paths = set(request.update_mask.paths)
    if not paths:
        paths = {field.name for field, _ in game.ListFields()} & {*UPDATABLE}
    if "*" in paths:
        paths = {*UPDATABLE}
    for path in paths:
        if path not in UPDATABLE and path not in UPDATABLE_OPTIONS:
            raise fields.invalid("update_mask", "this field cannot be changed")
    if "options" in paths:
        paths |= UPDATABLE_OPTIONS
    return Updating(
        game_id=fields.game_id(game.name, "game.name"),
        request_id=fields.request_id(request.request_id),
        update=Update(
            visibility=_visibility(game) if "visibility" in paths else None,
            variant=_variant(game.options) if "options.variant" in paths else None,
            expansions=_expansions(game.options) if "options.expansions" in paths else None,
            edition=_edition(game.options) if "options.edition" in paths else None,
            cars=_cars(game.options) if "options.cars" in paths else None,
            closing_actions=_closing_actions(game.options)
            if "options.closing_actions" in paths
            else None,
            seats=_seats(game) if "seats" in paths else None,
            changes_clock="clock" in paths,
            clock=_clock(game) if "clock" in paths else None,
            stand_in=_stand_in(game) if "stand_in" in paths else None,
        ),
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


def bot(request: pb.AddBotRequest) -> Bot:
    """What AddBot asks for."""
    return Bot(
        game_id=fields.game_id(request.name, "name"),
        request_id=fields.request_id(request.request_id),
        seat=fields.not_negative(request.seat, "seat") if request.HasField("seat") else None,
        level=fields.name(request.level, "level"),
        figures=_names(request.figures, "figures"),
        display_name=fields.display_name(request.display_name),
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
        expansions=_words(request.expansions, EXPANSIONS, "expansions"),
    )


def wanted_of_all(request: ListAllGamesRequest) -> Wanted:
    """Which games ListAllGames asks for."""
    return Wanted(
        statuses=_words(request.states, STATES, "states"),
        variants=_words(request.variants, VARIANTS, "variants"),
        visibilities=_words(request.visibilities, VISIBILITIES, "visibilities"),
    )


@dataclass(frozen=True, slots=True)
class Past:
    """See service.read.get_past_game."""

    version: int | None
    as_seat: int | None


def past(request: pb.GetGameRequest) -> Past:
    """Which game, and through whose eyes, GetGame asks for if it asks for either."""
    version = None
    if request.HasField("at_version"):
        version = request.at_version
        if version < 1:
            raise fields.invalid("at_version", "versions begin with 1")
    if request.wait_for_version:
        raise fields.invalid("wait_for_version", "what is past needs no waiting")
    return Past(version, as_seat(request))


def as_seat(
    request: pb.GetGameRequest | pb.ListEventsRequest | InspectGameRequest,
) -> int | None:
    """Through whose eyes something is to be seen; None for the caller's own."""
    return fields.not_negative(request.as_seat, "as_seat") if request.HasField("as_seat") else None


def wait_s(request: pb.GetGameRequest, longest: float) -> float:
    """How many seconds GetGame may wait."""
    if not request.HasField("wait"):
        return longest
    return min(fields.seconds(request.wait, "wait"), longest)


def _stand_in(game: Game) -> str:
    return fields.name(game.stand_in, "game.stand_in") if game.stand_in else ""


def _clock(game: Game) -> Clock | None:
    if not game.HasField("clock"):
        return None
    clock, field = game.clock, "game.clock"
    return Clock(
        turn_s=fields.between(clock.turn_seconds, 1, LONGEST_S, f"{field}.turn_seconds"),
        reserve_s=fields.between(clock.reserve_seconds, 0, LONGEST_S, f"{field}.reserve_seconds"),
        auto_play_after=fields.between(
            clock.auto_play_after, 0, MOST_MISSES, f"{field}.auto_play_after"
        )
        or USUAL_MISSES,
    )


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


def _visibility(game: Game) -> str:
    return fields.word(game.visibility, VISIBILITIES.words, "game.visibility", default=PUBLIC)


def _variant(options: GameOptions) -> str:
    field = "game.options.variant"
    return fields.word(options.variant, VARIANTS.words, field, STANDARD.variant)


def _edition(options: GameOptions) -> str:
    field = "game.options.edition"
    return fields.word(options.edition, EDITIONS.words, field, STANDARD.edition)


def _expansions(options: GameOptions) -> tuple[str, ...]:
    field = "game.options.expansions"
    return tuple(
        fields.word(value, EXPANSIONS.words, f"{field}[{place}]")
        for place, value in enumerate(options.expansions)
    )


def _closing_actions(options: GameOptions) -> bool:
    return options.closing_actions if options.HasField("closing_actions") else True


def _cars(options: GameOptions) -> tuple[str, ...]:
    return tuple(_names(options.cars, "game.options.cars"))


def _seats(game: Game) -> list[list[str]]:
    return [
        _names(seat.figures, f"game.seats[{number}].figures")
        for number, seat in enumerate(game.seats)
    ]


def _words(values: Iterable[int], words: Words[Any], field: str) -> frozenset[str]:
    return frozenset(
        fields.word(value, words.words, f"{field}[{place}]") for place, value in enumerate(values)
    )


def _names(values: Iterable[str], field: str) -> list[str]:
    return [fields.name(value, f"{field}[{place}]") for place, value in enumerate(values)]
