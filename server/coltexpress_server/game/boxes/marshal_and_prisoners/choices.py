"""What a seat can choose in this box alone, each with its canonical text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from coltexpress_server.game.choices import Choice, number
from coltexpress_server.game.loot import UNKNOWN_VALUE


@dataclass(slots=True, unsafe_hash=True)
class Search(Choice):
    """Search the deck for a BRILLIANT_IDEA instead of drawing (4.12)."""

    @property
    def text(self) -> str:
        """`search`."""
        return "search"


@dataclass(slots=True, unsafe_hash=True)
class Capture(Choice):
    """Put a bandit into the cell (4.7)."""

    figure: str

    @property
    def text(self) -> str:
        """`capture:DOC`."""
        return f"capture:{self.figure}"


@dataclass(slots=True, unsafe_hash=True)
class ShootOne(Choice):
    """The Marshal gives a bandit the top bullet of a cylinder, 1 or 2 (4.8)."""

    figure: str
    cylinder: int

    @property
    def text(self) -> str:
        """`fire:DOC:2`."""
        return f"fire:{self.figure}:{self.cylinder}"


@dataclass(slots=True, unsafe_hash=True)
class ShootTwo(Choice):
    """The Marshal gives two bandits a bullet: the first of cylinder 1, the second of 2 (4.8)."""

    first: str
    second: str

    @property
    def text(self) -> str:
        """`fire:DOC:TUCO`."""
        return f"fire:{self.first}:{self.second}"


@dataclass(slots=True, unsafe_hash=True)
class RobTwo(Choice):
    """Take two loot tokens from one's space, both drawn before either is looked at (4.14).

    loot, value, other_loot, other_value: as in `Rob`, the two in canonical order.
    """

    loot: str
    value: int
    other_loot: str
    other_value: int

    @property
    def text(self) -> str:
        """`rob:JEWEL,PURSE`, `rob:PURSE:300,PURSE`."""
        one = _loot_text(self.loot, self.value)
        return f"rob:{one},{_loot_text(self.other_loot, self.other_value)}"


@dataclass(slots=True, unsafe_hash=True)
class FreePrisoner(Choice):
    """Take the card of a prisoner whom one frees (4.13)."""

    prisoner: str

    @property
    def text(self) -> str:
        """`free:PRISONER:BELLE`."""
        return f"free:{PRISONER}:{self.prisoner}"


@dataclass(slots=True, unsafe_hash=True)
class FreeBandit(Choice):
    """Let a bandit out of the cell (4.13)."""

    figure: str

    @property
    def text(self) -> str:
        """`free:DOC`."""
        return f"free:{self.figure}"


@dataclass(slots=True, unsafe_hash=True)
class Give(Choice):
    """Give a loot token to whoever let one out of the cell (4.13); value as in `Rob`."""

    loot: str
    value: int

    @property
    def text(self) -> str:
        """`give:JEWEL`, `give:PURSE:300`."""
        return f"give:{_loot_text(self.loot, self.value)}"


@dataclass(slots=True, unsafe_hash=True)
class LeaveCell(Choice):
    """Break out of the cell to a space of the prison car (4.13)."""

    space: str

    @property
    def text(self) -> str:
        """`leave_cell:5.roof`."""
        return f"leave_cell:{self.space}"


SEARCH: Final = Search()
PRISONER: Final = "PRISONER"


def _loot_text(kind: str, value: int) -> str:
    return kind if value == UNKNOWN_VALUE else f"{kind}:{value}"


def read(verb: str, fields: list[str]) -> Choice | None:
    """The choice whose text may begin with this verb and go on with these fields, if any."""
    if verb == "search":
        return SEARCH
    if verb == "rob":
        one, comma, other = ":".join(fields).partition(",")
        return RobTwo(*_read_loot(one), *_read_loot(other)) if comma else None
    if verb == "give" and len(fields) in {1, 2}:
        return Give(*_read_loot(":".join(fields)))
    if verb == "capture" and len(fields) == 1:
        return Capture(fields[0])
    if verb == "leave_cell" and len(fields) == 1:
        return LeaveCell(fields[0])
    if verb == "fire" and len(fields) == 2:
        first, second = fields
        return ShootOne(first, number(second)) if second[:1].isdigit() else ShootTwo(first, second)
    if verb == "free" and len(fields) == 1:
        return FreeBandit(fields[0])
    if verb == "free" and len(fields) == 2:
        return FreePrisoner(fields[1])
    return None


def _read_loot(text: str) -> tuple[str, int]:
    kind, colon, value = text.partition(":")
    return kind, number(value) if colon else UNKNOWN_VALUE
