"""The bot that plans its cards for as much as it can get in this round."""

from __future__ import annotations

from random import Random
from typing import Final

from coltexpress_server.bots.outlook import outlook
from coltexpress_server.bots.plan import Plan
from coltexpress_server.game.choices import Choice, Keep
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.engine import apply
from coltexpress_server.game.state import SCHEMIN, State
from coltexpress_server.game.views import determinize

_WORLDS: Final = 8
"""How many games that could be behind what it sees it looks at."""
_TRIALS: Final = 40
"""How often it plays one of them to the end of the round, to choose once."""


class GreedyBot:
    """Imagines what it does not see, plays the round to its end in thought, and takes what paid.

    A card acts only when the pile resolves, so it is not this choice alone that is tried but what
    the seat does with the rest of its hand too, on top of the pile as it lies. In thought others
    play anything; in Stealin' each of its own choices is the one that looks best at once.

    It asks the rules for options, outcomes and the score, and nothing else: new cards and choices
    are played like the others.
    """

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def choose(self, decision: Decision, seen: State) -> Choice:
        """One of the decision's options."""
        if decision.members:
            # One of each: looking a round ahead for it gained nothing that could be measured.
            return Keep(tuple(dict.fromkeys(decision.members))[: decision.most])
        options = decision.options
        if len(options) == 1:
            return options[0]
        plan = Plan()
        worlds = [determinize(seen, self._chance) for _ in range(_WORLDS)]
        for trial in range(_TRIALS):
            self._try(plan, worlds[trial % _WORLDS].copy(), decision)
        return plan.favourite(options)

    def _try(self, plan: Plan, state: State, decision: Decision) -> None:
        """Plays this round of an imagined game to its end, and learns from it."""
        seat = decision.seat
        current = state.round.number
        option, ahead = plan.pick(decision.options, self._chance)
        path = [plan, ahead]
        apply(state, seat, option)
        while state.pending and state.round.number == current:
            asked = _own(state.pending, seat)
            if asked.seat == seat and path[-1].tried:
                option, ahead = path[-1].pick(asked.options, self._chance)
                path.append(ahead)
            elif asked.seat == seat and state.round.phase != SCHEMIN:
                option = _best(state, asked)
            else:
                option = asked.options[int(self._chance.random() * len(asked.options))]
            apply(state, asked.seat, option)
        gain = outlook(state, seat)
        for step in path:
            step.learn(gain)


def _own(pending: list[Decision], seat: int) -> Decision:
    """The seat's own decision where it has one, else any."""
    for decision in pending:
        if decision.seat == seat:
            return decision
    return pending[0]


def _best(state: State, decision: Decision) -> Choice:
    """The option after which the seat's outlook is best."""
    if len(decision.options) == 1:
        return decision.options[0]
    return max(decision.options, key=lambda option: _after(state, decision.seat, option))


def _after(state: State, seat: int, option: Choice) -> float:
    """The seat's outlook once it has chosen this."""
    after = state.copy()
    apply(after, seat, option)
    return outlook(after, seat)
