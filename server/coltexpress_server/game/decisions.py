"""What a seat is asked, and why an answer to it is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from coltexpress_server.game.choices import Choice, Keep

NO_MEMBERS: Final[list[str]] = []
"""For decisions that are not about a set."""


@dataclass(slots=True, eq=False)
class Decision:
    """A question to one seat, with everything it may answer.

    seat: who answers.
    figure: for which of the seat's figures.
    kind: SCHEME, MOVE, FIRE, ...: public, as seat and figure are; the options are the seat's alone.
    options: all legal answers in canonical order (RULES.md section 7), never empty; a list that
        may be shared with other states, never changed.
    asked_anyway: ask even with one option, since their number betrays something hidden (1.5.8).
    opened: how many choices the game had seen when the question was put.
    members: where the answer is a set of cards: the names of those that may be chosen, in canonical
        order, a name as often as it may be chosen; any of them, up to `most`, are a legal answer,
        and options holds but the first and the last in the order: the first of them, and none.
    voluntary: something beyond what is due, refused for a seat that does not answer in time.
    """

    seat: int
    figure: str
    kind: str
    options: list[Choice]
    asked_anyway: bool
    opened: int
    members: list[str]
    voluntary: bool = False

    @property
    def id(self) -> str:
        """Names this decision within a game's history: `OPENED.SEAT`."""
        return f"{self.opened}.{self.seat}"

    @property
    def most(self) -> int:
        """How many of the members may be chosen; 0 where the answer is no set."""
        first = self.options[0] if self.members else None
        return len(first.cards) if isinstance(first, Keep) else 0

    def allows(self, choice: Choice) -> bool:
        """Whether this is a legal answer."""
        return choice in self.options or (bool(self.members) and self._part(choice) is not None)

    def canonical(self, choice: Choice) -> Choice:
        """A legal answer in its one form: a set in the order of the members."""
        part = self._part(choice) if self.members else None
        return choice if part is None else part

    def _part(self, choice: Choice) -> Keep | None:
        """The members that a choice names, in their order; None if it names something else."""
        if not isinstance(choice, Keep):
            return None
        left = list(choice.cards)
        part: list[str] = []
        for card in self.members:
            if card in left:
                left.remove(card)
                part.append(card)
        return None if left or len(part) > self.most else Keep(tuple(part))


class IllegalChoice(Exception):
    """A choice that is not among the options; the state is untouched.

    reason: a value of the API's ErrorReason.
    rule: the paragraph of RULES.md that forbids it.
    message: one sentence that reveals nothing the seat may not know.
    """

    def __init__(self, reason: str, rule: str, message: str) -> None:
        super().__init__(f"{message} (rule {rule})")
        self.reason = reason
        self.rule = rule
        self.message = message
