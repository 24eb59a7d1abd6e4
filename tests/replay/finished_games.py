"""Finished games to verify: random choices, some seats chosen and some dealt, some with entropy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

from coltexpress_server.game.boxes import rules_for
from coltexpress_server.game.engine import apply, new_game
from coltexpress_server.game.events import Event
from coltexpress_server.game.generator import SEED_BYTES, mix
from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.replay.document import Replay
from coltexpress_server.replay.export import CommitRecord, export_game
from tests.game.random_games import (
    GAMES,
    MARSHAL,
    WITH_EXPANSIONS,
    Chooser,
    at_random,
    into_trouble,
)

BANDITS = ["GHOST", "CHEYENNE", "DJANGO", "BELLE", "TUCO", "DOC"]
FIRST_VERSION = 5
"""The lobby of a game has versions of its own, before the one that starts it."""


@cache
def finished_game(
    players: int, seed: int, choose: Chooser = at_random, *, options: Options = STANDARD
) -> Replay:
    """A game played to its end; the same one for the same arguments."""
    chance = Random(f"{players}/{seed}")
    server_seed = chance.randbytes(SEED_BYTES)
    entropies = [chance.randbytes(chance.choice([0, 1, 16])) for _ in range(players)]
    seating = rules_for(options, players).seating
    each = seating.bandits()
    left = iter([*chance.sample(BANDITS, len(BANDITS)), "MEI"])
    led = [
        [seating.leads(seat)] if seating.leads(seat) else [next(left) for _ in range(each)]
        for seat in range(players)
    ]
    seats = [names if chance.random() < 0.5 else [] for names in led]
    count = seating.ordinary_cars(players)
    cars = tuple(chance.sample("ABCDEF", count)) if chance.random() < 0.2 else ()
    options = replace(options, cars=cars)

    log: list[Event] = []
    state = new_game(options, seats, mix(server_seed, entropies), log)
    commits = [CommitRecord(FIRST_VERSION, "START", None, "", tuple(log))]
    while not state.finished:
        log.clear()
        decision, choice = choose(state, chance)
        choice = decision.canonical(choice)
        apply(state, decision.seat, choice)
        version = FIRST_VERSION + len(commits)
        cause = chance.choice(["PLAYER", "BOT", "TIMEOUT"])
        commits.append(CommitRecord(version, cause, decision.seat, choice.text, tuple(log)))
    return export_game(
        "00abcdefghijklmnopqrstuvwx",
        options,
        seats,
        seed=server_seed,
        entropies=entropies,
        commits=commits,
    )


def games_with_every_kind_of_event() -> Iterator[Replay]:
    """Games enough to have all of them."""
    for seed in range(20):
        yield finished_game(3 + seed % 4, seed)
    yield finished_game(6, 7, into_trouble)
    for seed in (3, 13, 23):
        yield finished_game(5, seed, options=MARSHAL)
    for options, players in [*GAMES, *WITH_EXPANSIONS]:
        if options != STANDARD:
            yield finished_game(players, 1, options=options)
