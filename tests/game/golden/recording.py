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
from coltexpress_server.game.state import STEALIN, State
from coltexpress_server.replay.export import event_to_json
from tests.game.random_games import position, positions, start

FOLDER = Path(__file__).parent
PERFT = FOLDER / "perft.json"
GAMES = FOLDER / "games.json"

PLAYERS = (3, 4, 5, 6)
SEEDS = range(10)
START_DEPTH = 5
STEALIN_DEPTH = 5


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


def perft_from_start(players: int, seed: int) -> str:
    """The counts to every depth from the first decision of a game."""
    return _counts(start(players, seed), START_DEPTH)


def perft_from_stealin(players: int, seed: int) -> str:
    """The counts to every depth from the first decision of a game's first Stealin'."""
    state = position(players, seed, lambda state: state.round.phase == STEALIN)
    return _counts(state, STEALIN_DEPTH)


def _counts(state: State, deepest: int) -> str:
    return " ".join(str(perft(state, depth)) for depth in range(1, deepest + 1))


def game(players: int, seed: int) -> dict[str, object]:
    """A random game: how many choices, a hash over all events, the result."""
    log: list[Event] = []
    choices = sum(1 for _ in positions(players, seed, log)) - 1
    lines = [msgspec.json.encode(event_to_json(event)) for event in log]
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
        str(players): {
            "start": [perft_from_start(players, seed) for seed in SEEDS],
            "stealin": [perft_from_stealin(players, seed) for seed in SEEDS],
        }
        for players in PLAYERS
    }
    games = {str(players): [game(players, seed) for seed in SEEDS] for players in PLAYERS}
    for path, content in ((PERFT, counts), (GAMES, games)):
        path.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
