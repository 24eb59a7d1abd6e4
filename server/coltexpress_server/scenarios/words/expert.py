"""The words for discard piles and kept cards (RULES.md 2.1)."""

from __future__ import annotations

from coltexpress_server.game.boxes.base.round import RoundOp
from coltexpress_server.game.boxes.expert.discarding import Discard, discard_bullets
from coltexpress_server.game.events import DeckRebuilt
from coltexpress_server.scenarios import reading
from coltexpress_server.scenarios.choice_words import ChoiceWord, OneField
from coltexpress_server.scenarios.document import Node
from coltexpress_server.scenarios.language import (
    EVERYTHING,
    Check,
    Expected,
    Given,
    Position,
    Prepare,
    Scene,
    Sight,
    Words,
)
from coltexpress_server.scenarios.words.base.choices import kept
from coltexpress_server.scenarios.words.base.expected import cards_in, cards_in_order, each
from coltexpress_server.scenarios.words.base.given import cards_named
from coltexpress_server.scenarios.words.base.starts import at_schemin


class ExpertWords(Words):
    """What is kept, what is discarded, and decks whose order counts."""

    def given(self) -> dict[str, tuple[int, Given]]:
        """`discards: {DOC: [FIRE, BULLET]}`."""
        return {"discards": (50, _discards)}

    def starts(self) -> dict[str, Prepare]:
        """Schemin' begins with bullets being discarded (2.1.3)."""
        return {"SETUP": _at_schemin, "SCHEMIN": _at_schemin}

    def expected(self) -> dict[str, Expected]:
        """Discard piles, the top first; decks likewise where their order is known."""
        return {
            "discards": each(cards_in_order("discards", lambda deck: deck.discards)),
            "decks": each(_deck),
        }

    def choices(self) -> list[ChoiceWord]:
        """`{keep: [FIRE, MOVE]}`, in any order."""
        return [OneField("keep", kept)]

    def decisions(self) -> list[str]:
        """2.1.4."""
        return [Discard.name]


def _discards(position: Position, node: Node) -> None:
    """Whole discard piles, the top first."""
    position.elsewhere.update(cards_named(position.scene, node))
    for number, cards in position.elsewhere.items():
        position.state.decks[number].discards[:] = reversed(cards)


def _at_schemin(position: Position) -> None:
    """At the start of the phase, or at the turn given, before which bullets may have been drawn."""
    state = position.state
    if state.pile or "turn" in position.lines:
        at_schemin(position)
    else:
        state.push(RoundOp.name).index = state.rules.round_steps.index(discard_bullets)


def _deck(scene: Scene, key: Node, value: Node) -> Check:
    """In order if the file says the deck's and it has not been shuffled since; else in any."""
    seat = reading.seat(scene, key)
    in_order = cards_in_order("decks", lambda deck: deck.cards)(scene, key, value)
    in_any_order = cards_in("decks", lambda deck: deck.cards)(scene, key, value)
    ordered = scene.state.seats[seat].deck in scene.ordered

    def check(sight: Sight) -> str:
        rebuilt = any(isinstance(event, DeckRebuilt) and event.seat == seat for event in sight.log)
        if ordered and sight.viewer == EVERYTHING and not rebuilt:
            return in_order(sight)
        return in_any_order(sight)

    return check
