"""What a seat's own choices, one after the other, came to in the games it imagined."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from random import Random
from typing import Final

from coltexpress_server.game.choices import Choice

_CURIOSITY: Final = 0.15
"""How much a choice seldom tried is preferred to a better one tried often (the C of UCB1)."""


class Plan:
    """A tree of choices, searched as Monte-Carlo tree search does, with UCB1.

    It is open-loop: others' choices and chance are no part of it, since they come out otherwise in
    each imagined game; so may the options of a decision, and only those there are count.

    tried: how many imagined games came here.
    gained: the sum of what they were worth, 0 to 1 each.
    """

    __slots__ = ("_next", "gained", "tried")

    def __init__(self) -> None:
        """Nothing is tried yet."""
        self.tried = 0
        self.gained = 0.0
        self._next: dict[Choice, Plan] = {}

    def pick(self, options: Sequence[Choice], chance: Random) -> tuple[Choice, Plan]:
        """The option to try next, and the plan from there on.

        Any that was never tried, else the one that promises most.
        """
        fresh = [option for option in options if option not in self._next]
        if fresh:
            option = fresh[int(chance.random() * len(fresh))]
            plan = self._next[option] = Plan()
            return option, plan
        horizon = log(self.tried + 1)
        option = max(options, key=lambda option: self._next[option].promise(horizon))
        return option, self._next[option]

    def promise(self, horizon: float) -> float:
        """The mean gain, and more the less it was tried; horizon: log of the trials to share."""
        return self.gained / self.tried + _CURIOSITY * sqrt(horizon / self.tried)

    def learn(self, gain: float) -> None:
        """An imagined game that came here was worth so much."""
        self.tried += 1
        self.gained += gain

    def favourite(self, options: Sequence[Choice]) -> Choice:
        """The option tried most often: the one that stayed good; the first of them."""
        return max(options, key=self._trials)

    def _trials(self, option: Choice) -> int:
        plan = self._next.get(option)
        return plan.tried if plan is not None else 0
