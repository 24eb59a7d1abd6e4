"""Games with random shuffles and choices, the same ones for the same arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random

from coltexpress_server.game.choices import Choice, Keep, Play
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.engine import apply, decisions, new_game
from coltexpress_server.game.events import Event
from coltexpress_server.game.generator import SEED_BYTES
from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.game.state import SCHEMIN, State

Chooser = Callable[[State, Random], tuple[Decision, Choice]]

EXPERT = replace(STANDARD, variant="EXPERT")
TEAMS = replace(STANDARD, variant="TEAMS")

GAMES = [
    *((STANDARD, players) for players in (3, 4, 5, 6)),
    *((EXPERT, players) for players in (2, 3, 4, 5, 6)),
    *((TEAMS, players) for players in (4, 6)),
]
"""Every variant of the base box with every number of players."""

HORSES = Options("STANDARD", ("HORSES_AND_STAGECOACH",), "BIG_BOX", ())
MARSHAL = replace(STANDARD, expansions=("MARSHAL_AND_PRISONERS",))
BOTH = replace(STANDARD, expansions=HORSES.expansions + MARSHAL.expansions)

WITH_HORSES = [
    (Options(variant, HORSES.expansions, edition, ()), players)
    for variant, edition, players in (
        *(("STANDARD", "FIRST", 3), ("STANDARD", "BIG_BOX", 5)),
        *(("EXPERT", "BIG_BOX", 2), ("EXPERT", "FIRST", 6)),
        *(("TEAMS", "BIG_BOX", 4), ("TEAMS", "FIRST", 6)),
    )
]
"""Horses & Stagecoach with every variant, every band of players and both editions."""

WITH_A_MARSHAL = [
    (MARSHAL, 3),
    (replace(MARSHAL, variant="EXPERT"), 5),
    (replace(BOTH, closing_actions=False), 6),
    (replace(BOTH, variant="EXPERT", edition="FIRST"), 8),
]
"""Marshal & Prisoners with both variants, alone and not, with closing actions and without."""

WITH_EXPANSIONS = [*WITH_HORSES, *WITH_A_MARSHAL]

THERE_AND_BACK = ("whiskey", "RIDE", "PUNCH", "FLOOR_CHANGE", "MOVE", "MARSHAL")
AROUND_THE_STAGECOACH = ("stagecoach", "SHOTGUN", "gone")
MEETING_THE_MARSHAL = ("MARSHAL", "FLOOR_CHANGE", "MOVE")


def start(
    players: int, seed: int, log: list[Event] | None = None, *, options: Options = STANDARD
) -> State:
    """A game of dealt bandits at its first decision."""
    return new_game(options, [[]] * players, Random(seed).randbytes(SEED_BYTES), log)


def at_random(state: State, chance: Random) -> tuple[Decision, Choice]:
    """One of the open decisions, and one of its answers."""
    decision = chance.choice(decisions(state))
    return decision, answer(decision, chance)


def answer(decision: Decision, chance: Random) -> Choice:
    """One of the options, or any of the cards where a set is asked for."""
    if decision.members:
        chosen = [card for card in decision.members if chance.randrange(2)]
        if len(chosen) > decision.most:
            chosen = chance.sample(chosen, decision.most)
        return Keep(tuple(chosen))
    return chance.choice(decision.options)


def into_trouble(state: State, chance: Random) -> tuple[Decision, Choice]:
    """A choice that brings neutral bullets, so that their pile may run out (1.6.8)."""
    decision = decisions(state)[0]
    if state.round.phase == SCHEMIN:
        plays = [option for option in decision.options if isinstance(option, Play)]
        wanted = [option for option in plays if option.action in MEETING_THE_MARSHAL]
        return decision, chance.choice(wanted or decision.options)
    left: dict[Choice, int] = {}
    for option in decision.options:
        after = state.copy()
        apply(after, decision.seat, option)
        left[option] = after.neutral_bullets
    fewest = min(left.values())
    return decision, chance.choice([option for option in left if left[option] == fewest])


def to_the_stagecoach(state: State, chance: Random) -> tuple[Decision, Choice]:
    """A choice that leads there, so that hostages are taken and the Shotgun is met (3.3, 3.4)."""
    wanted = THERE_AND_BACK if state.round.phase == SCHEMIN else AROUND_THE_STAGECOACH
    return _leading_to(wanted, state, chance)


def around_the_cell(state: State, chance: Random) -> tuple[Decision, Choice]:
    """A choice that fills it or empties it, or brings Marshal and bandits together (4.7, 4.13)."""
    last = state.train.caboose
    wanted: tuple[str, ...] = ("BRILLIANT_IDEA", "CAPTURE", "PUNCH", "FIRE", "search")
    if state.round.phase != SCHEMIN:
        wanted = (*wanted, "punch:MARSHAL", "free", "fire", ",", f"{last}.", f"{last - 1}.inside")
    return _leading_to(wanted, state, chance)


def _leading_to(wanted: Sequence[str], state: State, chance: Random) -> tuple[Decision, Choice]:
    decision = chance.choice(decisions(state))
    if decision.members or not chance.randrange(6):
        return decision, answer(decision, chance)
    leading = [option for option in decision.options if any(word in option.text for word in wanted)]
    return decision, chance.choice(leading or decision.options)


def go_on(state: State, chance: Random) -> None:
    """Makes a random choice."""
    decision, choice = at_random(state, chance)
    apply(state, decision.seat, choice)


def positions(
    players: int,
    seed: int,
    log: list[Event] | None = None,
    choose: Chooser = at_random,
    *,
    options: Options = STANDARD,
) -> Iterator[State]:
    """The game at each of its decisions and at its end, always the same object."""
    state = start(players, seed, log, options=options)
    chance = Random(seed)
    yield state
    while not state.finished:
        decision, choice = choose(state, chance)
        apply(state, decision.seat, choice)
        yield state


def position(
    players: int, seed: int, wanted: Callable[[State], bool], *, options: Options = STANDARD
) -> State:
    """A game stopped at the first position that is wanted."""
    return next(state for state in positions(players, seed, options=options) if wanted(state))
