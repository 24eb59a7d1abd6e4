"""The words of the base box, without its Marshal."""

from __future__ import annotations

from coltexpress_server.game.boxes.base.events.pickpocketing import Pickpocketing
from coltexpress_server.game.boxes.base.scheme import SCHEME
from coltexpress_server.game.boxes.base.setup import board, jewel, strongbox
from coltexpress_server.game.boxes.base.tables import PURSE, PURSES, STARTING_PURSE
from coltexpress_server.game.loot import Token
from coltexpress_server.scenarios.choice_words import ChoiceWord
from coltexpress_server.scenarios.language import (
    Expected,
    Given,
    MakeToken,
    Prepare,
    Words,
)
from coltexpress_server.scenarios.words.base import cards, given, starts
from coltexpress_server.scenarios.words.base.choices import CHOICES
from coltexpress_server.scenarios.words.base.expected import EXPECTED, pile_as_seen


class BaseWords(Words):
    """Everything in SCENARIOS.md that RULES.md section 1 knows of."""

    def loot(self) -> dict[str, MakeToken]:
        """1.2.1."""
        return {
            "STRONGBOX": strongbox,
            "JEWEL": jewel,
            **{f"{PURSE}:{value}": _purse(value) for value in PURSES},
            PURSE: _purse(STARTING_PURSE),
        }

    def set_up(self) -> list[tuple[int, Prepare]]:
        """The bare table, then starting places (1.4.2), at last cards out of what is left."""
        return [
            (0, given.lay_out),
            (10, lambda position: board(position.state)),
            (90, cards.deal),
        ]

    def given(self) -> dict[str, tuple[int, Given]]:
        """In the order in which one needs another."""
        return {
            "cars": (5, given.cars),
            "first_player": (20, given.first_player),
            "round": (20, given.current_round),
            "next_round": (30, given.next_round),
            "turn": (40, given.turn),
            "bandits": (50, given.bandits),
            "loot": (50, given.loot),
            "owns": (50, given.owns),
            "known": (60, given.known),
            "bullets_left": (50, given.bullets_left),
            "bullets_received": (50, given.bullets_received),
            "neutral_bullets": (50, given.neutral_bullets),
            "strongbox_waiting": (50, given.strongbox_waiting),
            "hands": (50, given.hands),
            "decks": (50, given.decks),
            "draws": (50, given.draws),
        }

    def starts(self) -> dict[str, Prepare]:
        """The phases of a round (1.5)."""
        return {
            "SETUP": starts.at_schemin,
            "ROUND": starts.at_round,
            "SCHEMIN": starts.at_schemin,
            "STEALIN": starts.at_stealin,
        }

    def expected(self) -> dict[str, Expected]:
        """Everything on the table, and what follows from it."""
        return EXPECTED

    def seen(self) -> dict[str, Expected]:
        """The pile, of which a viewer may know only some cards."""
        return {"pile": pile_as_seen}

    def choices(self) -> list[ChoiceWord]:
        """Schemin', the actions, the events."""
        return CHOICES

    def decisions(self) -> list[str]:
        """Schemin', the events."""
        return [SCHEME, Pickpocketing.name]


def _purse(value: int) -> MakeToken:
    return lambda: Token(PURSE, value, 0)
