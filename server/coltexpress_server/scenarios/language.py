"""The words of scenario files, composed of boxes like the rules they are about.

A box of the game that puts something new on the table brings the words for it in a `Words` of its
own; the words of the other boxes do not name it. `Language` composes those of one set of options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from coltexpress_server.game.cards import Card
from coltexpress_server.game.events import Event
from coltexpress_server.game.loot import Token
from coltexpress_server.game.scripted_draws import ScriptedDraws
from coltexpress_server.game.state import State
from coltexpress_server.scenarios.choice_words import ChoiceWord
from coltexpress_server.scenarios.document import Node

EVERYTHING: Final = -1
"""The viewer of `expect`, who sees the state as it is."""


@dataclass(slots=True)
class Scene:
    """What the words of a scenario refer to.

    state: the game; while a file is read, the position at its start.
    language: the words that there are.
    ordered: numbers of the decks whose order the file says.
    """

    state: State
    language: Language
    ordered: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Position:
    """A position while it is set up.

    chance: the state's generator.
    start: where the game goes on: SETUP, ROUND, SCHEMIN or STEALIN.
    hands, decks: cards named in the file by number of the deck, a deck's top first.
    elsewhere: cards named in the file that are in neither, by number of the deck.
    lines: where the keys of `given` stand, and `given` itself.
    """

    scene: Scene
    chance: ScriptedDraws
    start: str
    lines: dict[str, int]
    hands: dict[int, list[Card]] = field(default_factory=dict)
    decks: dict[int, list[Card]] = field(default_factory=dict)
    elsewhere: dict[int, list[Card]] = field(default_factory=dict)

    @property
    def state(self) -> State:
        """The state as far as it has been set up."""
        return self.scene.state


@dataclass(slots=True)
class Sight:
    """What an expectation is compared with.

    state: the state, or a seat's view of it.
    viewer: the seat, SPECTATOR, or EVERYTHING.
    log: the events since the scenario began.
    """

    state: State
    viewer: int
    log: list[Event]


Prepare = Callable[[Position], None]
Given = Callable[[Position, Node], None]
"""Puts into the position what stands under a key of `given`."""
Check = Callable[[Sight], str]
"""Says what differs, or nothing."""
Expected = Callable[[Scene, Node], Check]
"""Reads what stands under a key of `expect`."""
MakeToken = Callable[[], Token]


def joined(differences: Iterable[str]) -> str:
    """All differences in one line; nothing if there is none."""
    return "; ".join(difference for difference in differences if difference)


class Words:
    """What a box brings to the format; the answers here are those of one that brings nothing."""

    def loot(self) -> dict[str, MakeToken]:
        """Tokens by their words, their values known to nobody but where they are public."""
        return {}

    def set_up(self) -> list[tuple[int, Prepare]]:
        """COLLECT: what every position takes, by rank.

        Before the keys of `given` it is what is so if the file does not say, after them what
        follows from what it says.
        """
        return []

    def given(self) -> dict[str, tuple[int, Given]]:
        """Keys of `given`, with the rank at which they are put into the position."""
        return {}

    def starts(self) -> dict[str, Prepare]:
        """Where a game can go on, each with what pushes the frames for it."""
        return {}

    def expected(self) -> dict[str, Expected]:
        """Keys of `expect`, and of `sees`."""
        return {}

    def seen(self) -> dict[str, Expected]:
        """Further keys of `sees`."""
        return {}

    def choices(self) -> list[ChoiceWord]:
        """Types of choice."""
        return []

    def decisions(self) -> list[str]:
        """COLLECT: kinds of decision beyond those of the action cards."""
        return []

    def phases(self) -> list[str]:
        """COLLECT: phases of a game."""
        return []

    def round_keys(self) -> list[str]:
        """COLLECT: what can be said of a round."""
        return []


class Language:
    """All words for one set of options; a later box's word replaces an earlier one's."""

    __slots__ = (
        "_token_words",
        "choices",
        "decisions",
        "expected",
        "given",
        "loot",
        "phases",
        "round_keys",
        "seen",
        "set_up",
        "starts",
    )

    def __init__(self, boxes: Sequence[Words]) -> None:
        self.loot: dict[str, MakeToken] = {}
        self.given: dict[str, tuple[int, Given]] = {}
        self.starts: dict[str, Prepare] = {}
        self.expected: dict[str, Expected] = {}
        self.seen: dict[str, Expected] = {}
        self.choices: dict[str, ChoiceWord] = {}
        self.set_up: list[tuple[int, Prepare]] = []
        self.decisions: list[str] = []
        self.phases: list[str] = []
        self.round_keys: list[str] = []
        for box in boxes:
            self.loot |= box.loot()
            self.given |= box.given()
            self.starts |= box.starts()
            self.expected |= box.expected()
            self.seen |= box.seen()
            self.choices |= {word.verb: word for word in box.choices()}
            self.set_up += box.set_up()
            self.decisions += box.decisions()
            self.phases += box.phases()
            self.round_keys += box.round_keys()
        self._token_words: dict[tuple[str, int], str] = {}
        for word, make in self.loot.items():
            token = make()
            self._token_words.setdefault((token.kind, token.value), word)

    def token_word(self, token: Token) -> str:
        """The word for a token; its kind alone where its value is not known."""
        return self._token_words.get((token.kind, token.value), token.kind)
