"""A game that waits for its players: what may be done with its seats, as changes of its record."""

from __future__ import annotations

from coltexpress_server.game.boxes import check_options, rules_for
from coltexpress_server.game.engine import deal_bandits
from coltexpress_server.game.events import Event
from coltexpress_server.game.generator import SEED_BYTES, Generator
from coltexpress_server.game.options import InvalidOptions, Options
from coltexpress_server.service.callers import Caller
from coltexpress_server.service.events import SeatLeft
from coltexpress_server.service.games import Change, Games, Request
from coltexpress_server.service.keys import Plain, digest
from coltexpress_server.service.records import (
    BY_LOBBY,
    FINISHED,
    LOBBY,
    NOBODY,
    GameRecord,
    SeatRecord,
    Step,
    StoredGame,
)
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import check_seat


def check_in_lobby(game: StoredGame) -> None:
    """Raises Refused for a game that has begun."""
    if game.record.status == FINISHED:
        raise Refused("GAME_OVER", "the game is over")
    if game.record.status != LOBBY:
        raise Refused("GAME_ALREADY_STARTED", "the game has begun already")


def check_playable(options: Options, seats: list[list[str]]) -> None:
    """Raises Refused INVALID_OPTIONS for options and seats that no game can have together."""
    try:
        check_options(options, len(seats))
        deal_bandits(rules_for(options, len(seats)), seats, Generator(bytes(SEED_BYTES), 0))
    except InvalidOptions as invalid:
        raise _invalid(invalid) from invalid


def _invalid(invalid: InvalidOptions) -> Refused:
    field = invalid.field
    if field.startswith("seats["):
        field = f"{field}.figures"
    elif field != "seats":
        field = f"options.{field}"
    return Refused("INVALID_OPTIONS", invalid.message, field=f"game.{field}")


def bandits_meant(options: Options, seats: list[list[str]]) -> list[list[str]]:
    """The bandits to be played on each seat; none on one whose figure goes without saying.

    seats: as a host names them, who may name that figure. They are playable with the options.
    """
    seating = rules_for(options, len(seats)).seating
    return [[] if seating.leads(number) else list(names) for number, names in enumerate(seats)]


def seat_down(record: GameRecord, number: int, figures: list[str]) -> SeatRecord:
    """The seat of a record that somebody takes, with the bandits chosen or meant for it.

    number, figures: as `free_seat` has found them to fit.
    """
    seat = record.seats[number]
    leads = rules_for(record.options, len(record.seats)).seating.leads(number)
    seat.chosen = [] if leads else list(figures) or list(seat.meant)
    return seat


def free_seat(record: GameRecord, wanted: int | None, figures: list[str]) -> int:
    """The seat to take. Raises Refused where none fits.

    figures: bandits, or the figure that a seat leads whoever sits there.
    """
    seats = record.seats
    rules = rules_for(record.options, len(seats))
    leads = [rules.seating.leads(number) for number in range(len(seats))]
    if figures and figures[0] in leads:
        return _take([leads.index(figures[0])], record, wanted, figures)
    each = rules.seating.bandits()
    if len(figures) not in {0, each}:
        raise Refused("INVALID_FIELD", f"a seat leads {each} of the bandits here", field="figures")
    for place, name in enumerate(figures):
        if name not in rules.powers or name in figures[:place]:
            raise Refused(
                "INVALID_FIELD",
                f"there is no bandit {name} to be led there",
                field=f"figures[{place}]",
            )
    led_by_choice = [number for number in range(len(seats)) if not (figures and leads[number])]
    return _take(led_by_choice, record, wanted, figures)


def _take(candidates: list[int], record: GameRecord, wanted: int | None, figures: list[str]) -> int:
    """That of these seats which is to be taken for the figures. Raises Refused where none fits."""
    seats = record.seats
    free = [number for number, seat in enumerate(seats) if not (seat.taken or seat.reserved)]
    if wanted is not None:
        check_seat(record, wanted, "seat")
        if wanted not in free:
            raise Refused("SEAT_TAKEN", f"seat {wanted} is taken", field="seat")
    if not free:
        raise Refused("NO_SEAT_FREE", "all seats are taken")
    fitting = [
        number
        for number in ([wanted] if wanted is not None else free)
        if number in candidates and (not figures or seats[number].meant in ([], figures))
    ]
    # A seat that is meant for the bandit comes before one that is meant for none.
    fitting.sort(key=lambda number: seats[number].meant != figures)
    for number in fitting:
        others = [
            name for other, seat in enumerate(seats) if other != number for name in seat.chosen
        ]
        if not any(name in others for name in figures):
            return number
    raise Refused("FIGURE_TAKEN", f"{figures[0]} cannot be played there", field="figures[0]")


def freed(before: GameRecord, number: int, *, removed: bool) -> Change:
    """The game without the player of a seat."""
    record = before.copy()
    meant = record.seats[number].meant
    record.seats[number] = SeatRecord(b"", "", meant, list(meant), b"")
    return Change(record, lobby_step([SeatLeft(number, removed)], number))


def lobby_step(events: list[Event], seat: int = NOBODY) -> Step:
    """A step in which nothing is played."""
    return Step(BY_LOBBY, seat, "", events, [], b"")


def token_request(
    games: Games, caller: Caller, game_id: str, request_id: str, method: str, *rest: Plain
) -> Request:
    """A request of the bearer of a token; rest: all that it asks for."""
    key = games.keys.request_key(game_id, caller.token, request_id)
    return Request(key, digest(method, *rest))
