"""Creating a game, taking and leaving seats, deleting it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.game.options import Options
from coltexpress_server.service.absence import check_level, handed_over, usual_stand_in
from coltexpress_server.service.callers import Caller
from coltexpress_server.service.clocks import Clock, pack_clock
from coltexpress_server.service.events import GameCreated, SeatTaken
from coltexpress_server.service.games import Change, Games, Request
from coltexpress_server.service.join_codes import read_code
from coltexpress_server.service.keys import Plain, digest, same
from coltexpress_server.service.read import check_code_rate
from coltexpress_server.service.records import LOBBY, PRIVATE, GameRecord, SeatRecord, StoredGame
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
    check_playable(options, seats)
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
        seed=seed or games.new_seed(),
        clock=clock,
        stand_in=stand_in or usual_stand_in(),
        seats=[
            SeatRecord(b"", "", names, list(names), b"") for names in bandits_meant(options, seats)
        ],
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
        number = free_seat(game.record, seat, figures)
        record = game.record.copy()
        taken = seat_down(record, number, figures)
        taken.token_hash = games.keys.hash(token)
        taken.display_name = display_name
        taken.entropy = games.entropy(entropy)
        taken.principal = principal
        event = SeatTaken(number, display_name, record.figures[number], "")
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
        return freed(game.record, number, removed=False)

    request = token_request(games, caller, game_id, request_id, "leave")
    changed = await games.change(game_id, request, decide)
    game = await games.after(changed, game_id)
    if changed.game is None and game.record.status != LOBBY:
        # Repeated so late, the request must not show a PRIVATE game to one who has left it.
        viewer_of(game, Caller(caller.principal), games.keys)
    return Seen(game, SPECTATOR)


async def delete_game(games: Games, caller: Caller, game_id: str, request_id: str) -> None:
    """Removes a game and all that is stored of it, for its host; its watchers end.

    Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING, WRONG_ROLE.
    """
    request = token_request(games, caller, game_id, request_id, "delete")
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


def _plain(options: Options) -> tuple[Plain, ...]:
    return (
        *(options.variant, options.expansions, options.edition, options.cars),
        options.closing_actions,
    )


def _check_join_code(games: Games, game: StoredGame, code: str | None) -> None:
    """A PRIVATE game does not exist for those without the code, nor for those with a wrong one."""
    if game.record.visibility == PRIVATE:
        right = games.keys.join_code(game.game_id, game.record.code_number)
        if code is None or not same(code.encode(), right.encode()):
            raise not_found(game.game_id)
