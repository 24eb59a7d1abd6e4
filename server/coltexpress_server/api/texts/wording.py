"""What a box brings in words: what its things are called, and how what happens with them is told.

All texts are written in English, which is the source of every translation. A text that a table
holds is marked for translation by `N_`, or by `NP_` where it needs a context; `Language` translates
it when it is said. Names stand in a sentence as `{name}`; no sentence is glued from parts, but
phrases that several sentences need (a figure, a place, a list) are put into it ready-made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from coltexpress_server.api.texts.language import Language

Cast = Sequence[Sequence[str]]
"""The bandits of each seat, as far as they are known."""

# Any: a table holds writers of many kinds, each of which is given what its key says.
ChoiceWriter = Callable[[Any, "Language"], str]
"""Puts a choice of one class into words."""
EventWriter = Callable[[Any, "Language", Cast], str]
"""Tells an event of one class, as far as this form of it tells, in one sentence."""


class InContext(NamedTuple):
    """A text that is translated differently depending on its part in a sentence."""

    context: str
    text: str


class Plural(NamedTuple):
    """A text about {number} things."""

    one: str
    many: str


Text = str | InContext


def _marked(text: str) -> str:
    return text


N_: Final = _marked
"""Marks a text for translation where it stands in a table."""
NP_: Final = InContext
"""Marks a text with its context."""
NN_: Final = Plural
"""Marks a text with its plural."""


@dataclass(frozen=True, slots=True)
class Term:
    """What a thing is called, and one sentence about it."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Turn(Term):
    """A kind of turn. started: how the beginning of turn {number} is told."""

    started: str


@dataclass(frozen=True, slots=True)
class Question(Term):
    """A kind of decision. prompt: what the player of {figure} is asked."""

    prompt: str


@dataclass(frozen=True, slots=True)
class Loot(Term):
    """A kind of loot.

    some: one of unknown value. worth: one worth {money}. several: {number} of them.
    """

    some: str
    worth: str
    several: Plural


# Of figures that go by their names.
_SUBJECT: Final = NP_("subject", "{name}")
_TARGET: Final = NP_("target", "{name}")
_OWNER: Final = NP_("owner", "{name}'s")


@dataclass(frozen=True, slots=True)
class Figure(Term):
    """A figure, which is called differently by its part in a sentence.

    {name} in the three stands for what the figure is called.

    subject: who does something, or with whom something happens.
    target: to whom something is done; where a language has a preposition for that, with it.
    owner: whose something is.
    """

    subject: Text = _SUBJECT
    target: Text = _TARGET
    owner: Text = _OWNER


@dataclass(frozen=True, slots=True)
class Place:
    """The two spaces of a car or the like, whose {number} may be named: the way there, being there.

    A space is named `PLACE.LEVEL`.
    """

    to_inside: str
    to_roof: str
    inside: str
    roof: str


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of one box, or of a part of the service that has events of its own.

    box: what programs call the box; empty for what is in no box.
    figures, cards, loot, hostages, round_cards, turns, round_events, phases, levels, decisions,
        rows, variants, editions, boxes, marshal_bullets, goals, brawlers: by the words of the
        domain; rows are those of the score.
    cars: those that have a name instead of a letter and hold nothing, by the name.
    decks: of figures that are no bandits, by the figure.
    actions: what a seat can do, by the field of the message Action.
    reasons: of errors, as told to players.
    places: by the part of a space's name before the dot; `CAR` for every one that has no own.
    moves: what is told of a {figure} or {target} that was moved {to} a space, by the cause.
    neutral_bullets: who gave one to {target}, by the cause.
    refusals: what is told of a {figure} that has refused something, by the cause.
    choices, events: how they are put into words, by their class.
    """

    box: str = ""
    figures: Mapping[str, Figure] = field(default_factory=dict)
    cards: Mapping[str, Term] = field(default_factory=dict)
    loot: Mapping[str, Loot] = field(default_factory=dict)
    hostages: Mapping[str, Term] = field(default_factory=dict)
    round_cards: Mapping[str, Term] = field(default_factory=dict)
    turns: Mapping[str, Turn] = field(default_factory=dict)
    round_events: Mapping[str, Term] = field(default_factory=dict)
    phases: Mapping[str, Term] = field(default_factory=dict)
    levels: Mapping[str, Term] = field(default_factory=dict)
    decisions: Mapping[str, Question] = field(default_factory=dict)
    actions: Mapping[str, Term] = field(default_factory=dict)
    rows: Mapping[str, Term] = field(default_factory=dict)
    variants: Mapping[str, Term] = field(default_factory=dict)
    editions: Mapping[str, Term] = field(default_factory=dict)
    boxes: Mapping[str, Term] = field(default_factory=dict)
    cars: Mapping[str, Term] = field(default_factory=dict)
    decks: Mapping[str, Term] = field(default_factory=dict)
    marshal_bullets: Mapping[str, Term] = field(default_factory=dict)
    goals: Mapping[str, Term] = field(default_factory=dict)
    brawlers: Mapping[str, Term] = field(default_factory=dict)
    reasons: Mapping[str, Term] = field(default_factory=dict)
    places: Mapping[str, Place] = field(default_factory=dict)
    moves: Mapping[str, str] = field(default_factory=dict)
    neutral_bullets: Mapping[str, str] = field(default_factory=dict)
    refusals: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[type[Any], ChoiceWriter] = field(default_factory=dict)
    events: Mapping[type[Any], EventWriter] = field(default_factory=dict)
