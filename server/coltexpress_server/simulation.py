"""Games on the bare engine.

Random ones, to find faults in the rules and to measure their speed, and games between levels of
bots, to see which plays better.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from time import perf_counter, process_time
from typing import TypeVar

from coltexpress_server.bots.levels import LEVELS
from coltexpress_server.game.choices import Choice, Keep
from coltexpress_server.game.codec import decode_state, encode_state
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.engine import apply, decisions, new_game
from coltexpress_server.game.generator import SEED_BYTES
from coltexpress_server.game.invariants import Checker
from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.game.scoring import score
from coltexpress_server.game.state import State
from coltexpress_server.game.views import view
from coltexpress_server.standings import Standing, Tally

T = TypeVar("T")

MOST_CHOICES = 1_000
"""No game is this long; one that is will never end."""


@dataclass(slots=True, frozen=True)
class Report:
    """What came of the games.

    variant, expansions, edition, players: what was played, and by how many.
    games, finished: how many were begun, and how many ended.
    violations: what was wrong, each with its game and the number of choices before it.
    goals_won: how many games were won by goals, where a seat has some.
    decisions: choices made in all games.
    mean_options: among how many options a choice was made, on average; of a set only all of it and
        nothing count.
    standings: how the levels of bots did, in the order given; none where all choices are random.
    """

    variant: str
    expansions: list[str]
    edition: str
    players: int
    games: int
    finished: int
    violations: list[str]
    goals_won: int | None
    decisions: int
    games_per_second: float
    decisions_per_second: float
    mean_options: float
    standings: list[Standing]

    def to_json(self) -> dict[str, object]:
        """The report as a JSON object."""
        return asdict(self)


def simulate(
    players: int,
    games: int,
    seed: int,
    *,
    check: bool = False,
    options: Options = STANDARD,
    bots: Sequence[str] = (),
    after_game: Callable[[], None] | None = None,
) -> Report:
    """Plays games; the same arguments play the same ones.

    players: as many as the options are for.
    check: look for violations of the invariants after every step, save and load the game before
        every choice and see that it goes on the same, and look at it as every seat does.
    bots: levels of bots, one a player, who see no more than their seats do; after each game they
        change places, see `moved_up`. By default every choice is random, of all that there are, and
        nobody looks: that is much faster.
    after_game: called after each game, to show progress.
    Raises InvalidOptions for options that do not exist or are not for so many players,
    ValueError for bots that are not one a player, KeyError for a level that does not exist.
    """
    if bots and len(bots) != players:
        raise ValueError(f"{players} players are not {len(bots)} bots")
    tallies = {level: Tally(level, bots.count(level)) for level in dict.fromkeys(bots)}
    violations: list[str] = []
    finished = made = offered = 0
    goals_won: int | None = None
    start = perf_counter()
    for number in range(games):
        chance = Random(f"{seed}/{number}")
        state = new_game(options, [[]] * players, chance.randbytes(SEED_BYTES))
        watch = Watch(state) if check else None
        table = Table(moved_up(bots, number, _team_size(state)), chance, tallies) if bots else None
        while not state.finished and state.choices < MOST_CHOICES:
            decision = pick(chance, decisions(state))
            choice = answer(chance, decision) if table is None else table.choose(state, decision)
            offered += len(decision.options)
            apply(state, decision.seat, choice)
            if watch is not None:
                watch.step(state, decision, choice)
        finished += state.finished
        result = score(state)
        if result.goals:
            goals_won = (goals_won or 0) + any(seat in result.goals for seat in result.winners)
        made += state.choices
        if table is not None and state.finished:
            table.finished(state)
        if watch is not None:
            violations += [f"game {number}, {found}" for found in watch.violations]
        if after_game is not None:
            after_game()
    seconds = max(perf_counter() - start, 1e-9)  # a clock may stand still over no games
    return Report(
        variant=options.variant,
        expansions=list(options.expansions),
        edition=options.edition,
        players=players,
        games=games,
        finished=finished,
        violations=violations,
        goals_won=goals_won,
        decisions=made,
        games_per_second=round(games / seconds, 1),
        decisions_per_second=round(made / seconds, 1),
        mean_options=round(offered / made, 3) if made else 0.0,
        standings=[tally.standing() for tally in tallies.values()],
    )


class Table:
    """The bots around the table of one game."""

    def __init__(self, levels: Sequence[str], chance: Random, tallies: Mapping[str, Tally]) -> None:
        """levels: by seat. chance: decides what chance each of the bots has."""
        self._levels = levels
        self._bots = [LEVELS[level].bot(Random(chance.random())) for level in self._levels]
        self._tallies = tallies

    def choose(self, state: State, decision: Decision) -> Choice:
        """What the bot chooses whose decision this is."""
        seen = view(state, decision.seat)
        start = process_time()
        choice = self._bots[decision.seat].choose(decision, seen)
        self._tallies[self._levels[decision.seat]].thought(process_time() - start)
        return choice

    def finished(self, state: State) -> None:
        """Counts who has won what."""
        for level, tally in self._tallies.items():
            tally.finished(state, [seat for seat, at in enumerate(self._levels) if at == level])


def moved_up(levels: Sequence[str], number: int, team_size: int) -> list[str]:
    """The levels by seat in game `number`, counted from 0.

    Teams move up by one with each game, and when they have been everywhere their members change
    places: in as many games as there are seats each sits in every one, with the same partners.
    """
    teams = len(levels) // team_size
    return [
        levels[
            (seat // team_size - number) % teams * team_size
            + (seat % team_size - number // teams) % team_size
        ]
        for seat in range(len(levels))
    ]


def _team_size(state: State) -> int:
    return len(state.seats) // len({seat.team for seat in state.seats})


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
