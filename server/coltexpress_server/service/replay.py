"""The document with which anybody can check a finished game (docs/FAIRNESS.md)."""

from __future__ import annotations

from coltexpress_server.replay.document import write
from coltexpress_server.replay.export import CommitRecord, export_game
from coltexpress_server.service.callers import Caller
from coltexpress_server.service.events import of_the_rules
from coltexpress_server.service.games import Games
from coltexpress_server.service.past import history, played
from coltexpress_server.service.records import BY_LOBBY, FINISHED, NOBODY, PastStep
from coltexpress_server.service.refusals import Refused
from coltexpress_server.service.views import viewer_of


async def get_replay(games: Games, caller: Caller, game_id: str) -> str:
    """A finished game as a JSON document: the seed, every choice, every event.

    Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING, GAME_NOT_OVER, GAME_NOT_STARTED for one that
    ended before it began.
    """
    game = await games.load(game_id)
    viewer_of(game, caller, games.keys)
    record = game.record
    if record.status != FINISHED:
        raise Refused("GAME_NOT_OVER", "a game can be replayed when it is over")
    if record.aborted:
        raise Refused("GAME_NOT_OVER", "this game was ended before its end, and has no replay")
    steps = await history(games, game_id)
    play = played(steps)
    first, last = play[0].cursor.version, play[-1].cursor.version
    replay = export_game(
        game_id,
        record.options,
        [seat.chosen for seat in record.seats],
        seed=record.seed,
        entropies=[seat.entropy for seat in record.seats],
        commits=[_commit(past) for past in steps[first - 1 : last]],
    )
    return write(replay).decode()


def _commit(past: PastStep) -> CommitRecord:
    step = past.step
    return CommitRecord(
        past.cursor.version,
        "START" if step.trigger == BY_LOBBY else step.trigger,
        None if step.seat == NOBODY else step.seat,
        step.choice,
        of_the_rules(step.events),
    )
