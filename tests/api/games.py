"""Games played by the engine alone: a supply of every kind of event, decision and choice."""

from __future__ import annotations

import random
from functools import cache

from coltexpress_server.game.boxes.horses_and_stagecoach import choices as horses_choices
from coltexpress_server.game.boxes.horses_and_stagecoach import events as horses_events
from coltexpress_server.game.boxes.marshal_and_prisoners import choices as marshal_choices
from coltexpress_server.game.boxes.marshal_and_prisoners import events as marshal_events
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.engine import apply, new_game
from coltexpress_server.game.events import Event, NeutralBulletsGone
from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.game.state import State

CAST = [["DOC"], ["GHOST"], ["CHEYENNE"], ["TUCO"], ["DJANGO"]]
PAIRS = [["DOC", "GHOST"], ["CHEYENNE", "TUCO"]]

HUNTED = [["MARSHAL"], *CAST[:3], ["BELLE"]]

HORSES = ("HORSES_AND_STAGECOACH",)
MARSHAL = ("MARSHAL_AND_PRISONERS",)
MODULES = {
    Choice: {Choice.__module__, horses_choices.__name__, marshal_choices.__name__},
    Event: {Event.__module__, horses_events.__name__, marshal_events.__name__},
}
"""Where the choices and events of games are, of which those in tests and in lobbies are none."""


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
        for variant, seats in (("EXPERT", CAST[:3]), ("TEAMS", CAST[:4]), ("EXPERT", PAIRS)):
            self._add(Options(variant, (), "BIG_BOX", ()), seats, 1)

    def add_expansions(self) -> None:
        """Plays games with expansions, likewise."""
        for number in range(12):
            variant, seats = ("EXPERT", PAIRS) if number % 4 == 0 else ("STANDARD", CAST)
            self._add(Options(variant, HORSES, "BIG_BOX", ()), seats, number)
        for number in range(12):
            expansions = (*HORSES, *MARSHAL) if number % 3 == 0 else MARSHAL
            variant = "EXPERT" if number % 4 == 0 else "STANDARD"
            self._add(Options(variant, expansions, "BIG_BOX", ()), HUNTED, number)

    def _add(self, options: Options, seats: list[list[str]], number: int) -> None:
        states, self.states = self.states, []
        chance = random.Random(number)
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
    found.add_expansions()
    found.events.append(NeutralBulletsGone(1))  # it takes more games than are worth waiting for
    assert {type(event).__name__ for event in found.events} == kinds_of(Event)
    return found


def kinds_of(base: type[Choice | Event]) -> set[str]:
    """The names of all kinds of choices, or of events, of a game.

    By name: a class with slots has a double, the class it was before it got them.
    """
    return {each.__name__ for each in base.__subclasses__() if each.__module__ in MODULES[base]}
