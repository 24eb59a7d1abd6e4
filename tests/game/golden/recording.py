"""Counts and games that must come out the same in every release, unless the rules are changed.

    python -m tests.game.golden.recording

writes them anew, from the root of the checkout: only after a change that is meant to make the same
choices lead elsewhere, together with a higher RULES_REVISION, and looking at what changed.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import msgspec

from coltexpress_server.game.engine import apply, decisions
from coltexpress_server.game.events import Event, GameEnded
from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.game.state import STEALIN, State
from coltexpress_server.replay.export import event_to_json
from tests.game import random_games
from tests.game.random_games import position, positions, start

FOLDER = Path(__file__).parent
PERFT = FOLDER / "perft.json"
GAMES = FOLDER / "games.json"

SEEDS = {"STANDARD": range(10), "EXPERT": range(4), "TEAMS": range(4)}
DEPTH = {"STANDARD": 5, "EXPERT": 4, "TEAMS": 4}


def perft(state: State, depth: int) -> int:
    """How many sequences of `depth` choices there are from here on."""
    if depth == 1:
        return sum(len(decision.options) for decision in decisions(state))
    count = 0
    for decision in decisions(state):
        for option in decision.options:
            after = state.copy()
            apply(after, decision.seat, option)
            count += perft(after, depth - 1)
    return count


def name(options: Options, players: int) -> str:
    """What the counts and games of a set of options with so many players are written under."""
    if options == STANDARD:
        return str(players)
    return " ".join([options.variant, str(players), *options.expansions])


def perft_from_start(options: Options, players: int) -> list[str]:
    """For each seed the counts to every depth from the first decision of a game."""
    return [
        _counts(start(players, seed, options=options), DEPTH[options.variant])
        for seed in SEEDS[options.variant]
    ]


def perft_from_stealin(options: Options, players: int) -> list[str]:
    """For each seed the counts to every depth from the first decision of a first Stealin'."""
    return [
        _counts(position(players, seed, _at_stealin, options=options), DEPTH[options.variant])
        for seed in SEEDS[options.variant]
    ]


def perft_from_keeping(players: int) -> list[str]:
    """For each seed the counts from where everybody is first asked what to keep (2.1.4).

    Of each set all and nothing are tried, and the order of answers counts.
    """
    return [
        _counts(position(players, seed, _at_keeping, options=random_games.EXPERT), DEPTH["EXPERT"])
        for seed in SEEDS["EXPERT"]
    ]


def games(options: Options, players: int) -> list[dict[str, object]]:
    """For each seed a random game; with expansions fewer of them."""
    seeds = SEEDS[options.variant]
    return [game(options, players, seed) for seed in (seeds[:3] if options.expansions else seeds)]


def _at_stealin(state: State) -> bool:
    return state.round.phase == STEALIN


def _at_keeping(state: State) -> bool:
    return len(state.pending) > 1


def _counts(state: State, deepest: int) -> str:
    return " ".join(str(perft(state, depth)) for depth in range(1, deepest + 1))


def game(options: Options, players: int, seed: int) -> dict[str, object]:
    """A random game: how many choices, a hash over all events, the result."""
    log: list[Event] = []
    choices = sum(1 for _ in positions(players, seed, log, options=options)) - 1
    lines = [
        msgspec.json.encode(event_to_json(event))
        for event in log
        if not event.hidden_from(SPECTATOR)
    ]
    end = log[-1]
    assert isinstance(end, GameEnded)
    return {
        "choices": choices,
        "events": sha256(b"\n".join(lines)).hexdigest(),
        "scores": end.scores,
        "winners": end.winners,
    }


def main() -> None:
    """Writes both files."""
    counts = {
        name(options, players): {
            "start": perft_from_start(options, players),
            "stealin": perft_from_stealin(options, players),
        }
        for options, players in random_games.GAMES
    }
    for options, players in random_games.GAMES:
        if options == random_games.EXPERT:
            counts[name(options, players)]["keeping"] = perft_from_keeping(players)
    played = {
        name(options, players): games(options, players)
        for options, players in random_games.GAMES + random_games.WITH_EXPANSIONS
    }
    for path, content in ((PERFT, counts), (GAMES, played)):
        path.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
