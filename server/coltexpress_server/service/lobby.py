"""Before a game begins: creating and changing it, taking and leaving seats, starting, deleting."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Final

from coltexpress_server.game.boxes import check_options, rules_for
from coltexpress_server.game.engine import deal_bandits, new_game
from coltexpress_server.game.events import Event
from coltexpress_server.game.generator import SEED_BYTES, Generator, mix
from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.game.options import InvalidOptions, Options
from coltexpress_server.service.absence import check_level, handed_over, usual_stand_in
from coltexpress_server.service.callers import Caller
from coltexpress_server.service.clocks import Clock, SeatClock, pack_clock
from coltexpress_server.service.events import (
    GameCreated,
    GameUpdated,
    SeatLeft,
    SeatShown,
    SeatTaken,
)
from coltexpress_server.service.games import Change, Games, Request
from coltexpress_server.service.join_codes import read_code
from coltexpress_server.service.keys import Plain, digest, same
from coltexpress_server.service.read import check_code_rate
from coltexpress_server.service.records import (
    BY_LOBBY,
    FINISHED,
    LOBBY,
    NOBODY,
    PRIVATE,
    RUNNING,
    GameRecord,
    SeatRecord,
    Step,
    StoredGame,
)
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import (
    Seen,
    for_host,
    not_found,
    require_host,
    require_seat,
    see,
    viewer_of,
)
from coltexpress_server.store import Missing

_MINUTE_MS: Final = 60_000


@dataclass(slots=True)
class Created:
    """A game just created."""

    seen: Seen
    host_token: str


@dataclass(slots=True)
class Joined:
    """A seat just taken."""

    seen: Seen
    seat: int
    seat_token: str


async def create_game(
    games: Games,
    caller: Caller,
    request_id: str,
    *,
    options: Options,
    seats: list[list[str]],
    visibility: str,
    clock: Clock | None,
    stand_in: str,
    seed: bytes,
) -> Created:
    """Creates a game with free seats; the caller becomes its host.

    seats: for each the bandits to be played there, empty for any. clock: None for all the time in
    the world. stand_in: the level of the bot that plays for who is absent, empty for the usual one.
    seed: 32 bytes, or empty for a random one. Repeated, it returns the game as it is then.
    Raises Refused: INVALID_FIELD, INVALID_OPTIONS, SEED_NOT_ALLOWED, TOO_MANY.
    """
    if stand_in:
        check_level(stand_in, "game.stand_in")
    if seed and not games.settings.allow_fixed_seed:
        raise Refused("SEED_NOT_ALLOWED", "this server does not let callers fix the seed")
    _check_playable(options, seats)
    principal = caller.principal.name
    game_id = games.keys.game_id(principal, request_id)
    host_token = games.keys.host_token(game_id, request_id)
    record = GameRecord(
        status=LOBBY,
        visibility=visibility,
        options=options,
        principal=principal,
        host_hash=games.keys.hash(host_token),
        code_number=0,
        seed=seed or secrets.token_bytes(SEED_BYTES),
        clock=clock,
        stand_in=stand_in or usual_stand_in(),
        seats=[SeatRecord(b"", "", list(names), list(names), b"") for names in seats],
        state=None,
    )
    request = Request(
        games.keys.request_key(game_id, principal, request_id),
        digest("create", *_plain(options), seats, visibility, pack_clock(clock), stand_in, seed),
    )
    await _check_rate(games, caller, game_id, request)
    step = lobby_step([GameCreated(record.seed_hash)])
    changed = await games.create(game_id, Change(record, step), request)
    game = await games.after(changed, game_id)
    return Created(for_host(game, games.keys), host_token)


async def join_game(
    games: Games,
    caller: Caller,
    game_id: str,
    request_id: str,
    *,
    seat: int | None,
    figures: list[str],
    display_name: str,
    entropy: bytes,
    join_code: str,
) -> Joined:
    """Takes a seat of a game that has not begun.

    seat: which, or None for any that fits. figures: bandits to play, empty for the seat's or any.
    entropy: at most 255 bytes, mixed into the shuffle.
    Raises Refused: GAME_NOT_FOUND (a wrong join code too), GAME_ALREADY_STARTED, NO_SEAT_FREE,
    SEAT_TAKEN, FIGURE_TAKEN, INVALID_OPTIONS, TOO_MANY; TOKEN_MISSING for a repeated request whose
    seat has been given up since.
    """
    principal = caller.principal.name
    code = read_code(join_code)
    if code is not None:
        await check_code_rate(games, caller, code)
    token = games.keys.seat_token(game_id, principal, request_id)
    request = Request(
        games.keys.request_key(game_id, principal, request_id),
        digest("join", seat, figures, display_name, entropy, join_code),
    )

    def decide(game: StoredGame) -> Change:
        _check_join_code(games, game, code)
        check_in_lobby(game)
        number = _free_seat(game.record, seat, figures)
        record = game.record.copy()
        taken = record.seats[number]
        taken.token_hash = games.keys.hash(token)
        taken.display_name = display_name
        taken.chosen = list(figures) or list(taken.meant)
        taken.entropy = entropy
        taken.principal = principal
        event = SeatTaken(number, display_name, list(taken.chosen), "")
        return Change(record, lobby_step([event], number))

    changed = await games.change(game_id, request, decide)
    game = await games.after(changed, game_id)
    # Repeated after the seat was given up, the request must not show what its next player sees.
    seen = see(game, Caller(caller.principal, token), games.keys)
    return Joined(seen, changed.past.step.seat, token)


async def leave_game(games: Games, caller: Caller, game_id: str, request_id: str) -> Seen:
    """Gives up the caller's seat; its token ends. In a game that has begun a bot plays it on.

    Raises Refused: GAME_NOT_FOUND (also for a request repeated when a PRIVATE game has begun),
    TOKEN_MISSING, WRONG_ROLE, GAME_OVER.
    """

    def decide(game: StoredGame) -> Change:
        number = require_seat(game, caller, games.keys)
        if game.record.status != LOBBY:
            return handed_over(game, number)
        return _freed(game.record, number, removed=False)

    request = _request(games, caller, game_id, request_id, "leave")
    changed = await games.change(game_id, request, decide)
    game = await games.after(changed, game_id)
    if changed.game is None and game.record.status != LOBBY:
        # Repeated so late, the request must not show a PRIVATE game to one who has left it.
        viewer_of(game, Caller(caller.principal), games.keys)
    return Seen(game, SPECTATOR)


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
        number = _free_seat(game.record, seat, figures)
        record = game.record.copy()
        taken = record.seats[number]
        taken.bot = level
        taken.display_name = display_name or f"Bot {number + 1}"
        taken.chosen = list(figures) or list(taken.meant)
        event = SeatTaken(number, taken.display_name, list(taken.chosen), level)
        return Change(record, lobby_step([event], number))

    request = _request(
        *(games, caller, game_id, request_id),
        *("add bot", seat, level, figures, display_name),
    )
    changed = await games.change(game_id, request, decide)
    return for_host(await games.after(changed, game_id), games.keys)


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
            _check_playable(record.options, update.seats)
            record.seats = _seats_wanted(record.seats, update.seats)
        _check_playable(record.options, [seat.chosen for seat in record.seats])
        if update.changes_clock:
            record.clock = update.clock
        if update.stand_in is not None:
            record.stand_in = update.stand_in or usual_stand_in()
        updated = GameUpdated(
            record.visibility,
            record.options,
            [
                SeatShown(
                    *(seat.taken, seat.display_name, list(seat.chosen), seat.bot),
                    reserved=seat.reserved,
                )
                for seat in record.seats
            ],
            record.clock,
            record.stand_in,
        )
        return Change(record, lobby_step([updated]))

    options = update.variant, update.expansions, update.edition, update.cars
    clock = update.changes_clock, pack_clock(update.clock), update.stand_in
    wanted = update.visibility, options, update.seats
    request = _request(games, caller, game_id, request_id, "update", wanted, clock)
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
        _check_seat(game.record, seat)
        if not (game.record.seats[seat].taken or game.record.seats[seat].reserved):
            raise Refused("SEAT_FREE", f"nobody sits on seat {seat}", field="seat")
        return _freed(game.record, seat, removed=True)

    request = _request(games, caller, game_id, request_id, "remove", seat)
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

    request = _request(games, caller, game_id, request_id, "start")
    changed = await games.change(game_id, request, decide)
    return for_host(await games.after(changed, game_id), games.keys)


async def delete_game(games: Games, caller: Caller, game_id: str, request_id: str) -> None:
    """Removes a game and all that is stored of it, for its host; its watchers end.

    Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING, WRONG_ROLE.
    """
    request = _request(games, caller, game_id, request_id, "delete")
    await games.delete(game_id, request, lambda game: require_host(game, caller, games.keys))


async def _check_rate(games: Games, caller: Caller, game_id: str, request: Request) -> None:
    """Raises Refused for one game too many in a minute, unless this request has made it already."""
    most = games.settings.games_per_minute
    if not most:
        return
    counter = games.keys.counter("games", caller)
    wait_ms = await games.store.count(counter, game_id, most=most, window_ms=_MINUTE_MS)
    if wait_ms and not await _carried_out(games, game_id, request):
        raise Refused("TOO_MANY", f"at most {most} games a minute", retry_after_s=wait_ms / 1000)


async def _carried_out(games: Games, game_id: str, request: Request) -> bool:
    found = await games.store.load(game_id, request_key=request.key)
    if isinstance(found, Missing):
        return found.digest is not None
    return found.repeated is not None


def _plain(options: Options) -> tuple[str, tuple[str, ...], str, tuple[str, ...]]:
    return options.variant, options.expansions, options.edition, options.cars


def _check_playable(options: Options, seats: list[list[str]]) -> None:
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


def _check_join_code(games: Games, game: StoredGame, code: str | None) -> None:
    """A PRIVATE game does not exist for those without the code, nor for those with a wrong one."""
    if game.record.visibility == PRIVATE:
        right = games.keys.join_code(game.game_id, game.record.code_number)
        if code is None or not same(code.encode(), right.encode()):
            raise not_found(game.game_id)


def check_in_lobby(game: StoredGame) -> None:
    """Raises Refused for a game that has begun."""
    if game.record.status == FINISHED:
        raise Refused("GAME_OVER", "the game is over")
    if game.record.status != LOBBY:
        raise Refused("GAME_ALREADY_STARTED", "the game has begun already")


def _free_seat(record: GameRecord, wanted: int | None, figures: list[str]) -> int:
    """The seat to take. Raises Refused where none fits."""
    seats = record.seats
    rules = rules_for(record.options, len(seats))
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
    free = [number for number, seat in enumerate(seats) if not (seat.taken or seat.reserved)]
    if wanted is not None:
        _check_seat(record, wanted)
        if wanted not in free:
            raise Refused("SEAT_TAKEN", f"seat {wanted} is taken", field="seat")
    if not free:
        raise Refused("NO_SEAT_FREE", "all seats are taken")
    fitting = [
        number
        for number in ([wanted] if wanted is not None else free)
        if not figures or seats[number].meant in ([], figures)
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


def _check_seat(record: GameRecord, seat: int) -> None:
    if not 0 <= seat < len(record.seats):
        raise Refused("INVALID_FIELD", f"there are {len(record.seats)} seats, from 0", field="seat")


def _freed(before: GameRecord, number: int, *, removed: bool) -> Change:
    """The game without the player of a seat."""
    record = before.copy()
    meant = record.seats[number].meant
    record.seats[number] = SeatRecord(b"", "", meant, list(meant), b"")
    return Change(record, lobby_step([SeatLeft(number, removed)], number))


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


def lobby_step(events: list[Event], seat: int = NOBODY) -> Step:
    """A step in which nothing is played."""
    return Step(BY_LOBBY, seat, "", events, [], b"")


def _request(
    games: Games, caller: Caller, game_id: str, request_id: str, method: str, *rest: Plain
) -> Request:
    """A request of the bearer of a token; rest: all that it asks for."""
    key = games.keys.request_key(game_id, caller.token, request_id)
    return Request(key, digest(method, *rest))
