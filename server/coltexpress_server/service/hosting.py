"""What a host does before a game begins: changing it, bots, removing players, starting it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from coltexpress_server.game.engine import new_game
from coltexpress_server.game.events import Event
from coltexpress_server.game.generator import mix
from coltexpress_server.game.options import Options
from coltexpress_server.service.absence import check_level, usual_stand_in
from coltexpress_server.service.callers import Caller
from coltexpress_server.service.clocks import Clock, SeatClock, pack_clock
from coltexpress_server.service.events import GameUpdated, SeatShown, SeatTaken
from coltexpress_server.service.games import Change, Games
from coltexpress_server.service.records import RUNNING, GameRecord, SeatRecord, StoredGame
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import Seen, check_seat, for_host, require_host
from coltexpress_server.service.waiting import (
    bandits_meant,
    check_in_lobby,
    check_playable,
    free_seat,
    freed,
    lobby_step,
    seat_down,
    token_request,
)


@dataclass(frozen=True, slots=True)
class Update:
    """What a host wants changed; None is left as it is.

    seats: for each the bandits to be played there, empty for any.
    changes_clock: whether the clock is to be this one, or none where that is None.
    stand_in: empty for the usual one.
    """

    visibility: str | None = None
    variant: str | None = None
    expansions: tuple[str, ...] | None = None
    edition: str | None = None
    cars: tuple[str, ...] | None = None
    closing_actions: bool | None = None
    seats: list[list[str]] | None = None
    changes_clock: bool = False
    clock: Clock | None = None
    stand_in: str | None = None

    def options(self, before: Options) -> Options:
        """The options that this makes of those there were."""
        return Options(
            before.variant if self.variant is None else self.variant,
            before.expansions if self.expansions is None else self.expansions,
            before.edition if self.edition is None else self.edition,
            before.cars if self.cars is None else self.cars,
            before.closing_actions if self.closing_actions is None else self.closing_actions,
        )


async def update_game(
    games: Games, caller: Caller, game_id: str, request_id: str, update: Update
) -> Seen:
    """Changes what is to be played in a game that has not begun, for its host.

    Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING, WRONG_ROLE, GAME_ALREADY_STARTED,
    INVALID_FIELD, INVALID_OPTIONS, SEAT_TAKEN where a seat would go or would get other bandits than
    its player has chosen.
    """
    if update.stand_in:
        check_level(update.stand_in, "game.stand_in")

    def decide(game: StoredGame) -> Change:
        require_host(game, caller, games.keys)
        check_in_lobby(game)
        record = game.record.copy()
        record.visibility = update.visibility or record.visibility
        record.options = update.options(record.options)
        if update.seats is not None:
            check_playable(record.options, update.seats)
            meant = bandits_meant(record.options, update.seats)
            record.seats = _seats_wanted(record.seats, meant)
        check_playable(record.options, [seat.chosen for seat in record.seats])
        if update.changes_clock:
            record.clock = update.clock
        if update.stand_in is not None:
            record.stand_in = update.stand_in or usual_stand_in()
        updated = GameUpdated(
            record.visibility,
            record.options,
            [
                SeatShown(
                    *(seat.taken, seat.display_name, figures, seat.bot),
                    reserved=seat.reserved,
                )
                for seat, figures in zip(record.seats, record.figures, strict=True)
            ],
            record.clock,
            record.stand_in,
        )
        return Change(record, lobby_step([updated]))

    options = (
        *(update.variant, update.expansions, update.edition, update.cars),
        update.closing_actions,
    )
    wanted = update.visibility, options, update.seats
    clock = update.changes_clock, pack_clock(update.clock), update.stand_in
    request = token_request(games, caller, game_id, request_id, "update", wanted, clock)
    changed = await games.change(game_id, request, decide)
    return for_host(await games.after(changed, game_id), games.keys)


async def add_bot(
    games: Games,
    caller: Caller,
    game_id: str,
    request_id: str,
    *,
    seat: int | None,
    level: str,
    figures: list[str],
    display_name: str,
) -> Seen:
    """Puts a bot on a free seat of a game that has not begun, for its host.

    seat, figures: as in `join_game`. level: one of `bots.levels.LEVELS`. display_name: empty for
    one that says which bot it is.
    Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING, WRONG_ROLE, GAME_ALREADY_STARTED, GAME_OVER,
    INVALID_FIELD, NO_SEAT_FREE, SEAT_TAKEN, FIGURE_TAKEN.
    """
    check_level(level, "level")

    def decide(game: StoredGame) -> Change:
        require_host(game, caller, games.keys)
        check_in_lobby(game)
        number = free_seat(game.record, seat, figures)
        record = game.record.copy()
        taken = seat_down(record, number, figures)
        taken.bot = level
        taken.display_name = display_name or f"Bot {number + 1}"
        event = SeatTaken(number, taken.display_name, record.figures[number], level)
        return Change(record, lobby_step([event], number))

    request = token_request(
        *(games, caller, game_id, request_id),
        *("add bot", seat, level, figures, display_name),
    )
    changed = await games.change(game_id, request, decide)
    return for_host(await games.after(changed, game_id), games.keys)


async def remove_player(
    games: Games, caller: Caller, game_id: str, request_id: str, seat: int
) -> Seen:
    """Takes a seat from its player, whose token ends, or bot, before the start, for its host.

    A seat that is reserved is then free for all.

    Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING, WRONG_ROLE, GAME_ALREADY_STARTED, SEAT_FREE,
    INVALID_FIELD for a seat that there is not.
    """

    def decide(game: StoredGame) -> Change:
        require_host(game, caller, games.keys)
        check_in_lobby(game)
        check_seat(game.record, seat, "seat")
        if not (game.record.seats[seat].taken or game.record.seats[seat].reserved):
            raise Refused("SEAT_FREE", f"nobody sits on seat {seat}", field="seat")
        return freed(game.record, seat, removed=True)

    request = token_request(games, caller, game_id, request_id, "remove", seat)
    changed = await games.change(game_id, request, decide)
    return for_host(await games.after(changed, game_id), games.keys)


async def start_game(games: Games, caller: Caller, game_id: str, request_id: str) -> Seen:
    """Begins the game, for its host, when all seats are taken.

    Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING, WRONG_ROLE, GAME_ALREADY_STARTED, SEATS_FREE.
    """

    def decide(game: StoredGame) -> Change:
        require_host(game, caller, games.keys)
        check_in_lobby(game)
        free = sum(1 for seat in game.record.seats if not seat.taken)
        if free:
            raise Refused("SEATS_FREE", f"{free} of {len(game.record.seats)} seats are still free")
        return _start(game.record)

    request = token_request(games, caller, game_id, request_id, "start")
    changed = await games.change(game_id, request, decide)
    return for_host(await games.after(changed, game_id), games.keys)


def _seats_wanted(before: list[SeatRecord], wanted: list[list[str]]) -> list[SeatRecord]:
    """The seats as the host wants them; those that are taken keep what their players chose."""
    if any(seat.taken or seat.reserved for seat in before[len(wanted) :]):
        raise Refused("SEAT_TAKEN", "somebody sits on a seat that would go", field="game.seats")
    seats = []
    for number, names in enumerate(wanted):
        seat = before[number] if number < len(before) else SeatRecord(b"", "", [], [], b"")
        chosen = seat.chosen if seat.taken or seat.reserved else []
        if names and chosen and names != chosen:
            raise Refused(
                "SEAT_TAKEN",
                f"the player of seat {number} has chosen {' and '.join(chosen)}",
                field=f"game.seats[{number}].figures",
            )
        seats.append(replace(seat, meant=list(names), chosen=list(names or chosen)))
    return seats


def _start(before: GameRecord) -> Change:
    log: list[Event] = []
    record = before.copy()
    seed = mix(record.seed, [seat.entropy for seat in record.seats])
    state = new_game(record.options, [seat.chosen for seat in record.seats], seed, log)
    state.log = None
    record.state = state
    record.status = RUNNING
    if record.clock is not None:
        for seat in record.seats:
            seat.clock = SeatClock(record.clock.reserve_s * 1000)
    step = lobby_step(log)
    step.decisions = list(state.pending)
    return Change(record, step)
