"""The document with which anybody can check a finished game (docs/FAIRNESS.md)."""

from __future__ import annotations

from coltexpress_server.replay.document import write
from coltexpress_server.replay.export import CommitRecord, export_game
from coltexpress_server.service.callers import Caller
from coltexpress_server.service.events import of_the_rules
from coltexpress_server.service.games import Games
from coltexpress_server.service.read import finished_game
from coltexpress_server.service.records import BY_LOBBY, NOBODY, PastStep


async def get_replay(games: Games, caller: Caller, game_id: str) -> str:
    """A finished game as a JSON document: the seed, every choice, every event.

    Raises Refused: GAME_NOT_FOUND, TOKEN_MISSING, GAME_NOT_OVER.
    """
    game, steps = await finished_game(games, caller, game_id)
    record = game.record
    begun = next(number for number, past in enumerate(steps) if past.step.decisions)
    replay = export_game(
        game_id,
        record.options,
        [seat.chosen for seat in record.seats],
        seed=record.seed,
        entropies=[seat.entropy for seat in record.seats],
        commits=[_commit(past) for past in steps[begun:]],
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
