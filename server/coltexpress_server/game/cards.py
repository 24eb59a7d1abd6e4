"""Cards: action cards, bullets and round cards, as immutable values.

What is printed on the cards of a box stands in that box's tables; here is what a card is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

BULLET: Final = "BULLET"
NEUTRAL: Final = "NEUTRAL"
HIDDEN: Final = "HIDDEN"


@dataclass(slots=True, eq=False)
class Card:
    """An action card of a figure, or a bullet given by one; never changed once made.

    Made through `Rules.card`, which returns the same object for the same words, so that cards of
    one game are compared by identity (RULES.md 1.3.1: equal cards in a hand are one option).

    figure: whose card it is; for a bullet who gave it, `NEUTRAL` if nobody did.
    action: what it does, `BULLET`, or `HIDDEN` where the viewer may not know.
    rank: its place in the canonical order of RULES.md section 7, bullets after actions; different
        for different cards, and what a card is stored as.
    """

    figure: str
    action: str
    rank: int

    @property
    def text(self) -> str:
        """Scenario word: `FIRE`, `BULLET` (neutral), `BULLET:DOC`, `HIDDEN`."""
        if self.action == BULLET and self.figure != NEUTRAL:
            return f"{BULLET}:{self.figure}"
        return self.action


HIDDEN_CARD: Final = Card("", HIDDEN, 99_999)


rank_of: Final[Callable[[Card], int]] = attrgetter("rank")
"""Sorting key of the canonical order; written in C, since every deal sorts every deck."""


@dataclass(slots=True, eq=False)
class PileCard:
    """A card on the common pile: who played it is public, what it is may not be (1.5.4)."""

    seat: int
    card: Card
    face_down: bool


@dataclass(slots=True)
class RoundCard:
    """A round card: its name, its turn icons in order, and the event at its end.

    keep: how many cards everybody may keep for the next round (3.7.2).
    `HIDDEN_ROUND` stands for one that the viewer has not seen (1.4.3).
    """

    name: str
    turns: list[str]
    event: str
    keep: int = 0


HIDDEN_ROUND: Final = RoundCard(HIDDEN, [], HIDDEN)
