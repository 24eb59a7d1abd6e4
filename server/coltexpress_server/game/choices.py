"""Choices: what a seat can answer to a decision, as typed values with a canonical text.

The canonical text is the option's id on the wire and its form in replays; it is derived, never
stored beside the choice; `vocabulary.parse` is its inverse. Here are the choices of the base box;
other boxes bring their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from coltexpress_server.game.loot import UNKNOWN_VALUE


class Choice:
    """Base of all choices; two choices with equal fields are equal."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """Canonical text, without spaces, fields separated by colons, the verb first."""
        raise NotImplementedError

    @property
    def verb(self) -> str:
        """What kind of choice it is, e.g. `move`: the first word of its text."""
        return self.text.partition(":")[0]


@dataclass(slots=True, unsafe_hash=True)
class Play(Choice):
    """Play an action card from the hand (1.5.2).

    figure: whose card it is, empty for a card of the seat's only bandit and for one of no bandit.
    face_down: use a power to hide it (1.7.1); false in a TUNNEL, where all is hidden anyway.
    """

    figure: str
    action: str
    face_down: bool

    @property
    def card(self) -> str:
        """The card's name: `FIRE`, `DOC.FIRE`."""
        return f"{self.figure}.{self.action}" if self.figure else self.action

    @property
    def text(self) -> str:
        """`play:FIRE`, `play:DOC.FIRE`, `play:FIRE:face_down`."""
        return f"play:{self.card}:face_down" if self.face_down else f"play:{self.card}"


@dataclass(slots=True, unsafe_hash=True)
class Draw(Choice):
    """Draw three cards instead of playing one (1.5.2)."""

    @property
    def text(self) -> str:
        """`draw`."""
        return "draw"


@dataclass(slots=True, unsafe_hash=True)
class Pass(Choice):
    """Refuse what one may refuse (1.8.5)."""

    @property
    def text(self) -> str:
        """`pass`."""
        return "pass"


@dataclass(slots=True, unsafe_hash=True)
class MoveTo(Choice):
    """Move to a space (1.6.1)."""

    space: str

    @property
    def text(self) -> str:
        """`move:3.inside`."""
        return f"move:{self.space}"


@dataclass(slots=True, unsafe_hash=True)
class FloorTo(Choice):
    """Change floors to a space (1.6.2)."""

    space: str

    @property
    def text(self) -> str:
        """`floor:3.roof`."""
        return f"floor:{self.space}"


@dataclass(slots=True, unsafe_hash=True)
class MarshalTo(Choice):
    """Move the Marshal to a car (1.6.3)."""

    car: int

    @property
    def text(self) -> str:
        """`marshal:3`."""
        return f"marshal:{self.car}"


@dataclass(slots=True, unsafe_hash=True)
class FireAt(Choice):
    """Shoot a figure (1.6.4)."""

    figure: str

    @property
    def text(self) -> str:
        """`fire:DOC`."""
        return f"fire:{self.figure}"


@dataclass(slots=True, unsafe_hash=True)
class Rob(Choice):
    """Take a loot token from one's space (1.6.5).

    value: for a purse, the value that the chooser knows, or `UNKNOWN_VALUE` for any whose value he
    does not know (1.2.4); `UNKNOWN_VALUE` for other kinds.
    """

    loot: str
    value: int

    @property
    def text(self) -> str:
        """`rob:JEWEL`, `rob:PURSE`, `rob:PURSE:300`."""
        return f"rob:{_loot_text(self.loot, self.value)}"


@dataclass(slots=True, unsafe_hash=True)
class TakePurse(Choice):
    """Take a purse that lies on one's space (1.8.5); value as in `Rob`."""

    value: int

    @property
    def text(self) -> str:
        """`take:PURSE`, `take:PURSE:300`."""
        return f"take:{_loot_text('PURSE', self.value)}"


@dataclass(slots=True, unsafe_hash=True)
class Punch(Choice):
    """Punch a figure (1.6.6).

    drop: the kind of loot that the victim loses, empty if it owns none.
    space: where the victim is moved to.
    keep: the puncher takes the purse instead of letting it fall (1.7.2).
    """

    figure: str
    drop: str
    space: str
    keep: bool

    @property
    def text(self) -> str:
        """`punch:DOC:PURSE:3.inside`, `punch:DOC:PURSE:3.inside:keep`, `punch:DOC::3.inside`."""
        text = f"punch:{self.figure}:{self.drop}:{self.space}"
        return f"{text}:keep" if self.keep else text


@dataclass(slots=True, unsafe_hash=True)
class Keep(Choice):
    """Keep these cards of the hand, and no others (2.1.4).

    cards: their names as in `Play`, in canonical order, a name as often as cards are kept.
    """

    cards: tuple[str, ...]

    @property
    def text(self) -> str:
        """`keep:`, `keep:MOVE`, `keep:MOVE,TUCO.FIRE`."""
        return f"keep:{','.join(self.cards)}"


DRAW: Final = Draw()
PASS: Final = Pass()


def _loot_text(kind: str, value: int) -> str:
    return kind if value == UNKNOWN_VALUE else f"{kind}:{value}"


def read(verb: str, fields: list[str]) -> Choice | None:
    """The choice whose text may begin with this verb and go on with these fields, if any.

    The choices of all boxes are read by `vocabulary.parse`.
    """
    if verb == "play" and len(fields) in {1, 2}:
        figure, _, action = fields[0].rpartition(".")
        return Play(figure, action, len(fields) == 2)
    if verb == "draw":
        return DRAW
    if verb == "pass":
        return PASS
    if verb == "move" and len(fields) == 1:
        return MoveTo(fields[0])
    if verb == "floor" and len(fields) == 1:
        return FloorTo(fields[0])
    if verb == "marshal" and len(fields) == 1:
        return MarshalTo(number(fields[0]))
    if verb == "fire" and len(fields) == 1:
        return FireAt(fields[0])
    if verb == "rob" and len(fields) in {1, 2}:
        return Rob(fields[0], number(fields[1]) if len(fields) == 2 else UNKNOWN_VALUE)
    if verb == "take" and len(fields) in {1, 2}:
        return TakePurse(number(fields[1]) if len(fields) == 2 else UNKNOWN_VALUE)
    if verb == "keep" and len(fields) == 1:
        return Keep(tuple(fields[0].split(",")) if fields[0] else ())
    if verb == "punch" and len(fields) in {3, 4}:
        return Punch(fields[0], fields[1], fields[2], len(fields) == 4)
    return None


def number(text: str) -> int:
    """A decimal number of at most six ASCII digits; for anything else -2, which no choice holds."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else -2
