"""Random games on the bare engine, to find faults in the rules and to measure their speed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from random import Random
from time import perf_counter
from typing import TypeVar

from coltexpress_server.game.choices import Choice, Keep
from coltexpress_server.game.codec import decode_state, encode_state
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.engine import apply, decisions, new_game
from coltexpress_server.game.generator import SEED_BYTES
from coltexpress_server.game.invariants import Checker
from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.game.options import STANDARD
from coltexpress_server.game.state import State
from coltexpress_server.game.views import view

T = TypeVar("T")

MOST_CHOICES = 1_000
"""No game is this long; one that is will never end."""


@dataclass(slots=True, frozen=True)
class Report:
    """What came of the games.

    variant, players: what was played, and by how many.
    games, finished: how many were begun, and how many ended.
    violations: what was wrong, each with its game and the number of choices before it.
    decisions: choices made in all games.
    mean_options: among how many options a choice was made, on average; of a set only all of it and
        nothing count.
    """

    variant: str
    players: int
    games: int
    finished: int
    violations: list[str]
    decisions: int
    games_per_second: float
    decisions_per_second: float
    mean_options: float

    def to_json(self) -> dict[str, object]:
        """The report as a JSON object."""
        return asdict(self)


def simulate(
    players: int,
    games: int,
    seed: int,
    *,
    check: bool = False,
    variant: str = "STANDARD",
    after_game: Callable[[], None] | None = None,
) -> Report:
    """Plays games in which every choice is random; the same arguments play the same games.

    players: as many as the variant is for.
    check: look for violations of the invariants after every step, save and load the game before
        every choice and see that it goes on the same, and look at it as every seat does.
    after_game: called after each game, to show progress.
    Raises InvalidOptions for a variant that does not exist or is not for so many players.
    """
    options = replace(STANDARD, variant=variant)
    violations: list[str] = []
    finished = made = offered = 0
    start = perf_counter()
    for number in range(games):
        chance = Random(f"{seed}/{number}")
        state = new_game(options, [[]] * players, chance.randbytes(SEED_BYTES))
        watch = Watch(state) if check else None
        while not state.finished and state.choices < MOST_CHOICES:
            decision = pick(chance, decisions(state))
            choice = answer(chance, decision)
            offered += len(decision.options)
            apply(state, decision.seat, choice)
            if watch is not None:
                watch.step(state, decision, choice)
        finished += state.finished
        made += state.choices
        if watch is not None:
            violations += [f"game {number}, {found}" for found in watch.violations]
        if after_game is not None:
            after_game()
    seconds = max(perf_counter() - start, 1e-9)  # a clock may stand still over no games
    return Report(
        variant=variant,
        players=players,
        games=games,
        finished=finished,
        violations=violations,
        decisions=made,
        games_per_second=round(games / seconds, 1),
        decisions_per_second=round(made / seconds, 1),
        mean_options=round(offered / made, 3) if made else 0.0,
    )


class Watch:
    """Looks over a game's shoulder: invariants, saving and loading, views.

    violations: what was found so far, each with the number of choices before it.
    """

    def __init__(self, state: State) -> None:
        """Looks at the game as it starts."""
        self.violations: list[str] = []
        self._checker = Checker()
        self._saved = encode_state(state)
        self._note(state, self._checker.check(state))

    def step(self, state: State, decision: Decision, choice: Choice) -> None:
        """Looks at the game after this choice, the only one since the last look."""
        self._note(state, self._checker.check(state))
        loaded = decode_state(self._saved)
        apply(loaded, decision.seat, choice)
        self._saved = encode_state(state)
        if encode_state(loaded) != self._saved or _asked(loaded) != _asked(state):
            self._note(state, ["SAVING (6): a saved and loaded game goes on otherwise"])
        viewers = [*range(len(state.seats)), SPECTATOR]
        encode_state(view(state, viewers[state.choices % len(viewers)]))

    def _note(self, state: State, found: list[str]) -> None:
        self.violations += [f"after {state.choices} choices: {what}" for what in found]


def answer(chance: Random, decision: Decision) -> Choice:
    """One of the options, or any cards of a set, as many as may be."""
    if decision.members:
        chosen = [card for card in decision.members if chance.randrange(2)]
        if len(chosen) > decision.most:
            chosen = chance.sample(chosen, decision.most)
        return Keep(tuple(chosen))
    return pick(chance, decision.options)


def pick(chance: Random, items: Sequence[T]) -> T:
    """One of the items, each equally likely."""
    # Several times as fast as `choice`, which would be a fifth of a game.
    return items[int(chance.random() * len(items))]


def _asked(state: State) -> list[tuple[str, str, list[str], list[str]]]:
    return [
        (
            decision.id,
            decision.kind,
            [option.text for option in decision.options],
            decision.members,
        )
        for decision in decisions(state)
    ]
