"""The box Marshal & Prisoners: the Marshal somebody plays (RULES.md section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from coltexpress_server.game.boxes.base import setup as base_setup
from coltexpress_server.game.boxes.base.actions.robbery import Robbery
from coltexpress_server.game.boxes.base.scores import loot
from coltexpress_server.game.boxes.base.tables import PURSE
from coltexpress_server.game.boxes.marshal_and_prisoners import (
    bullets,
    capture,
    ending,
    goals,
    idea,
    mailbags,
    marshal,
    plus,
    prisoners,
    search,
    setup,
    tables,
)
from coltexpress_server.game.boxes.marshal_and_prisoners.mei import Mei
from coltexpress_server.game.boxes.marshal_and_prisoners.provisional import PROVISIONAL
from coltexpress_server.game.boxes.marshal_and_prisoners.seating import MarshalAndBandits
from coltexpress_server.game.boxes.marshal_and_prisoners.shooting import MarshalsFire
from coltexpress_server.game.boxes.marshal_and_prisoners.state import NAME, unpack
from coltexpress_server.game.boxes.singles import gunslinger
from coltexpress_server.game.contents import Contents
from coltexpress_server.game.loot import LootKind
from coltexpress_server.game.rules import (
    FIRE,
    Box,
    BulletsHeld,
    Bystander,
    CardLaid,
    CardTurned,
    Effect,
    Foresight,
    Hindrance,
    Imagine,
    Losers,
    Op,
    Power,
    Powers,
    Rules,
    Score,
    Standings,
    Step,
    TurnOption,
)
from coltexpress_server.game.seating import Seating
from coltexpress_server.game.state import Extra, Figure, State


class MarshalAndPrisoners(Box):
    """Comes in the place of the Marshal nobody plays, and of who sits where."""

    name: ClassVar[str] = NAME

    def actions(self) -> dict[str, int]:
        """4.6, 4.7, 4.13."""
        return tables.ACTIONS

    def deck(self) -> list[str]:
        """4.1."""
        return [tables.BRILLIANT_IDEA]

    def card_owners(self) -> list[str]:
        """4.6."""
        return [tables.MARSHAL]

    def bullet_sorts(self) -> list[str]:
        """4.9."""
        return list(tables.BULLETS)

    def effects(self) -> list[Effect]:
        """4.6, 4.8, 4.14."""
        return [_effect]

    def powers(self) -> dict[str, Power]:
        """4.15."""
        return {Mei.name: Mei()}

    def ops(self) -> Sequence[Op]:
        """What cards do, and what follows."""
        return (
            *(setup.Display(), plus.FurtherCard(), capture.CaptureCard(), MarshalsFire()),
            *(idea.BrilliantIdea(), idea.Giving(), prisoners.RobberyOfTwo()),
        )

    def loot(self) -> dict[str, LootKind]:
        """4.3."""
        return tables.LOOT

    def turn_options(self) -> list[tuple[int, TurnOption]]:
        """4.12."""
        return [(20, search.Searching())]

    def bystanders(self) -> Sequence[Bystander]:
        """4.10."""
        return (marshal.PlayedMarshal(),)

    def off_the_board(self) -> list[str]:
        """4.11."""
        return [tables.CELL]

    def seating(self) -> Seating | None:
        """4.2."""
        return MarshalAndBandits()

    def set_up(self) -> list[tuple[int, Step]]:
        """4.1, 4.2, 4.5."""
        return [
            (22, setup.couple_prison_car),
            (25, setup.place_marshal),
            (29, setup.lay_out_the_sheet),
        ]

    def instead(self) -> list[tuple[Step, Step | None]]:
        """4.3."""
        return [(base_setup.lay_out_strongboxes, setup.lay_out_mailbags)]

    def openings(self) -> list[tuple[int, str]]:
        """4.1."""
        return [(5, setup.Display.name)]

    def round_steps(self) -> list[tuple[int, Step]]:
        """4.5, 4.9, 4.18."""
        return [(1, goals.begin_round), (80, bullets.heal), (95, ending.settle)]

    def card_laid(self) -> list[CardLaid]:
        """4.6."""
        return [plus.go_on]

    def card_turned(self) -> list[CardTurned]:
        """4.13."""
        return [idea.remember]

    def bullets_held(self) -> list[BulletsHeld]:
        """4.9."""
        return [bullets.held]

    def hindrances(self) -> list[Hindrance]:
        """4.9, 4.11."""
        return [capture.hindrance, bullets.hindrance]

    def power_filters(self) -> list[tuple[int, Powers]]:
        """4.14."""
        return [(10, prisoners.powers)]

    def foresight(self) -> list[Foresight]:
        """4.12."""
        return [search.foresee]

    def goals(self) -> list[Standings]:
        """4.4."""
        return [goals.standings]

    def losers(self) -> list[Losers]:
        """4.18."""
        return [capture.losers]

    def score(self) -> list[tuple[str, Score]]:
        """4.18."""
        return [
            ("MAILBAGS", loot(tables.MAILBAG)),
            ("GUNSLINGER", gunslinger),
            ("BRAWLERS", marshal.brawlers),
            ("POSTERS", ending.posters),
            ("PRISONERS", prisoners.row),
        ]

    def unpack_extra(self, packed: list[object], rules: Rules) -> Extra:
        """The Marshal's sheet, prisoners, goals."""
        return unpack(packed)

    def imagine(self) -> list[tuple[int, Imagine]]:
        """Mailbags' values, goals."""
        return [(22, mailbags.imagine), (45, goals.imagine)]

    def contents(self) -> Contents:
        """4.1, 4.3."""
        return Contents(
            tokens={PURSE: tables.PURSES, tables.MAILBAG: tables.MAILBAGS},
            provisional=PROVISIONAL,
        )


def _effect(state: State, figure: Figure, action: str) -> str:
    """Cards that do what others do, and those that the Marshal's and some bandits' differ from."""
    if action in tables.PLUS_CARDS:
        return tables.PLUS_CARDS[action]
    if action == FIRE and figure.name == tables.MARSHAL:
        return MarshalsFire.name
    if action == Robbery.name and prisoners.with_companion(state, figure):
        return prisoners.RobberyOfTwo.name
    return action
