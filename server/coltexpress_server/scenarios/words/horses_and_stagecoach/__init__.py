"""The words for Horses & Stagecoach (RULES.md section 3)."""

from __future__ import annotations

from coltexpress_server.game.boxes.horses_and_stagecoach import tables
from coltexpress_server.game.loot import PUBLIC, Token
from coltexpress_server.scenarios.choice_words import ChoiceWord
from coltexpress_server.scenarios.language import Expected, Given, MakeToken, Prepare, Words
from coltexpress_server.scenarios.words.horses_and_stagecoach import given, starts
from coltexpress_server.scenarios.words.horses_and_stagecoach.choices import CHOICES
from coltexpress_server.scenarios.words.horses_and_stagecoach.expected import EXPECTED


class HorsesAndStagecoachWords(Words):
    """Horses, the stagecoach with its Shotgun and its hostages, whiskey, the horse attack."""

    def loot(self) -> dict[str, MakeToken]:
        """3.6.1: an unused flask's sort is known to nobody, a half-empty one's to all."""
        return {
            tables.FLASK: lambda: Token(tables.FLASK, tables.WHISKEY, 0),
            "OLD_FLASK": lambda: Token(tables.FLASK, tables.OLD_WHISKEY, 0),
            tables.HALF_FLASK: lambda: Token(tables.HALF_FLASK, tables.WHISKEY, PUBLIC),
            tables.HALF_OLD_FLASK: lambda: Token(tables.HALF_OLD_FLASK, tables.OLD_WHISKEY, PUBLIC),
        }

    def set_up(self) -> list[tuple[int, Prepare]]:
        """3.1.1, after a horse attack in which everybody boards at the places of 1.4.2."""
        return [
            (15, given.lay_out),
            (55, given.none_this_round),
            (70, given.display_hostages),
            (70, given.guard),
            (80, given.is_alone),
            (95, starts.gather),
            (96, starts.keep),
        ]

    def given(self) -> dict[str, tuple[int, Given]]:
        """What the box puts on the table."""
        return {
            "stagecoach": (50, given.stagecoach_beside),
            "shotgun": (50, given.shotgun_on),
            "horses": (50, given.horses),
            "hostages": (50, given.hostages),
            "displayed_hostages": (50, given.displayed_hostages),
            "this_round": (60, given.this_round),
        }

    def starts(self) -> dict[str, Prepare]:
        """SETUP is before the horse attack."""
        return {"SETUP": starts.at_horse_attack}

    def expected(self) -> dict[str, Expected]:
        """All of it is public."""
        return EXPECTED

    def choices(self) -> list[ChoiceWord]:
        """The horse attack, RIDE, hostages, whiskey, the Shotgun, kept cards."""
        return CHOICES

    def decisions(self) -> list[str]:
        """Beside the card RIDE."""
        return [tables.BOARD, tables.TURMOIL, tables.KEEP, tables.HOSTAGE, tables.FLEE]

    def phases(self) -> list[str]:
        """3.1.4."""
        return [tables.HORSE_ATTACK]

    def round_keys(self) -> list[str]:
        """3.7.2: how many cards may be kept."""
        return ["keep"]
