"""What operators do: look at all games, end one, move one to another store."""

from __future__ import annotations

from dataclasses import dataclass

from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.service.callers import Caller
from coltexpress_server.service.events import GameAborted
from coltexpress_server.service.exports import read_export, write_export
from coltexpress_server.service.filing import filing, status_word
from coltexpress_server.service.games import Change, Games, Request
from coltexpress_server.service.keys import digest
from coltexpress_server.service.lists import Wanted, list_some
from coltexpress_server.service.past import history
from coltexpress_server.service.records import (
    BY_OPERATOR,
    FINISHED,
    NOBODY,
    Step,
    StoredGame,
    decode_record,
    encode_record,
    encode_step,
)
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import Listing, Seen, check_seat, for_host, not_found
from coltexpress_server.store import Exists, Missing, Taken


@dataclass(slots=True)
class Inspection:
    """A game, and what is stored of it; sizes in bytes, times by the store's clock."""

    seen: Seen
    state_size: int
    history_size: int
    expires_ms: int
    due_ms: int


def require_operator(caller: Caller) -> None:
    """Raises Refused where the caller has shown no admin key."""
    if not caller.operator:
        raise Refused("ADMIN_KEY_MISSING", "this takes an admin key", field="x-admin-key")


async def list_all_games(games: Games, page_size: int, page_token: str, wanted: Wanted) -> Listing:
    """A page of all games, newest first. Raises Refused like `lists.list_games`."""
    return await list_some(games, page_size, page_token, wanted, wanted.words(status_word))


async def inspect_game(games: Games, game_id: str, as_seat: int | None) -> Inspection:
    """What there is to know of a game; as_seat: through whose eyes, None for everybody's.

    Raises Refused: GAME_NOT_FOUND, INVALID_FIELD.
    """
    game = await games.load(game_id)
    if as_seat is not None:
        check_seat(game.record, as_seat, "as_seat")
    steps = await history(games, game_id)
    upkeep = await games.store.upkeep(game_id, game.created_ms)
    shown = for_host(game, games.keys)
    return Inspection(
        Seen(game, SPECTATOR if as_seat is None else as_seat, shown.join_code),
        len(encode_record(game.record)),
        sum(len(encode_step(past.step)) for past in steps),
        upkeep.expires_ms,
        upkeep.due_ms,
    )


async def abort_game(
    games: Games, caller: Caller, game_id: str, request_id: str, reason: str
) -> Seen:
    """Ends a game without a result; reason: for the players to read.

    Raises Refused: GAME_NOT_FOUND, GAME_OVER.
    """

    def decide(game: StoredGame) -> Change:
        if game.record.status == FINISHED:
            raise Refused("GAME_OVER", "the game is over")
        record = game.record.copy()
        record.status = FINISHED
        record.aborted = True
        if record.state is not None:
            record.state = record.state.copy()
            record.state.pending = []
        step = Step(BY_OPERATOR, NOBODY, "", [GameAborted(reason)], [], record.seed)
        return Change(record, step)

    key = games.keys.request_key(game_id, f"operator {caller.operator}", request_id)
    changed = await games.change(game_id, Request(key, digest("abort", reason)), decide)
    return for_host(await games.after(changed, game_id), games.keys)


async def export_game(games: Games, game_id: str) -> bytes:
    """A game with all that is stored of it, for `import_game`. Raises Refused GAME_NOT_FOUND."""
    exported = await games.store.export(game_id)
    if isinstance(exported, Missing):
        raise not_found(game_id)
    return write_export(game_id, exported, games.keys)


async def import_game(games: Games, document: bytes) -> Seen:
    """Puts a game into this store as it was exported; it goes on as if nothing had happened.

    Raises Refused: INVALID_FIELD for what no service with this key has exported, GAME_EXISTS;
    Unreadable for a game of a later release.
    """
    game_id, exported = read_export(document, games.keys)
    stored = exported.stored
    record = decode_record(stored.state)
    outcome = await games.store.put(
        game_id,
        exported,
        code=games.code_hash(game_id, record),
        filed=filing(record, games.keys).words,
    )
    if isinstance(outcome, Exists) and outcome.cursor != stored.cursor:
        raise Refused("GAME_EXISTS", "there is a game of this name", game=f"games/{game_id}")
    if isinstance(outcome, Taken):
        raise Refused("GAME_EXISTS", "another game has the join code that this one had")
    return for_host(await games.load(game_id), games.keys)
