"""Games played by the engine alone: a supply of every kind of event, decision and choice."""

from __future__ import annotations

import random
from functools import cache

from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.engine import apply, new_game
from coltexpress_server.game.events import Event, NeutralBulletsGone
from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.game.state import State

CAST = [["DOC"], ["GHOST"], ["CHEYENNE"], ["TUCO"], ["DJANGO"]]
PAIRS = [["DOC", "GHOST"], ["CHEYENNE", "TUCO"]]


class Played:
    """What happened in some games: all events, all decisions, a state for every decision."""

    def __init__(self, games: int) -> None:
        self.events: list[Event] = []
        self.decisions: list[Decision] = []
        self.states: list[State] = []
        for number in range(games):
            chance = random.Random(number)
            self._play(chance, new_game(STANDARD, CAST, chance.randbytes(32), self.events))

    @property
    def choices(self) -> list[Choice]:
        """All options of all decisions, each once."""
        return list({option: None for each in self.decisions for option in each.options})

    def add_variants(self) -> None:
        """Plays games of the other variants, for their events and decisions alone."""
        states = self.states
        self.states = []
        for variant, seats in (("EXPERT", CAST[:3]), ("TEAMS", CAST[:4]), ("EXPERT", PAIRS)):
            chance = random.Random(1)
            options = Options(variant, (), "BIG_BOX", ())
            self._play(chance, new_game(options, seats, chance.randbytes(32), self.events))
        self.states = states

    def _play(self, chance: random.Random, state: State) -> None:
        while state.pending:
            self.states.append(state.copy())
            decision = state.pending[0]
            self.decisions.append(decision)
            apply(state, decision.seat, chance.choice(decision.options))
        self.states.append(state.copy())


@cache
def played() -> Played:
    """Games in which every kind of event happens."""
    found = Played(20)
    found.add_variants()
    found.events.append(NeutralBulletsGone(1))  # it takes more games than are worth waiting for
    # By name: a class with slots has a double, the class it was before it got them.
    kinds = {
        each.__name__ for each in Event.__subclasses__() if each.__module__ == Event.__module__
    }
    assert {type(event).__name__ for event in found.events} == kinds
    return found
