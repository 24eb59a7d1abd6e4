"""Loot tokens and who knows what they are worth (RULES.md 1.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

UNKNOWN_VALUE: Final = -1
PUBLIC: Final = 0xFFFF
"""Every seat and every spectator knows; one bit a seat, the highest for spectators."""
SPECTATOR: Final = 15
"""The number under which a spectator looks at a game, where a seat's number would stand."""


@dataclass(slots=True, eq=False)
class Token:
    """One loot token; never changed once made, so that states may share it.

    kind: PURSE, JEWEL, STRONGBOX, or a kind that an expansion brings.
    value: dollars, or what else may be hidden of its kind; `UNKNOWN_VALUE` in the view of somebody
        who does not know it.
    known: bit mask of the seats that know the value, `PUBLIC` for everybody (1.2.3).
    """

    kind: str
    value: int
    known: int

    def known_to(self, seat: int) -> bool:
        """Whether the seat (or SPECTATOR) knows the value."""
        return bool(self.known >> seat & 1)

    def shown_to(self, seat: int) -> Token:
        """The same token, its value now known to this seat too, which owns it (1.2.3)."""
        return Token(self.kind, self.value, self.known | 1 << seat)

    @property
    def text(self) -> str:
        """Scenario word: `PURSE:300`, `PURSE` when the value is unknown, `JEWEL`."""
        may_be_secret = self.kind == "PURSE" or self.known != PUBLIC
        if may_be_secret and self.value != UNKNOWN_VALUE:
            return f"{self.kind}:{self.value}"
        return self.kind


@dataclass(slots=True, eq=False)
class LootKind:
    """How one kind of loot is handled.

    rank: its place in the canonical order (section 7).
    told_apart: whether a seat that takes one names it by its value, as far as it knows (1.2.4).
    owner_learns: whether whoever owns one learns its value (1.2.3).
    """

    rank: int
    told_apart: bool
    owner_learns: bool


def by_value(token: Token) -> tuple[str, int, int]:
    """Sorting key that puts tokens in an order anybody can rebuild, before one of them is drawn."""
    return (token.kind, token.value, token.known)
