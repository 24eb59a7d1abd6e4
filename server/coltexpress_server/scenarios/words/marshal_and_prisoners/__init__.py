"""The words of Marshal & Prisoners (RULES.md section 4)."""

from __future__ import annotations

from coltexpress_server.game.boxes.marshal_and_prisoners import tables
from coltexpress_server.game.loot import Token
from coltexpress_server.scenarios.choice_words import ChoiceWord
from coltexpress_server.scenarios.language import Expected, Given, MakeToken, Prepare, Words
from coltexpress_server.scenarios.words.marshal_and_prisoners import given
from coltexpress_server.scenarios.words.marshal_and_prisoners.choices import CHOICES
from coltexpress_server.scenarios.words.marshal_and_prisoners.expected import EXPECTED


class MarshalAndPrisonersWords(Words):
    """The Marshal somebody plays with his sheet, the cell, prisoners, mailbags."""

    def loot(self) -> dict[str, MakeToken]:
        """4.3."""
        return {
            **{f"{tables.MAILBAG}:{value}": _mailbag(value) for value in tables.MAILBAGS},
            tables.MAILBAG: _mailbag(min(tables.MAILBAGS)),
        }

    def set_up(self) -> list[tuple[int, Prepare]]:
        """4.1, 4.2, without prisoners and goals."""
        return [
            (6, given.couple_prison_car),
            (7, given.lay_out),
            (70, given.captured),
            (75, given.shot),
        ]

    def given(self) -> dict[str, tuple[int, Given]]:
        """What the box puts on the table; any player may be the round's first, the Marshal too."""
        return {
            "first_player": (20, given.first_player),
            "marshal": (50, given.marshal_at),
            "prisoners": (50, given.prisoners),
            "displayed_prisoners": (50, given.displayed_prisoners),
            "posters": (50, given.posters),
            "achievements": (50, given.achievements),
            "cylinders": (50, given.cylinders),
            "goals": (50, given.goals),
            "brawlers": (50, given.brawlers),
            "brawlers_of": (50, given.brawlers_of),
            "injuries": (50, given.injuries),
        }

    def expected(self) -> dict[str, Expected]:
        """All of it is public but the goals."""
        return EXPECTED

    def choices(self) -> list[ChoiceWord]:
        """The Marshal's cards, searching, BRILLIANT_IDEA, the robbery of two."""
        return CHOICES

    def decisions(self) -> list[str]:
        """Beside those of the cards."""
        return [tables.CLOSING, tables.FREE, tables.GIVE, tables.LEAVE_CELL]


def _mailbag(value: int) -> MakeToken:
    return lambda: Token(tables.MAILBAG, value, 0)
