"""Once more: the game that is played after one that is over, by the same players.

A game has one rematch, whose id and tokens are derived from it: however often and by however many
it is asked for, everybody gets the same one. Its seats are reserved for those who sat there before,
who show the tokens that they hold and get those of the new game; bots sit where bots sat.
"""

from __future__ import annotations

from dataclasses import dataclass

from coltexpress_server.service.callers import Caller
from coltexpress_server.service.events import GameCreated, RematchCreated, SeatTaken
from coltexpress_server.service.games import Change, Games, Request
from coltexpress_server.service.keys import digest
from coltexpress_server.service.records import FINISHED, LOBBY, GameRecord, SeatRecord, StoredGame
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import Seen, require_part, see
from coltexpress_server.service.waiting import check_in_lobby, lobby_step


@dataclass(slots=True)
class Rematch:
    """The game that is played next, and the caller's part in it.

    seat, seat_token: None and empty for one who had no seat. host_token: empty for all but the
    host.
    """

    seen: Seen
    seat: int | None
    seat_token: str
    host_token: str


async def rematch(games: Games, caller: Caller, game_id: str, entropy: bytes) -> Rematch:
    """The game after one that is over, for its host or one of its players, who takes his seat.

    entropy: at most 255 bytes that the player brings to the new shuffle.
    Raises Refused: GAME_NOT_FOUND, also where the rematch was deleted; TOKEN_MISSING, also for who
    has given up his seat in the rematch; GAME_NOT_OVER; GAME_ALREADY_STARTED and SEAT_TAKEN where
    the host no longer keeps the seat for the caller.
    """
    game = await games.load(game_id)
    seat = require_part(game, caller, games.keys)
    if game.record.status != FINISHED:
        raise Refused("GAME_NOT_OVER", "a rematch follows when the game is over")
    next_id = games.keys.rematch_id(game_id)
    host_token = games.keys.rematch_host_token(next_id)
    await _create(games, game, next_id, host_token)
    if seat is not None:
        token = games.keys.rematch_seat_token(next_id, seat)
        await _take_seat(games, caller, next_id, seat=seat, token=token, entropy=entropy)
        shown = see(await games.load(next_id), Caller(caller.principal, token), games.keys)
        return Rematch(shown, seat, token, "")
    shown = see(await games.load(next_id), Caller(caller.principal, host_token), games.keys)
    return Rematch(shown, None, "", host_token)


async def _create(games: Games, game: StoredGame, next_id: str, host_token: str) -> None:
    """Creates the rematch and says so in the game before, where that has not been done.

    A rematch that has been forgotten since, as nobody came, is created anew.
    """
    before = game.record
    record = GameRecord(
        status=LOBBY,
        visibility=before.visibility,
        options=before.options,
        principal=before.principal,
        host_hash=games.keys.hash(host_token),
        code_number=0,
        seed=games.new_seed(),
        clock=before.clock,
        stand_in=before.stand_in,
        seats=[
            SeatRecord(
                b"",
                seat.display_name,
                list(seat.meant),
                list(seat.chosen),
                b"",
                bot=seat.bot,
                reserved=seat.taken and not seat.bot,
            )
            for seat in before.seats
        ],
        state=None,
    )
    request = Request(
        games.keys.request_key(next_id, game.game_id, "rematch"), digest("rematch", game.game_id)
    )
    await games.create(
        next_id, Change(record, lobby_step([GameCreated(record.seed_hash)])), request
    )

    if before.rematch:
        return

    def decide(game: StoredGame) -> Change:
        record = game.record.copy()
        record.rematch = next_id
        return Change(record, lobby_step([RematchCreated(next_id)]))

    request = Request(
        games.keys.request_key(game.game_id, next_id, "rematch"), digest("rematch", next_id)
    )
    await games.change(game.game_id, request, decide)


async def _take_seat(
    games: Games, caller: Caller, next_id: str, *, seat: int, token: str, entropy: bytes
) -> None:
    """Takes the seat that is reserved, once; whatever becomes of it then."""

    def decide(game: StoredGame) -> Change:
        check_in_lobby(game)
        record = game.record.copy()
        if not (seat < len(record.seats) and record.seats[seat].reserved):
            raise Refused("SEAT_TAKEN", f"seat {seat} is kept for nobody any more")
        taken = record.seats[seat]
        taken.reserved = False
        taken.token_hash = games.keys.hash(token)
        taken.entropy = games.entropy(entropy)
        taken.principal = caller.principal.name
        event = SeatTaken(seat, taken.display_name, record.figures[seat], "")
        return Change(record, lobby_step([event], seat))

    # Whatever he brings, he takes it once.
    request = Request(games.keys.request_key(next_id, token, "rematch"), digest("rematch"))
    await games.change(next_id, request, decide)
